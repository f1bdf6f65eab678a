/** What an author may write, and a legal state out of anybody's wishes. */
import {AuthorError} from '../../lib/figure.js';
import {findToken} from '../../lib/find-token.js';
import {BOUND, bounded, entries, format, number} from './matrix.js';
import {words} from './read.js';

/** @typedef {import('../../lib/figure.js').State} State */
/** @typedef {import('../../lib/figure.js').Option} Option */
/** @typedef {import('../../lib/figure.js').Token} Token */

/** As many as can be followed by eye, and stand beside each other on a phone. */
const MOST_WORDS = 8;
const MOST_NUMBERS = 6;

const SPELLING = 'numbers between spaces, rows between semicolons, like 1 0; 0 1';

/** @type {Record<string, Option>} */
export const options = {
  text: {type: 'string', required: true, help: `The words, at most ${MOST_WORDS}, split at spaces: each is a token.`},
  x: {type: 'string', required: true, help: `The vectors, a row for each word, at most ${MOST_NUMBERS} numbers each: ${SPELLING}.`},
  wq: {type: 'string', required: true, help: 'W_Q, which makes the query: a row for each number of a vector.'},
  wk: {type: 'string', required: true, help: 'W_K, which makes the keys: as large as W_Q.'},
  wv: {type: 'string', required: true, help: 'W_V, which makes the values: a row for each number of a vector.'},
  query: {
    type: 'string',
    follows: 'text',
    help: 'The token that asks at first: a word, `cat#2` for the second of that word, or an index from 0; the last if left out.',
  },
  key: {
    type: 'string',
    follows: 'text',
    default: '',
    help: 'The asked token whose arithmetic is spelled out at first, written as `query` is; the one that gets most if left out.',
  },
  dimension: {type: 'integer', min: 1, max: MOST_NUMBERS, default: 1, help: 'Which number of a vector is spelled out at first, counted from 1.'},
  causal: {type: 'boolean', default: false, help: 'Whether the causal mask is on at first: no token asks a later one.'},
};

/**
 * @param {State} wanted
 * @param {Record<string, any>} computed  with what the author gave
 * @param {{strict: boolean}} how
 * @returns {State} matrices that fit the words and each other
 */
export function prepare(wanted, {given}, {strict}) {
  if (strict) check(wanted);
  const text = words(String(wanted.text)).length > 0 ? String(wanted.text) : given.text;
  const tokens = words(text).slice(0, MOST_WORDS);
  const known = (/** @type {string} */ name) => matrix(wanted[name]) ?? matrix(given[name]) ?? [[0]];
  const [x, wq, wk, wv] = ['x', 'wq', 'wk', 'wv'].map(known);
  const wide = x[0].length;
  const inner = wq[0].length;
  return {
    text: tokens.map((token) => token.text).join(''),
    x: format(fit(x, tokens.length, wide)),
    wq: format(fit(wq, wide, inner)),
    wk: format(fit(wk, wide, inner)),
    wv: format(fit(wv, wide, wv[0].length)),
    query: tokenOf('query', wanted.query, tokens, strict) ?? tokens.length - 1,
    key: tokenOf('key', wanted.key, tokens, strict) ?? '',
    dimension: Math.min(Math.max(inner, wv[0].length), Math.max(1, Math.round(Number(wanted.dimension)) || 1)),
    causal: wanted.causal === true,
  };
}

/**
 * @param {unknown} wish
 * @returns {number[][]|null} null for what is no matrix, or too large
 */
function matrix(wish) {
  const rows = entries(String(wish)).map((row) => row.map(number));
  const wide = rows[0].length;
  const legal = wide >= 1 && wide <= MOST_NUMBERS && rows.length <= MOST_WORDS && rows.every((row) => row.length === wide && !row.some(Number.isNaN));
  return legal ? rows.map((row) => row.map(bounded)) : null;
}

/**
 * @param {number[][]} rows
 * @param {number} height
 * @param {number} width
 * @returns {number[][]} cut, or filled up with 0
 */
