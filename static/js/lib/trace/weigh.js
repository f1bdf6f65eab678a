/**
 * One query's attention, every number of it: match, budget, blend. Pure, and finite for all finite numbers.
 *
 *     Attention(Q, K, V) = softmax(Q Kᵀ / √d_k + M) V, for one row of Q
 */
import {softmax} from '../shares.js';

/**
 * @typedef {object} Weighed
 * @property {number[]} q  (d,) as given
 * @property {number[][]} k  (S, d) as given
 * @property {number[][]} v  (S, dv) as given
 * @property {boolean[]} masked  (S,) which tokens may not be asked
 * @property {number[][]} products  (S, d) q_i · k_i
 * @property {number[]} dots  (S,) their sums
 * @property {number} divisor  √d
 * @property {number[]} scores  (S,) after the divisor, before the mask
 * @property {number} shift  what is taken from every score before exp; 0 where that is not needed
 * @property {number[]} exps  (S,) e^(score − shift); 0 for what is masked
 * @property {number} total  of exps
 * @property {number[]} weights  (S,) add up to 1
 * @property {number[][]} weighted  (S, dv) value times weight
 * @property {number[]} blend  (dv,) their sum
 */

/** Scores up to here are taken as they are: e⁵ is 148, a number that people can still read. */
const PLAIN = 5;

/**
 * @param {{q: number[], k: number[][], v: number[][]}} vectors  (d,), (S, d), (S, dv); at least one token
 * @param {{masked?: (index: number) => boolean}} [how]  at least one token must be left unmasked
 * @returns {Weighed}
 */
export function weigh({q, k, v}, {masked: hidden = () => false} = {}) {
  const masked = k.map((_, index) => hidden(index));
  const products = k.map((key) => key.map((number, i) => plain(number * q[i]))); // (S, d)
  const dots = products.map(sum); // (S,)
  const divisor = Math.sqrt(q.length);
  const scores = dots.map((dot) => dot / divisor); // (S,)
  const reached = scores.map((score, index) => (masked[index] ? -Infinity : score)); // (S,)
  const most = Math.max(...reached);
  const shift = Math.abs(most) > PLAIN ? most : 0;
  const {exps, total, shares: weights} = softmax(reached, shift);
  const weighted = v.map((value, index) => value.map((number) => plain(number * weights[index]))); // (S, dv)
  const blend = columns(weighted).map(sum); // (dv,)
  return {q, k, v, masked, products, dots, divisor, scores, shift, exps, total, weights, weighted, blend};
}

/**
 * @param {number[][]} left  (n, m)
 * @param {number[][]} right  (m, p)
 * @returns {number[][]} (n, p)
 */
export function multiply(left, right) {
  const across = columns(right);
  return left.map((row) => across.map((column) => sum(row.map((number, i) => plain(number * column[i])))));
}

/** @param {number[][]} rows */
export function columns(rows) {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
}

/** @param {number[]} numbers */
export function sum(numbers) {
  return numbers.reduce((all, number) => all + number, 0);
}

/** Never −0: 0 × −2 is 0. @param {number} number */
function plain(number) {
  return number + 0;
}
