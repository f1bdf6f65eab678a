/** One query asks the same keys twice: by dot products as they come, and by scores, which are divided by √d_k. Pure. */
import {softmax} from '../../lib/shares.js';
import {WIDEST, row} from './draws.js';

/**
 * @typedef {object} Side
 * @property {number[]} scores  what softmax is given, on the raw side the dot products themselves, (K,)
 * @property {number[]} weights  what it makes of them, (K,)
 * @property {number[]} slopes  how fast each weight moves with its own number, w(1 − w), (K,): at most a quarter
 * @property {number} lead  of the greatest of them over the next
 * @property {number[]|null} moved  the weights after the nudge, (K,); null when nothing is nudged
 */

/** @typedef {{dk: number, seed: number, keys: number, nudge: number}} Place  nudge from 1, 0 for none */
/** @typedef {{raw: Side, scaled: Side, limit: number}} Compared  limit: none of them exceeds it at any d_k, nudged or not; a multiple of ten */

/** How far a key is nudged up, the same on both sides. */
export const NUDGE = 1;

/**
 * @param {Place} state
 * @returns {Compared}
 */
export function compare({dk, seed, keys, nudge}) {
  const {query, keys: all} = row(seed);
  const asked = all.slice(0, keys);
  const scores = asked.map((key) => dot(query, key, dk)); // (K,)
  const root = Math.sqrt(dk);
  return {raw: side(scores, nudge - 1), scaled: side(scores.map((score) => score / root), nudge - 1), limit: limitOf(query, asked)};
}

/**
 * @param {number[]} scores
 * @param {number} nudged  index; −1 for none
 * @returns {Side}
 */
export function side(scores, nudged) {
  const weights = softmax(scores).shares;
  const [first, second] = [...scores].sort((a, b) => b - a);
  const moved = nudged < 0 ? null : softmax(scores.map((score, index) => (index === nudged ? score + NUDGE : score))).shares;
  return {scores, weights, slopes: slopes(weights), lead: first - second, moved};
}

/**
 * @param {Float64Array} a
 * @param {Float64Array} b
 * @param {number} dk  how many of their numbers count
 */
function dot(a, b, dk) {
  let sum = 0;
  for (let index = 0; index < dk; index += 1) sum += a[index] * b[index];
  return sum;
}

/** What the others have is added up, not taken from 1: beside a weight of almost 1 the difference would be lost. @param {number[]} weights */
function slopes(weights) {
  return weights.map((weight, index) => weight * weights.reduce((sum, other, place) => (place === index ? sum : sum + other), 0));
}

/** @type {WeakMap<Float64Array, Map<number, number>>} */
const limits = new WeakMap();

/**
 * The end of their axis: the same for every d_k, so that one sees them grow.
 * @param {Float64Array} query
 * @param {Float64Array[]} keys
 */
function limitOf(query, keys) {
  const known = limits.get(query) ?? new Map();
  limits.set(query, known);
  if (!known.has(keys.length)) known.set(keys.length, Math.ceil(Math.max(...keys.map((key) => reach(query, key))) / 10) * 10);
  return known.get(keys.length);
}

/**
 * @param {Float64Array} a
 * @param {Float64Array} b
 * @returns {number} how far from 0 their dot product comes at any d_k, nudged or not
 */
function reach(a, b) {
  let [most, sum] = [0, 0];
  for (let index = 0; index < WIDEST; index += 1) {
    sum += a[index] * b[index];
    most = Math.max(most, sum + NUDGE, -sum);
  }
  return most;
}
