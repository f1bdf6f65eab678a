/** Match: the query times each key, number by number, and the sum. */
import {html} from 'lit';
import {cell, decimals, dimensionHeads, drawFace, drawName, rowKind, table, tokenHead} from './tables.js';
import {addends, enclosed, equals, isExact, written} from './rounding.js';
import {joined, step} from './step.js';
import {sum} from './weigh.js';

/** @typedef {import('./weigh.js').Weighed} Weighed */
/** @typedef {import('./tables.js').Scene} Scene */

/**
 * @param {Weighed} numbers
 * @param {Scene} scene
 */
export function match(numbers, scene) {
  const {names, faces, query, key} = scene;
  const q = numbers.q.map((number) => written(number)); // (d,)
  const k = numbers.k.map((row) => row.map((number) => written(number))); // (S, d)
  const sums = numbers.products.map((row) => addends(row)); // (S,)
  const most = q.map((text, i) => decimals([text, ...k.map((row) => row[i]), ...sums.map(({parts}) => parts[i])]));
  const mostOfSums = decimals(sums.map((row) => row.sum));
  const rows = html`<thead><tr><td></td>${dimensionHeads(most, scene)}<th scope="col" class="number"><i>q</i>·<i>k</i></th></tr></thead>
    <tbody>
      <tr><th scope="row" class="trace-token">${drawFace(faces[query])} <span class="trace-label">q</span></th>${q.map((text, i) => cell(text, scene, {most: most[i]}))}<td></td></tr>
    </tbody>
    ${sums.map(({parts, sum: dot}, index) => html`<tbody class=${rowKind(index, scene)}>
      <tr class="trace-of-given">${tokenHead(index, scene, 'k')}${k[index].map((text, i) => cell(text, scene, {most: most[i]}))}<td></td></tr>
      <tr><th scope="row" class="trace-label">q × k</th>${parts.map((text, i) => cell(text, scene, {most: most[i], sign: i > 0 ? '+' : ''}))}${cell(dot, scene, {most: mostOfSums, sign: '=', kind: 'trace-result'})}</tr>
    </tbody>`)}`;
  return step({
    title: 'Match',
    does: html`Multiply the query <i>q</i> with each key <i>k</i>, number by number, and add up: the dot product <i>q</i>·<i>k</i>.`,
    shows: table(`The dot products of the query of ${names[query]} with every key`, scene, rows),
    spells: [pair(names, query, key, html`${joined(q.map((text, i) => `${enclosed(text)} × ${enclosed(k[key][i])}`))} ${joined([sums[key].sum], equals(isExact(numbers.dots[key])))}`)],
    exact: [numbers.q, ...numbers.k, ...numbers.products].every((row) => row.every((number) => isExact(number))),
    shifted: sum(sums.map((row) => row.shifted)),
  });
}

/**
 * @param {Weighed} numbers
 * @param {Scene} scene
 */
export function matchWide(numbers, scene) {
  const {names, faces, query, key} = scene;
  const q = numbers.q.map((number) => written(number)); // (d,)
  const k = numbers.k[key].map((number) => written(number)); // (d,)
  const {parts, sum: dot, exact, shifted} = addends(numbers.products[key]);
  const most = [q, k, [...parts, dot]].map(decimals);
  const rows = html`<thead>
      <tr><td></td><th scope="col" class="number"><i>q</i><span class="trace-of">${drawFace(faces[query])}</span></th><th scope="col" class="number"><i>k</i><span class="trace-of">${drawFace(faces[key])}</span></th><th scope="col" class="number"><i>q</i> × <i>k</i></th></tr>
    </thead>
    <tbody>${parts.map((text, i) => html`<tr><th scope="row" class="number trace-label">${i + 1}</th>${cell(q[i], scene, {most: most[0]})}${cell(k[i], scene, {most: most[1]})}${cell(text, scene, {most: most[2]})}</tr>`)}</tbody>
    <tfoot><tr><th scope="row" colspan="3">Their sum, <i>q</i>·<i>k</i></th>${cell(dot, scene, {most: most[2], kind: 'trace-result'})}</tr></tfoot>`;
  return step({
    title: 'Match',
    does: html`Multiply the query <i>q</i> of ${names[query]} with the key <i>k</i> of ${names[key]}, number by number, and add up: the dot product <i>q</i>·<i>k</i>.`,
    shows: table(`The dot product of the query of ${names[query]} with the key of ${names[key]}`, scene, rows, {kind: 'trace-long'}),
    spells: [pair(names, query, key, html`the ${parts.length} products add up to ${dot}`)],
    shifted,
    exact: exact.every(Boolean) && [numbers.q, numbers.k[key]].every((row) => row.every((number) => isExact(number))),
  });
}

/**
 * @param {string[]} names
 * @param {number} query
 * @param {number} key
 * @param {unknown} what
 */
function pair(names, query, key, what) {
  return html`${drawName(names[query])} asks ${query === key ? 'itself' : drawName(names[key])}: ${what}`;
}
