/** What prose, claims and challenges may ask the knob: of any d_k, on either side of the divisor. */
import {AuthorError} from '../../lib/figure.js';
import {PAIRS, WIDEST} from './draws.js';
import {compare} from './rows.js';

/** @typedef {import('../../lib/figure.js').Quantity} Quantity */
/** @typedef {import('../../lib/figure.js').Data} Data */
/** @typedef {import('../../lib/figure.js').State} State */

const ASKED = ['dk', 'scaled'];

/**
 * @param {State} state
 * @param {Record<string, any>} keywords
 * @returns {{dk: number, scaled: boolean}} the figure's own d_k, undivided, but for what the keywords say
 */
function asked(state, {dk = state.dk, scaled = 0}) {
  if (!Number.isInteger(dk) || dk < 1 || dk > WIDEST) throw new AuthorError(`there is no d_k of ${dk}`, {option: 'dk', hint: `write a whole number from 1 to ${WIDEST}`});
  if (![0, 1].includes(Number(scaled))) throw new AuthorError(`scaled is 0 or 1, not ${scaled}`, {option: 'scaled', hint: 'write scaled=1 for the scores, dot products divided by √d_k'});
  return {dk, scaled: Number(scaled) === 1};
}

/**
 * A number of the row on one side.
 * @param {Quantity['unit']} unit
 * @param {string} help
 * @param {1|2} part  of the picture where it stands
 * @param {(side: import('./rows.js').Side) => number} of
 * @returns {Quantity}
 */
function ofSide(unit, help, part, of) {
  return {
    unit,
    help,
    keywords: ASKED,
    value(_data, state, _args, keywords) {
      const {dk, scaled} = asked(state, keywords);
      const {raw, scaled: divided} = compare({dk, seed: state.seed, keys: state.keys, nudge: 0});
      return {value: of(scaled ? divided : raw), cell: [dk, Number(scaled), part].join('.')};
    },
  };
}

/** @type {Record<string, Quantity>} */
export const quantities = {
  spread: {
    unit: 'number',
    help: 'The measured standard deviation of the dot products; with `scaled=1` of the scores, dot products divided by √d_k.',
    keywords: ASKED,
    value(data, state, _, keywords) {
      const {dk, scaled} = asked(state, keywords);
      return {value: data.spread[dk - 1] / (scaled ? Math.sqrt(dk) : 1), cell: [dk, Number(scaled), 0].join('.')};
    },
  },
  root: {
    unit: 'number',
    help: 'The divisor, √d_k.',
    keywords: ['dk'],
    value: (_data, state, _args, keywords) => ({value: Math.sqrt(asked(state, keywords).dk)}),
  },
  largest: ofSide('share', 'The greatest share in the row.', 1, ({weights}) => Math.max(...weights)),
  lead: ofSide('number', 'By how much the greatest dot product exceeds the next, or with `scaled=1` the greatest score; its share is e to that power times the next.', 1, ({lead}) => lead),
  slope: ofSide('number', 'The steepest slope in the row: how fast a share w moves when its key is nudged, w(1 − w), at most a quarter.', 2, ({slopes}) => Math.max(...slopes)),
  products: {
    unit: 'count',
    help: 'How many dot products the spread is measured on.',
    value: () => ({value: PAIRS}),
  },
  keys: {
    unit: 'count',
    help: 'How many keys the row has.',
    value: (_data, state) => ({value: state.keys}),
  },
};
