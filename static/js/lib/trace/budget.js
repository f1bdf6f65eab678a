/** Budget: scores become shares that add up to all. */
import {html, nothing} from 'lit';
import {tableBar} from '../bar.js';
import {aligned, cell, decimals, drawName, rowKind, table, tokenHead} from './tables.js';
import {PLACES, addends, enclosed, equals, isExact, written} from './rounding.js';
import {eTo, step} from './step.js';

/** @typedef {import('./weigh.js').Weighed} Weighed */
/** @typedef {import('./tables.js').Scene} Scene */
/** @typedef {import('./rounding.js').Addends} Addends */

/** Signs of a small total that are shown, so that a share can still be worked out of it. */
const DIGITS = 4;

/** Up to so many tokens, those that are masked have a row each, too. */
const FEW = 8;

/**
 * The texts of all columns, each (S,).
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
  const {names, query} = scene;
  const {q, divisor, dots, scores, shift} = numbers;
  const texts = write(numbers);
  return step({
    title: 'Budget',
    does: html`Divide by √<i>d</i><sub><i>k</i></sub> = √${q.length} ${equals(isExact(divisor))} ${written(divisor)}, raise <i>e</i> to each score, and split one budget in proportion.`,
    before: html`${switches ?? nothing}${shift === 0 ? nothing : html`<p>${whyShift(written(shift))}</p>`}`,
    shows: table(`The weights that ${names[query]} gives`, scene, rows(numbers, texts, weights, scene), {kind: names.length > FEW ? 'trace-long trace-many' : 'trace-long'}),
    spells: [spell(numbers, texts, weights, scene)],
    shifted: texts.exps.shifted + weights.shifted,
    exact: [...texts.exps.exact, ...weights.exact].every(Boolean) && [...dots, ...scores, divisor].every((number) => isExact(number)),
  });
}

/**
 * @param {Weighed} numbers
 * @param {ReturnType<typeof write>} texts
 * @param {Addends} weights
 * @param {Scene} scene
 */
function rows({masked, shift, divisor, weights: shares}, texts, weights, scene) {
  const {names, view} = scene;
  const folded = names.length > FEW ? masked.filter(Boolean).length : 0;
  const columns = [
    {name: 'dot', head: html`<i>q</i>·<i>k</i>`, texts: texts.dots},
    {name: 'score', head: html`score<small>÷ ${written(divisor)}</small>`, texts: texts.scores},
    ...(masked.some(Boolean) && folded === 0 ? [{name: 'mask', head: 'mask', texts: texts.mask}] : []),
    ...(shift === 0 ? [] : [{name: 'rest', head: html`rest<small>− ${enclosed(written(shift))}</small>`, texts: texts.powers}]),
    {name: 'exp', head: html`<i>e</i><sup>${shift === 0 ? 'score' : 'rest'}</sup>`, texts: texts.exps.parts},
  ].map((column) => ({...column, most: decimals([...column.texts, column.name === 'exp' ? texts.exps.sum : ''])}));
  // Columns come and go: what moves, moves within its own.
  const within = (/** @type {string} */ name) => (view === null ? scene : {...scene, view: `${view} ${name}`});
  const {most} = columns[columns.length - 1];
  const row = (/** @type {number} */ index) => html`<tr class=${rowKind(index, scene)}>${tokenHead(index, scene)}${columns.map((column) => cell(column.texts[index], within(column.name), column))}${cell(weights.parts[index], within('weight'), {unit: '%', kind: 'trace-result'})}<td class="trace-bar">${tableBar(shares[index])}</td></tr>`;
  return html`<thead>
      <tr><th scope="col">Token</th>${columns.map(({head}) => html`<th scope="col" class="number">${head}</th>`)}<th scope="col" class="number">weight<small>÷ ${texts.exps.sum}</small></th><td class="trace-bar"></td></tr>
    </thead>
    <tbody>
      ${names.map((_, index) => (folded > 0 && masked[index] ? nothing : row(index)))}
      ${folded > 0 ? html`<tr class="token-later"><th scope="row" colspan=${columns.length}>${folded} masked: <i>e</i><sup>−∞</sup></th><td class="number">${aligned('0', most)}</td><td class="number">0%</td><td class="trace-bar"></td></tr>` : nothing}
    </tbody>
    <tfoot>
      <tr><th scope="row" colspan=${columns.length}>Together</th>${cell(texts.exps.sum, within('exp'), {most})}${cell(weights.sum, within('weight'), {unit: '%', kind: 'trace-result'})}<td class="trace-bar"></td></tr>
    </tfoot>`;
}

/**
 * @param {Weighed} numbers
 * @param {ReturnType<typeof write>} texts
 * @param {Addends} weights
 * @param {Scene} scene
 */
function spell({masked, shift, divisor, scores}, texts, weights, {names, query, key}) {
  const exp = texts.exps.parts[key];
  const power = texts.powers[key];
  const parts = [
    `${texts.dots[key]} ÷ ${written(divisor)} ${equals(isExact(scores[key]))} ${texts.scores[key]};`,
    masked[key] ? 'masked, −∞;' : shift === 0 ? '' : `${texts.scores[key]} − ${enclosed(written(shift))} ${equals(isExact(scores[key] - shift))} ${power};`,
    html`${eTo(power)} ${equals(texts.exps.exact[key])} ${exp};`,
    `${exp} ÷ ${texts.exps.sum} ${equals(weights.exact[key])} ${weights.parts[key]}%`,
  ];
  return html`${drawName(names[query])} gives ${query === key ? 'itself' : drawName(names[key])}: ${parts
    .filter(Boolean)
    .map((part) => html`<span class="trace-term">${part}</span> `)}`;
}

/** @param {string} greatest */
function whyShift(greatest) {
  return html`These scores lie far from 0, and <i>e</i> to such powers is hard to write down. So the greatest, ${greatest}, is first taken from each: that divides every power and their total by the same number, and changes no weight.`;
}
