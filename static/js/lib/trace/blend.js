/** Blend: each value scaled by its weight, and the sum. */
import {html, nothing} from 'lit';
import {cell, decimals, dimensionHeads, drawFace, rowKind, table, tokenHead} from './tables.js';
import {addends, enclosed, equals, isExact, written} from './rounding.js';
import {joined, step} from './step.js';
import {columns, sum} from './weigh.js';

/** @typedef {import('./weigh.js').Weighed} Weighed */
/** @typedef {import('./tables.js').Scene} Scene */
/** @typedef {import('./rounding.js').Addends} Addends */

const DOES = html`Scale each value <i>v</i> by its weight and add up, number by number. What comes out is a mixture of values.`;

/**
 * @param {Weighed} numbers
 * @param {Addends} weights  in per cents
 * @param {Scene} scene
 */
export function blend(numbers, weights, scene) {
  const {names, query} = scene;
  const dimension = Math.min(scene.dimension, numbers.blend.length - 1);
  const v = numbers.v.map((row) => row.map((number) => written(number))); // (S, dv)
  const chosen = (/** @type {number} */ index) => (scene.chooseDimension && index === dimension ? 'trace-chosen' : '');
  const sums = columns(numbers.weighted).map((column) => addends(column)); // (dv,)
  const most = sums.map(({parts, sum: total}, i) => decimals([...parts, total, ...v.map((row) => row[i])]));
  const rows = html`<thead><tr><td></td>${dimensionHeads(most, {...scene, dimension}, true)}</tr></thead>
    ${v.map((row, index) => html`<tbody class=${rowKind(index, scene)}>
      <tr class="trace-of-given">${tokenHead(index, scene, 'v')}${row.map((text, i) => cell(text, scene, {most: most[i], kind: chosen(i)}))}</tr>
      <tr><th scope="row" class="trace-label">${weights.parts[index]}% × v</th>${sums.map(({parts}, i) => cell(parts[index], scene, {most: most[i], kind: chosen(i)}))}</tr>
    </tbody>`)}
    <tfoot><tr><th scope="row">Blend</th>${sums.map(({sum: total}, i) => cell(total, scene, {most: most[i], kind: `trace-result ${chosen(i)}`}))}</tr></tfoot>`;
  const {parts, sum: total, exact} = sums[dimension];
  const terms = v.map((row, index) => `${weights.parts[index]}% × ${enclosed(row[dimension])}`);
  const shares = parts.length > 1 ? parts : [];
  return step({
    title: 'Blend',
    does: DOES,
    shows: table(`The values that ${names[query]} is given, scaled by their weights, and their sum`, scene, rows),
    spells: [html`Number ${dimension + 1}: ${joined(terms)} ${shares.length > 0 ? joined(shares, equals(exact.every(Boolean))) : nothing} ${joined([total], shares.length > 0 ? '=' : equals(exact[0]))}`],
    shifted: sum(sums.map((column) => column.shifted)),
    exact: sums.every((column) => column.exact.every(Boolean)) && numbers.v.every((row) => row.every((number) => isExact(number))),
  });
}

/** So many tokens of a long row are shown apart, besides the picked one; the others together. */
const APART = 2;

/**
 * @param {Weighed} numbers
 * @param {Addends} weights  in per cents
 * @param {Scene} scene
 */
export function blendWide(numbers, weights, scene) {
  const {names, faces, query, key} = scene;
  const apart = [key, ...order(numbers.weights).filter((index) => index !== key).slice(0, APART)];
  const others = names.map((_, index) => index).filter((index) => !apart.includes(index) && !numbers.masked[index]);
  const parts = numbers.blend.map((_, i) => {
    const rest = sum(others.map((index) => numbers.weighted[index][i]));
    return addends([...apart.map((index) => numbers.weighted[index][i]), ...(others.length > 0 ? [rest] : [])]);
  }); // (dv,) of the shown columns
  const most = Array.from({length: apart.length + (others.length > 0 ? 1 : 0)}, (_, column) => decimals(parts.map((row) => row.parts[column])));
  const mostOfSums = decimals(parts.map((row) => row.sum));
  const share = written(100 - sum(apart.map((index) => Number(weights.parts[index]))), 1); // of the others, as the shown ones leave it
  const rows = html`<thead><tr><td></td>
      ${apart.map((index) => html`<th scope="col" class=${`number${index === key ? ' trace-chosen' : ''}`}>${weights.parts[index]}%<span class="trace-of">${drawFace(faces[index])}</span></th>`)}
      ${others.length > 0 ? html`<th scope="col" class="number">${share}%<span class="trace-of">${others.length === 1 ? drawFace(faces[others[0]]) : `${others.length} others`}</span></th>` : nothing}
      <th scope="col" class="number">blend</th></tr></thead>
    <tbody>${parts.map((row, i) => html`<tr><th scope="row" class="number trace-label">${i + 1}</th>${row.parts.map((text, column) => cell(text, scene, {most: most[column], sign: column > 0 ? '+' : '', kind: column === 0 ? 'trace-chosen' : ''}))}${cell(row.sum, scene, {most: mostOfSums, sign: '=', kind: 'trace-result'})}</tr>`)}</tbody>`;
  const [first] = parts;
  return step({
    title: 'Blend',
    does: DOES,
    shows: table(`The values that ${names[query]} is given, scaled by their weights, and their sum`, scene, rows, {kind: 'trace-long'}),
    spells: [html`Number 1: ${weights.parts[key]}% × ${enclosed(written(numbers.v[key][0]))} ${equals(first.exact[0])} ${first.parts[0]} from ${names[key]}; with the others ${first.sum}`],
    shifted: sum(parts.map((row) => row.shifted)),
    exact: parts.every((row) => row.exact.every(Boolean)),
  });
}

/** @param {number[]} weights @returns {number[]} indices of those above 0, the greatest first */
function order(weights) {
  return weights.map((_, index) => index).filter((index) => weights[index] > 0).sort((a, b) => weights[b] - weights[a] || a - b);
}
