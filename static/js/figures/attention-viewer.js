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
import {stamps} from './attention-viewer/matrices.js';
import {drawer, typing} from './attention-viewer/panels.js';
import {quantities} from './attention-viewer/quantities.js';
import {sentence} from './attention-viewer/sentence.js';
import {describe, notes} from './attention-viewer/words.js';

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
  },
  computes: ['text'],
  compares: ['pattern'],
  cell: ['layer', 'head', 'query', 'key'],
  compute,
  prepare,
  derive: (state, computed) => ({...computed, row: [...(computed.pattern[state.layer - 1]?.[state.head - 1]?.[state.query] ?? [])], altered: false}),
  view,
  quantities,
});

/**
 * @param {State} wanted
 * @param {import('../lib/figure.js').Model} model
 * @returns {Promise<Record<string, any>>} tokens (T,); pattern (L, H, T, T), to seven digits; how many tokens did not fit
 */
async function compute({text}, model) {
  const {context, layers, heads} = model.config;
  const {tokens, count} = await model.encode(String(text), context);
  const rest = {tokens, dropped: count - tokens.length, context};
  if (tokens.length === 0) return {...rest, pattern: Array.from({length: layers}, () => Array.from({length: heads}, () => []))};
  const {pattern} = await model.run({tokens: tokens.map(({id}) => id)}, ['pattern']);
  return {...rest, pattern: nested(pattern)};
}

/**
 * @param {Tensor} tensor  (L, H, T, T)
 * @returns {number[][][][]} to seven digits, as much as is true in float32
 */
function nested({dims: [layers, heads, size], data}) {
  let next = 0;
  const row = () => Array.from({length: size}, () => Math.round(data[next++] * 1e7) / 1e7);
  return Array.from({length: layers}, () => Array.from({length: heads}, () => Array.from({length: size}, row)));
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
  return {text: wanted.text, ...within, query: queryOf(wanted.query, tokens, strict)};
}

/**
 * @param {any} number  from 1
 * @param {number} most
 */
function clamp(number, most) {
  return Math.min(most, Math.max(1, Math.round(Number(number)) || 1));
}

/**
 * @param {any} query
 * @param {import('../lib/figure.js').Token[]} tokens
 * @param {boolean} strict
 * @returns {number} an index from 0, also where there are no tokens
 */
function queryOf(query, tokens, strict) {
  const last = Math.max(0, tokens.length - 1);
  if (query === undefined || query === null || query === '') return last;
  if (!strict && Number.isFinite(Number(query))) return Math.min(last, Math.max(0, Math.round(Number(query))));
  try {
    return findToken(tokens, query, 'query');
  } catch (error) {
    if (strict) throw error;
    return last;
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
  const told = describe(shown, place);
  return html`<div class="viewer" ${keepFocus()}>
    ${sentence(shown, place.query, life.lit?.key ?? null, (query) => act({query}))}
    <div class="viewer-words">
      <p class="viewer-readout">${told}</p>
      ${notes(shown).map((note) => html`<p class="viewer-note">${note}</p>`)}
    </div>
    ${stamps(shown.pattern, place, act)}
    ${typing(shown, place, act, life)}
    ${drawer(shown, place)}
    ${statusLine(life)}
    <p class="visually-hidden" aria-live="polite" ${spoken(told)}></p>
  </div>`;
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
