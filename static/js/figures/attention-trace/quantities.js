/** What prose, claims and challenges may ask the trace. */
import {AuthorError} from '../../lib/figure.js';
import {findToken} from '../../lib/find-token.js';
import {rowOf} from './read.js';

/** @typedef {import('../../lib/figure.js').Quantity} Quantity */
/** @typedef {import('../../lib/figure.js').Data} Data */
/** @typedef {import('../../lib/figure.js').State} State */
/** @typedef {import('../../lib/trace/weigh.js').Weighed} Weighed */

const MASK = ['causal'];

/**
 * @param {Data} data
 * @param {State} state
 * @param {any} query
 * @param {{causal?: any}} keywords
 */
function asked(data, state, query, {causal = state.causal}) {
  if (typeof causal !== 'boolean') throw new AuthorError(`causal is True or False, not ${causal}`);
  const index = findToken(data.tokens, query);
  return {index, row: rowOf(/** @type {any} */ (data), {query: index, causal})};
}

/**
 * A number of one pair.
 * @param {Quantity['unit']} unit
 * @param {string} help
 * @param {(row: Weighed) => number[]} of
 * @param {string[]} [keywords]
 * @returns {Quantity}
 */
function pair(unit, help, of, keywords = []) {
  return {
    unit,
    help,
    parameters: ['query', 'key'],
    keywords,
    value(data, state, [query, key], named) {
      const {index, row} = asked(data, state, query, named);
      const other = findToken(data.tokens, key);
      return {value: of(row)[other], cell: `${index}.${other}`};
    },
  };
}

/**
 * A number of one token's vector.
 * @param {string} help
 * @param {'queries'|'keys'|'values'} what
 * @returns {Quantity}
 */
function vector(help, what) {
  return {
    unit: 'number',
    help,
    parameters: ['token', 'dimension'],
    value: (data, _state, [token, dimension]) => ({value: at(data[what][findToken(data.tokens, token)], dimension)}),
  };
}

/**
 * @param {number[]} numbers
 * @param {any} dimension  from 1
 */
function at(numbers, dimension) {
  const number = numbers[dimension - 1];
  if (number === undefined) throw new AuthorError(`there is no number ${dimension}`, {hint: `the vector has ${numbers.length}, counted from 1`});
  return number;
}

/** @type {Record<string, Quantity>} */
export const quantities = {
  dot: pair('number', 'The dot product of the query of `query` with the key of `key`, before the divisor.', (row) => row.dots),
  score: pair('number', 'The same divided by √d_k, before the mask.', (row) => row.scores),
  exponential: pair('number', 'e to the score, as shown: of large scores the greatest is taken away first; 0 where masked.', (row) => row.exps, MASK),
  weight: pair('share', 'What `query` gives to `key`: a share of its budget of 1.', (row) => row.weights, MASK),
  total: {
    unit: 'number',
    help: 'The sum of the exponentials in the row of `query`.',
    parameters: ['query'],
    keywords: MASK,
    value: (data, state, [query], named) => ({value: asked(data, state, query, named).row.total}),
  },
  blend: {
    unit: 'number',
    help: 'A number, counted from 1, of what `query` takes away: the values, scaled by their weights and added up.',
    parameters: ['query', 'dimension'],
    keywords: MASK,
    value: (data, state, [query, dimension], named) => ({value: at(asked(data, state, query, named).row.blend, dimension)}),
  },
  query: vector('A number, counted from 1, of a token’s query.', 'queries'),
  key: vector('A number, counted from 1, of a token’s key.', 'keys'),
  value: vector('A number, counted from 1, of a token’s value.', 'values'),
  size: {
    unit: 'count',
    help: 'd_k, how many numbers a query has.',
    value: (data) => ({value: data.queries[0].length}),
  },
};
