/**
 * From a weight to what is drawn and printed for it. Pure, and finite for every input: 0, 1, equal weights, and what is no
 * number at all (drawn as 0).
 */
import {apportion} from './shares.js';

/** Steps of the colour ramp above 0; the style sheet has a class for each of 0 … LEVELS. */
export const LEVELS = 10;

/** Pixels of the bar under a token: enough at the least to be seen, and at the most to leave the next line alone. */
const THIN = 1;
export const THICK = 10;

/** Below half a per cent, what would print as 0%, nothing is drawn. */
const SEEN = 0.005;

/**
 * @param {number} weight
 * @returns {number} the weight held between 0 and 1
 */
export function clampWeight(weight) {
  return weight > 0 ? Math.min(1, weight) : 0; // NaN > 0 is false
}

/**
 * @param {number} weight
 * @returns {number} step of the ramp, an integer from 0 (nothing) to LEVELS; every weight that is seen has at least 1
 */
export function level(weight) {
  const share = clampWeight(weight);
  return share < SEEN ? 0 : Math.max(1, Math.round(share * LEVELS));
}

/**
 * @param {number} weight
 * @returns {number} thickness in px of the bar under a token, linear in the weight; 0 for what is not seen
 */
export function thickness(weight) {
  const share = clampWeight(weight);
  return share < SEEN ? 0 : THIN + (THICK - THIN) * share;
}

/**
 * Whole per cents of a row that add up to 100.
 * @param {number[]} weights  a row; need not be normalised
 * @param {number} [digits]  decimals of a per cent, 0 by default
 * @returns {number[]} as many numbers, 100 in sum; all 0 for a row without weight
 */
export function percentages(weights, digits = 0) {
  const units = 10 ** digits;
  const shares = weights.map((weight) => (Number.isFinite(weight) ? Math.max(0, weight) : 0));
  const sum = shares.reduce((total, share) => total + share, 0);
  if (sum === 0) return shares;
  return apportion(shares.map((share) => (share / sum) * 100 * units), 100 * units).map((part) => part / units);
}