function fit(rows, height, width) {
  return Array.from({length: height}, (_, r) => Array.from({length: width}, (_, c) => rows[r]?.[c] ?? 0));
}

/**
 * @param {'query'|'key'} option
 * @param {any} wish
 * @param {Token[]} tokens
 * @param {boolean} strict
 * @returns {number|null} null when none is wished, or none that is there
 */
function tokenOf(option, wish, tokens, strict) {
  if (wish === undefined || wish === null || wish === '') return null;
  try {
    return findToken(tokens, wish, option);
  } catch (error) {
    if (strict) throw error;
    return null;
  }
}

/**
 * Tells an author what does not fit, with option, row and what to do.
 * @param {State} wanted
 * @throws {AuthorError}
 */
function check({text, x, wq, wk, wv}) {
  const tokens = words(String(text));
  if (tokens.length === 0) throw new AuthorError('the text is empty', {option: 'text'});
  if (tokens.length > MOST_WORDS) {
    throw new AuthorError(`the text has ${tokens.length} words, and a trace shows at most ${MOST_WORDS}`, {option: 'text', hint: 'write a shorter one'});
  }
  const vectors = size('x', x, {rows: tokens.length, why: `the text has ${plural(tokens.length, 'word')}`, hint: `write a row for each word: ${tokens.map((token) => token.text.trim()).join(', ')}`});
  const why = `the vectors in x have ${plural(vectors, 'number')}`;
  const hint = `write ${plural(vectors, 'row')}, one for each number of a vector`;
  const inner = size('wq', wq, {rows: vectors, why, hint});
  const keys = size('wk', wk, {rows: vectors, why, hint});
  if (keys !== inner) {
    throw new AuthorError(`wk makes keys of ${plural(keys, 'number')}, and wq makes queries of ${inner}`, {option: 'wk', hint: 'give both as many columns: a query is multiplied with a key, number by number'});
  }
  size('wv', wv, {rows: vectors, why, hint});
}

/**
 * @param {string} option
 * @param {unknown} wish
 * @param {{rows: number, why: string, hint: string}} wanted
 * @returns {number} how many columns the matrix has
 */
function size(option, wish, {rows: height, why, hint}) {
  const rows = entries(String(wish));
  rows.forEach((row, index) => checkRow(row, {option, place: `row ${index + 1} of ${option}`, width: rows[0].length}));
  if (rows.length !== height) throw new AuthorError(`${option} has ${plural(rows.length, 'row')}, and ${why}`, {option, hint});
  return rows[0].length;
}

/**
 * @param {string[]} row
 * @param {{option: string, place: string, width: number}} where  width: of the first row
 */
function checkRow(row, {option, place, width}) {
  if (row.length === 0) throw new AuthorError(`${place} is empty`, {option, hint: `write ${SPELLING}`});
  for (const entry of row) {
    if (Number.isNaN(number(entry))) throw new AuthorError(`'${entry}' in ${place} is not a number`, {option, hint: `write ${SPELLING}`});
    if (Math.abs(number(entry)) > BOUND) throw new AuthorError(`${entry} in ${place} is out of bounds`, {option, hint: `numbers go from −${BOUND} to ${BOUND}, so that all sums can be read`});
    if (bounded(number(entry)) !== number(entry)) throw new AuthorError(`${entry} in ${place} has more than three decimals`, {option, hint: `write ${bounded(number(entry))}: what is shown must be what is reckoned with`});
  }
  if (row.length !== width) throw new AuthorError(`${place} has ${plural(row.length, 'number')}, and row 1 has ${width}`, {option, hint: 'give every row as many numbers'});
  if (width > MOST_NUMBERS) throw new AuthorError(`${place} has ${width} numbers, and a trace shows at most ${MOST_NUMBERS}`, {option, hint: 'use shorter vectors'});
}

/**
 * @param {number} count
 * @param {string} noun
 */
function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
