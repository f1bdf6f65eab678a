/**
 * Why dot products are divided by √d_k: random queries and keys, and one knob, how many numbers each has. Undivided, they
 * spread with √d_k, and softmax gives all to one key; divided they are scores, and both stay as they were. No model is needed.
 */
import {html} from 'lit';
import {AuthorError, figure} from '../lib/figure.js';
import {keepFocus} from '../lib/keep-focus.js';
import {spoken} from '../lib/spoken.js';
import {tools} from '../lib/tools.js';
import {chart} from './scale-knob/chart.js';
import {controls} from './scale-knob/controls.js';
import {MOST_KEYS, WIDEST, spreads} from './scale-knob/draws.js';
import {panels} from './scale-knob/panels.js';
import {quantities} from './scale-knob/quantities.js';
import {compare} from './scale-knob/rows.js';
import {drawer} from './scale-knob/table.js';
import {describe} from './scale-knob/words.js';

/** @typedef {import('../lib/figure.js').State} State */
/** @typedef {import('../lib/figure.js').Data} Data */
/** @typedef {import('../lib/figure.js').Life} Life */
/** @typedef {import('./scale-knob/rows.js').Place} Place */

export default figure({
  tag: 'scale-knob',
  summary: 'Random queries and keys of d_k numbers: how far their dot products spread, and what softmax makes of them, with and without the divisor √d_k.',
  options: {
    dk: {type: 'integer', min: 1, max: WIDEST, default: 64, help: 'How many numbers each query and key has at first, 1 to 512.'},
    seed: {type: 'integer', min: 0, max: 999_999, default: 1, help: 'Which random numbers are drawn: the same seed, the same numbers.'},
    keys: {type: 'integer', min: 2, max: MOST_KEYS, default: 12, help: 'How many keys the row has, 2 to 32.'},
    nudge: {type: 'integer', min: 0, max: MOST_KEYS, default: 0, help: 'The key, from 1, that is nudged up at first; 0 for none.'},
  },
  computes: ['seed'],
  compares: ['spread'],
  cell: ['dk', 'scaled', 'part'],
  compute: async ({seed}) => ({spread: await spreads(seed)}),
  prepare,
  derive: (state, {spread}) => ({spread, ...compare(/** @type {Place} */ (state))}),
  view,
  quantities,
});

/**
 * @param {State} wanted
 * @param {Record<string, any>} _computed
 * @param {{strict: boolean}} how
 * @returns {State}
 */
function prepare({dk, seed, keys, nudge}, _computed, {strict}) {
  if (strict && nudge > keys) throw new AuthorError(`there is no key ${nudge} to nudge`, {option: 'nudge', hint: `the row has ${keys} keys, counted from 1`});
  return {dk, seed, keys, nudge: nudge <= keys ? nudge : 0};
}

/**
 * @param {Data} data
 * @param {State} state
 * @param {(some: State) => void} act
 * @param {Life} life
 */
function view(data, state, act, life) {
  const [shown, place] = looked(data, state, life);
  const told = describe(shown, place);
  const release = (/** @type {KeyboardEvent} */ {key}) => {
    if (key === 'Escape' && state.nudge > 0) act({nudge: 0});
  };
  return html`<div class="knob" @keydown=${release} ${keepFocus()}>
    ${controls(/** @type {Place} */ (state), act)}
    <div class="knob-pictures">
      ${chart(shown.spread, place.dk, life.lit)}
      ${panels(shown, place, life.lit, (nudge) => act({nudge}))}
      <p class="knob-readout">${told}</p>
    </div>
    ${drawer(shown, place)}
    ${tools(life)}
    <p class="visually-hidden" aria-live="polite" ${spoken(told)}></p>
  </div>`;
}

/**
 * What is drawn: the reader's state, or, while a number of the text is pointed at, the printed row at that number's d_k.
 * @param {Data} data
 * @param {State} state
 * @param {Life} life
 * @returns {[any, any]}
 */
function looked(data, state, {lit, printed}) {
  if (!lit || !(lit.dk >= 1 && lit.dk <= WIDEST)) return [data, state];
  const place = /** @type {Place} */ ({...(printed ?? state), dk: lit.dk, nudge: 0});
  return [{spread: data.spread, ...compare(place)}, place];
}
