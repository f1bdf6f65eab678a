/**
 * Attention, live: the sentence is the picture. One token asks; the tokens it looks at are underlined by weight; eight small
 * matrices are the switch of layer and head.
 */
import {html} from 'lit';
import {AuthorError, figure} from '../lib/figure.js';
import {findToken} from '../lib/find-token.js';
import {keepFocus} from '../lib/keep-focus.js';
import {spoken} from '../lib/spoken.js';
import {statusLine} from '../lib/status-line.js';
import {tools} from '../lib/tools.js';
import {stamps} from './attention-viewer/matrices.js';
import {habit, heads, longestHabit} from './attention-viewer/heads.js';
import {drawer, typing} from './attention-viewer/panels.js';
import {quantities} from './attention-viewer/quantities.js';
import {sentence} from './attention-viewer/sentence.js';
import {trace, why} from './attention-viewer/why.js';
import {notes, plain, told} from './attention-viewer/words.js';

/** @typedef {import('../lib/figure.js').State} State */
/** @typedef {import('../lib/figure.js').Data} Data */
/** @typedef {import('../lib/figure.js').Life} Life */
/** @typedef {import('../lib/figure.js').Tensor} Tensor */

export default figure({
  tag: 'attention-viewer',
  summary: 'A sentence whose tokens can be asked whom they look back at, in every layer and head of the model.',
  options: {
    text: {type: 'string', required: true, help: 'The sentence at first.'},
    layer: {type: 'integer', min: 1, default: 1, help: 'The layer at first, counted from 1.'},
    head: {type: 'integer', min: 1, default: 1, help: 'The head at first, counted from 1.'},
    query: {
      type: 'string',
      follows: 'text',
      help: 'The token that asks at first: its text without outer spaces, `said#2` for the second of that text, or an index from 0; the last token if left out.',
    },
    key: {
      type: 'string',
      follows: 'text',
      help: 'The token asked whose weight is explained at first, named like `query`; none if left out.',
    },
  },
  computes: ['text'],
  compares: ['pattern'],
  cell: ['layer', 'head', 'query', 'key'],
  compute,
  prepare,
  derive: (state, computed) => ({...computed, row: [...(computed.pattern[state.layer - 1]?.[state.head - 1]?.[state.query] ?? [])], altered: false}),
  carries,
  take: (cell, {key}) => (key === null ? {...cell, key} : cell), // opens no sum where none is open
  view,
  quantities,
});

/**
 * @param {State} wanted
 * @param {import('../lib/figure.js').Model} model
 * @returns {Promise<Record<string, any>>} tokens (T,); habits (L, H); pattern (L, H, T, T); vectors: q, k and v of each head, (T, Dh); all to seven
 *   decimals, as much as is true in float32; how many tokens did not fit
 */
async function compute({text}, model) {
  const {context, layers, heads, habits = []} = model.config;
  const {tokens, count} = await model.encode(String(text), context);
  const rest = {tokens, dropped: count - tokens.length, context, habits};
  const each = (/** @type {(l: number, h: number) => any} */ make) => range(layers).map((l) => range(heads).map((h) => make(l, h)));
  if (tokens.length === 0) return {...rest, pattern: each(() => []), vectors: each(() => ({q: [], k: [], v: []}))};
  const outputs = await model.run({tokens: tokens.map(({id}) => id)}, ['pattern', 'q', 'k', 'v']);
  const [pattern, q, k, v] = ['pattern', 'q', 'k', 'v'].map((name) => nested(outputs[name]));
  return {...rest, pattern, vectors: each((l, h) => ({q: q[l][h], k: k[l][h], v: v[l][h]}))};
}

/** @param {number} length */
function range(length) {
  return Array.from({length}, (_, index) => index);
}

/**
 * @param {Tensor} tensor
 * @returns {any} arrays in arrays, as many deep as the tensor has dimensions
 */
function nested({dims, data}) {
  let next = 0;
  const part = (/** @type {number} */ depth) => {
    if (depth === dims.length) return Math.round(data[next++] * 1e7) / 1e7;
    return Array.from({length: dims[depth]}, () => part(depth + 1));
  };
  return part(0);
}

/**
 * The vectors of all heads are ten times what the pattern is: only those of the head whose weight is explained travel with the page.
 * @param {Data} data
 * @param {State} state
 * @returns {Data}
 */
function carries(data, {layer, head, key}) {
  const kept = (/** @type {number} */ l, /** @type {number} */ h) => key !== null && l === layer - 1 && h === head - 1;
  return {...data, vectors: data.vectors.map((/** @type {any[]} */ heads, /** @type {number} */ l) => heads.map((each, h) => (kept(l, h) ? each : null)))};
}

/**
 * @param {State} wanted
 * @param {Record<string, any>} computed
 * @param {{strict: boolean}} how
 * @returns {State}
 */
