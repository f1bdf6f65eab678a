/** What prose, claims and challenges may ask the viewer. */
import {spell} from '../../lib/cells.js';
import {AuthorError} from '../../lib/figure.js';
import {findToken} from '../../lib/find-token.js';
import {entropy, greatest} from '../../lib/shares.js';

/** @typedef {import('../../lib/figure.js').Quantity} Quantity */
/** @typedef {import('../../lib/figure.js').Data} Data */
/** @typedef {import('../../lib/figure.js').State} State */

const HEAD = ['layer', 'head'];

/**
 * The head that is asked about: the shown one, but for what the keywords say.
 * @param {Data} data
 * @param {State} state
 * @param {{layer?: any, head?: any}} keywords  from 1
 * @returns {{layer: number, head: number, matrix: number[][]}}
 */
function headOf(data, state, keywords) {
  const {layer = state.layer, head = state.head} = keywords;
  const matrix = data.pattern[layer - 1]?.[head - 1];
  if (matrix) return {layer, head, matrix};
  throw new AuthorError(`there is no layer ${layer}, head ${head}`, {hint: `the model has ${data.pattern.length} layers of ${data.pattern[0].length} heads, counted from 1`});
}

/**
 * @param {Data} data
 * @param {State} state
 * @param {any} query
 * @param {Record<string, any>} keywords
 */
function rowOf(data, state, query, keywords) {
  const {layer, head, matrix} = headOf(data, state, keywords);
  const index = findToken(data.tokens, query);
  const row = matrix[index].slice(0, index + 1);
  return {row, cell: (/** @type {number} */ key) => [layer, head, index, key].join('.')};
}

/** @type {Record<string, Quantity>} */
export const quantities = {
  weight: {
    unit: 'share',
    help: 'What `query` gives to `key`: a share of its budget of 1.',
    parameters: ['query', 'key'],
    keywords: HEAD,
    value(data, state, [query, key], keywords) {
      const {row, cell} = rowOf(data, state, query, keywords);
      const index = findToken(data.tokens, key);
      return {value: row[index] ?? 0, cell: cell(index)}; // a later token gets exactly 0
    },
  },
  top: {
    unit: 'text',
    help: 'The token to which `query` gives most, without outer spaces.',
    parameters: ['query'],
    keywords: HEAD,
    value(data, state, [query], keywords) {
      const {row, cell} = rowOf(data, state, query, keywords);
      const index = greatest(row);
      return {value: data.tokens[index].text.trim() || data.tokens[index].text, cell: cell(index)};
    },
  },
  largest: {
    unit: 'share',
    help: 'The greatest weight in the row of `query`.',
    parameters: ['query'],
    keywords: HEAD,
    value(data, state, [query], keywords) {
      const {row, cell} = rowOf(data, state, query, keywords);
      const index = greatest(row);
      return {value: row[index], cell: cell(index)};
    },
  },
  entropy: {
    unit: 'bits',
    help: 'How spread out the row of `query` is: 0 when all goes to one token, log2 of n when n tokens get the same.',
    parameters: ['query'],
    keywords: HEAD,
    value(data, state, [query], keywords) {
      const {row} = rowOf(data, state, query, keywords);
      return {value: entropy(row)};
    },
  },
  back: {
    unit: 'share',
    help: 'What tokens give on average to the token exactly `steps` before them (0: to themselves).',
    parameters: ['steps'],
    keywords: HEAD,
    value(data, state, [steps], keywords) {
      const {matrix} = headOf(data, state, keywords);
      const asking = matrix.slice(steps);
      if (!Number.isInteger(steps) || steps < 0 || asking.length === 0) {
        throw new AuthorError(`no token has another ${steps} steps before it`, {hint: `write a whole number from 0 to ${matrix.length - 1}`});
      }
      return {value: asking.reduce((sum, row, index) => sum + row[index], 0) / asking.length};
    },
  },
  layers: {
    unit: 'count',
    help: 'How many layers the model has.',
    value: (data) => ({value: data.pattern.length}),
  },
  heads: {
    unit: 'count',
    help: 'How many heads each layer has.',
    value: (data) => ({value: data.pattern[0].length}),
  },
  tokens: {
    unit: 'count',
    help: 'How many tokens the text has.',
    value: (data) => ({value: data.tokens.length}),
  },
  pieces: {
    unit: 'count',
    help: 'Of how many tokens `word` is made, where it stands first in the text.',
    parameters: ['word'],
    value(data, _state, [word]) {
      const start = spell(data.tokens).indexOf(String(word));
      if (start < 0 || word === '') throw new AuthorError(`the text does not contain «${word}»`);
      const end = start + String(word).length;
      return {value: data.tokens.filter((/** @type {any} */ token) => token.start < end && token.end > start).length};
    },
  },
};
