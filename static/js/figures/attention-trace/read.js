/** From what is written in options to numbers, and from numbers to one row. Pure. */
import {multiply, weigh} from '../../lib/trace/weigh.js';
import {parse} from './matrix.js';

/** @typedef {import('../../lib/figure.js').State} State */
/** @typedef {import('../../lib/figure.js').Token} Token */

/**
 * All that does not depend on who asks. T tokens with vectors of d numbers; queries and keys have dk, values dv.
 * @typedef {{tokens: Token[], x: number[][], wq: number[][], wk: number[][], wv: number[][], queries: number[][], keys: number[][], values: number[][]}} Read
 */

/**
 * A text's words as tokens, the space before a word its own: as a tokenizer gives them.
 * @param {string} text
 * @returns {Token[]}
 */
export function words(text) {
  let end = 0;
  return text.split(/\s+/u).filter(Boolean).map((word, id) => {
    const token = id > 0 ? ` ${word}` : word;
    const start = end;
    end += token.length;
    return {id, text: token, start, end};
  });
}

/**
 * @param {State} state  prepared
 * @returns {Read}
 */
export function read({text, x, wq, wk, wv}) {
  const [vectors, toQuery, toKey, toValue] = [x, wq, wk, wv].map(parse);
  return {
    tokens: words(text),
    x: vectors, // (T, d)
    wq: toQuery, // (d, dk)
    wk: toKey, // (d, dk)
    wv: toValue, // (d, dv)
    queries: multiply(vectors, toQuery), // (T, d) @ (d, dk) -> (T, dk)
    keys: multiply(vectors, toKey), // (T, dk)
    values: multiply(vectors, toValue), // (T, dv)
  };
}

/**
 * @param {Pick<Read, 'queries'|'keys'|'values'>} read
 * @param {{query: number, causal: boolean}} who  `causal` masks all that comes after the asking token
 */
export function rowOf({queries, keys, values}, {query, causal}) {
  return weigh({q: queries[query], k: keys, v: values}, {masked: (index) => causal && index > query});
}
