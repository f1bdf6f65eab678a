/**
 * The hand trace: one query's attention with numbers small enough to check on paper. The reader picks who asks and who is asked,
 * edits any vector and any matrix, and every step is worked out anew.
 */
import {html} from 'lit';
import {figure} from '../lib/figure.js';
import {keepFocus} from '../lib/keep-focus.js';
import {greatest} from '../lib/shares.js';
import {spoken} from '../lib/spoken.js';
import {tools} from '../lib/tools.js';
import {steps} from '../lib/trace/steps.js';
import {faces, names} from '../lib/words.js';
import {given} from './attention-trace/given.js';
import {maskSwitch} from './attention-trace/mask.js';
import {options, prepare} from './attention-trace/options.js';
import {quantities} from './attention-trace/quantities.js';
import {read, rowOf} from './attention-trace/read.js';
import {sentence} from './attention-trace/sentence.js';
import {outcome, describe} from './attention-trace/words.js';

/** @typedef {import('../lib/figure.js').State} State */
/** @typedef {import('../lib/figure.js').Data} Data */
/** @typedef {import('../lib/figure.js').Life} Life */
/** @typedef {import('../lib/trace/weigh.js').Weighed} Weighed */

export default figure({
  tag: 'attention-trace',
  summary: 'One query’s attention worked out step by step, with numbers that the reader can edit and check on paper.',
  options,
  cell: ['query', 'key'],
  // No model: what the author gave is kept beside what the reader makes of it, to fall back on where a link cannot be read.
  compute: async ({text, x, wq, wk, wv}) => ({given: {text, x, wq, wk, wv}}),
  prepare,
  derive,
  view,
  quantities,
});

/**
 * @param {State} state
 * @param {Record<string, any>} computed
 * @returns {Data} the vectors and matrices as numbers, and every number of the asking token's row
 */
function derive(state, computed) {
  const all = read(state);
  const row = rowOf(all, {query: state.query, causal: state.causal});
  return {...computed, ...all, ...row, key: state.key === '' ? greatest(row.weights) : state.key, row: row.weights, altered: false};
}

/**
 * @param {Data} data
 * @param {State} state
 * @param {(some: State) => void} act
 * @param {Life} life
 */
function view(data, state, act, life) {
  const numbers = /** @type {Weighed} */ (/** @type {unknown} */ (data));
  const {query} = state;
  const lit = litPair(state, life);
  const called = names(data.tokens);
  const told = describe(numbers, called, query);
  const scene = {
    names: called,
    faces: faces(data.tokens),
    query,
    key: data.key,
    picked: state.key !== '',
    dimension: state.dimension - 1,
    lit: lit && lit.query === query ? lit.key : null,
    view: String(query),
    choose: (/** @type {number} */ key) => act({key}),
    release: () => act({key: ''}),
    chooseDimension: (/** @type {number} */ dimension) => act({dimension: dimension + 1}),
  };
  const result = outcome(numbers, query);
  const free = life.printed && life.printed.text === state.text ? life.printed.query : null;
  return html`<div class="trace" ${keepFocus()} @keydown=${(/** @type {KeyboardEvent} */ event) => escape(event, state, act, free)}>
    ${sentence(data.tokens, numbers, {...scene, lit: lit ? [lit.query, lit.key] : []}, (asking) => act({query: asking}), () => act({query: free}))}
    <p class="trace-readout">${told}</p>
    ${tools(life)}
    ${given(data, scene, result, {
      edit: act,
      pick: (some) => act({dimension: some.dimension + 1, ...(some.key === undefined ? {} : {key: some.key})}),
      live: life.status !== 'printed',
      state: JSON.stringify(state),
    })}
    ${steps(numbers, {...scene, wide: false, switches: maskSwitch(state.causal, {names: called, query, result}, (causal) => act({causal}))})}
    <p class="visually-hidden" aria-live="polite" ${spoken(told)}></p>
  </div>`;
}

/**
 * Escape lets go of the token that was picked; then of the one that asks.
 * @param {KeyboardEvent} event
 * @param {State} state
 * @param {(some: State) => void} act
 * @param {number|null} free  who asks when nobody is chosen
 */
function escape(event, state, act, free) {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  act(state.key === '' ? {query: free} : {key: ''});
}

/** What the numbers of the text depend on. */
const MATTERS = ['text', 'x', 'wq', 'wk', 'wv', 'causal'];

/**
 * The pair that a number of the text is about, while that number is still what the figure shows. It is marked where it
 * stands; nothing else is drawn for it, since a figure that grew or shrank would push the text away from under the pointer.
 * @param {State} state
 * @param {Life} life
 */
function litPair(state, {lit, printed}) {
  return lit && MATTERS.every((name) => printed?.[name] === state[name]) ? lit : null;
}
