/** Budget: scores become shares that add up to all. */
import {html, nothing} from 'lit';
import {tableBar} from '../bar.js';
import {cell, decimals, rowKind, table, tokenHead} from './cells.js';
import {addends, enclosed, isExact, PLACES, written} from './rounding.js';
import {eTo, step} from './step.js';

/** @typedef {import('./weigh.js').Weighed} Weighed */
/** @typedef {import('./cells.js').Scene} Scene */
/** @typedef {import('./rounding.js').Addends} Addends */

/** Signs of a small total that are shown, so that a share can still be worked out of it. */
const DIGITS = 4;

/**
 * The texts of all columns.
 * @param {Weighed} numbers
 */
function write({dots, scores, masked, shift, exps, total}) {
  return {
    dots: dots.map((dot) => written(dot)),
    scores: scores.map((score) => written(score)),
    mask: masked.map((hidden) => (hidden ? '−∞' : '0')),
    powers: scores.map((score, index) => (masked[index] ? '−∞' : written(score - shift))),
    exps: addends(exps, Math.max(PLACES, DIGITS - 1 - Math.floor(Math.log10(total)))),
  };
}

/**
 * @param {Weighed} numbers
 * @param {Addends} weights  in per cents
 * @param {Scene} scene
 * @param {unknown} switches
 */
export function budget(numbers, weights, scene, switches) {
  const {names, query, key} = scene;
  const {masked, shift, divisor, q} = numbers;
  const texts = write(numbers);
  const root = written(divisor);
  const some = {mask: masked.some(Boolean), shift: shift !== 0};
  const columns = [
    {head: html`<i>q</i>·<i>k</i>`, texts: texts.dots, foot: ''},
    {head: html`score<small>÷ ${root}</small>`, texts: texts.scores, foot: ''},
    ...(some.mask ? [{head: 'mask', texts: texts.mask, foot: ''}] : []),
    ...(some.shift ? [{head: html`less<small>${written(shift)}</small>`, texts: texts.powers, foot: ''}] : []),
    {head: html`<i>e</i><sup>score</sup>`, texts: texts.exps.parts, foot: texts.exps.sum},
  ].map((column) => ({...column, most: decimals([...column.texts, column.foot])}));
  const rows = html`<thead>
      <tr><th scope="col">Token</th>${columns.map(({head}) => html`<th scope="col" class="number">${head}</th>`)}<th scope="col" class="number">weight<small>÷ ${texts.exps.sum}</small></th><td class="trace-bar"></td></tr>
    </thead>
    <tbody>${names.map((_, index) => html`<tr class=${rowKind(index, scene)}>${tokenHead(index, scene)}${columns.map((column) => cell(column.texts[index], scene, column))}${cell(weights.parts[index], scene, {unit: '%', kind: 'trace-result'})}<td class="trace-bar">${tableBar(numbers.weights[index])}</td></tr>`)}</tbody>
    <tfoot>
      <tr><th scope="row" colspan=${columns.length}>Together</th>${cell(texts.exps.sum, scene, {most: columns[columns.length - 1].most})}${cell(weights.sum, scene, {unit: '%', kind: 'trace-result'})}<td class="trace-bar"></td></tr>
    </tfoot>`;
  const power = texts.powers[key];
  return step({
    title: 'Budget',
    does: html`Divide by √<i>d</i><sub><i>k</i></sub> = √${q.length} = ${root}, raise <i>e</i> to each score, and split one budget in proportion.`,
    before: html`${switches ?? nothing}${some.shift ? html`<p class="trace-does">${whyShift(written(shift))}</p>` : nothing}`,
    shows: table(`The weights that ${names[query]} gives`, scene, rows, {kind: 'trace-long'}),
    spells: [
      html`<bdi translate="no">${names[query]}</bdi> gives ${query === key ? 'itself' : html`<bdi translate="no">${names[key]}</bdi>`}: ${[
        `${texts.dots[key]} ÷ ${root} = ${texts.scores[key]};`,
        masked[key] ? 'masked, −∞;' : some.shift ? `${texts.scores[key]} − ${enclosed(written(shift))} = ${power};` : '',
        html`${eTo(power)} = ${texts.exps.parts[key]};`,
        `${texts.exps.parts[key]} ÷ ${texts.exps.sum} = ${weights.parts[key]}%`,
      ].filter(Boolean).map((part) => html`<span class="trace-term">${part}</span> `)}`,
    ],
    exact: texts.exps.exact && weights.exact && [...numbers.dots, ...numbers.scores, divisor].every((number) => isExact(number)),
  });
}

/** @param {string} greatest */
function whyShift(greatest) {
  return html`These scores are large, and <i>e</i> to a large power is a number nobody can read. So the greatest, ${greatest}, is first taken from each: that divides every power and their total by the same number, and changes no weight.`;
}