function prepare(wanted, computed, {strict}) {
  const {tokens, pattern, dropped, context} = computed;
  const within = {layer: clamp(wanted.layer, pattern.length), head: clamp(wanted.head, pattern[0].length)};
  if (strict) {
    if (tokens.length === 0) throw new AuthorError('the text is empty', {option: 'text'});
    if (dropped > 0) throw new AuthorError(`the text makes ${tokens.length + dropped} tokens, and the model holds ${context}`, {option: 'text'});
    for (const [option, most] of [['layer', pattern.length], ['head', pattern[0].length]]) {
      if (wanted[option] > most) throw new AuthorError(`there is no ${option} ${wanted[option]}`, {option, hint: `the model has ${most}, counted from 1`});
    }
  }
  const query = tokenOf('query', wanted.query, tokens, strict) ?? Math.max(0, tokens.length - 1);
  const key = tokenOf('key', wanted.key, tokens, strict);
  if (strict && key !== null && key > query) throw new AuthorError('the token asked comes after the one that asks', {option: 'key'});
  return {text: wanted.text, ...within, query, key: key === null ? null : Math.min(key, query)};
}

/**
 * @param {any} number  from 1
 * @param {number} most
 */
function clamp(number, most) {
  return Math.min(most, Math.max(1, Math.round(Number(number)) || 1));
}

const NUMBER = /^\s*[+-]?\d+(\.\d+)?\s*$/;

/**
 * @param {string} option
 * @param {any} named
 * @param {import('../lib/figure.js').Token[]} tokens
 * @param {boolean} strict
 * @returns {number|null} an index from 0; null when none is named, or none that there is
 */
function tokenOf(option, named, tokens, strict) {
  if (named === undefined || named === null || named === '' || tokens.length === 0) return null;
  if (!strict && NUMBER.test(String(named))) return Math.min(tokens.length - 1, Math.max(0, Math.round(Number(named))));
  try {
    return findToken(tokens, named, option);
  } catch (error) {
    if (strict) throw error;
    return null;
  }
}

/**
 * @param {Data} data
 * @param {State} state
 * @param {(some: State) => void} act
 * @param {Life} life
 */
function view(data, state, act, life) {
  const [shown, place] = looked(data, state, life);
  const parts = told(shown, place);
  const free = released(state, life);
  const open = (/** @type {number} */ key) => act({layer: place.layer, head: place.head, query: place.query, key}); // of the row that is seen
  return html`<div class="viewer" ${keepFocus()} @keydown=${(/** @type {KeyboardEvent} */ event) => escape(event, state, act, free)}>
    ${sentence(shown, place.query, life.lit?.key ?? null, {choose: (query) => act({query}), release: () => act({query: free.query}), open})}
    <div class="viewer-words">
      <p class="viewer-readout">${parts.map((part) => (typeof part === 'string' ? part : why(part, open, life)))}</p>
      ${notes(/** @type {any} */ (data), /** @type {any} */ (state).query).map((note) => html`<p class="viewer-note">${note}</p>`)}
    </div>
    ${stamps(shown.pattern, place, act, () => act({layer: free.layer, head: free.head}))}
    <p class="viewer-note viewer-habit" data-longest=${longestHabit(shown)}><span>${habit(shown, place)}</span></p>
    ${typing(shown, place, act, life)}
    ${heads(shown, place, act)}
    ${drawer(shown, place, {act, open}, life)}
    ${trace(/** @type {any} */ (data), /** @type {any} */ (state), act, life)}
    <div class="viewer-foot">${statusLine(life)}${tools(life)}</div>
    <p class="visually-hidden" aria-live="polite" ${spoken(plain(parts))}></p>
  </div>`;
}

/**
 * Where a choice that is released goes back to: what the figure opened with; of another text, the last token.
 * @param {State} state
 * @param {Life} life
 * @returns {State}
 */
function released({text}, {printed}) {
  if (!printed) return {};
  return {layer: printed.layer, head: printed.head, query: printed.text === text ? printed.query : null};
}

/**
 * Escape closes what was opened last; then it releases token and head.
 * @param {KeyboardEvent} event
 * @param {State} state
 * @param {(some: State) => void} act
 * @param {State} free
 */
function escape(event, state, act, free) {
  if (event.key !== 'Escape' || event.defaultPrevented || event.target instanceof HTMLTextAreaElement) return;
  act(state.key === null ? free : {key: null});
}

/**
 * What is drawn: the reader's state, or, while a number of the text is pointed at, the place of that number.
 * @param {Data} data
 * @param {State} state
 * @param {Life} life
 * @returns {[any, any]}
 */
function looked(data, state, {lit}) {
  const row = lit && data.pattern[lit.layer - 1]?.[lit.head - 1]?.[lit.query];
  if (!lit || !row) return [data, state];
  return [{...data, row}, {...state, layer: lit.layer, head: lit.head, query: lit.query}];
}
