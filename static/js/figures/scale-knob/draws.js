/**
 * The random numbers, all of mean 0 and variance 1: one long list of vectors for each seed. Whatever d_k is, the first d_k
 * numbers of the same vectors are used, so that turning the knob changes d_k and nothing else.
 */
import {randomLcg, randomNormal} from 'd3-random';

/** The greatest d_k: how many numbers are drawn for each vector. */
export const WIDEST = 512;

/** Pairs of vectors whose dot products are measured. Their standard deviation misses the true one by about 1 / √(2 · PAIRS), 2%. */
export const PAIRS = 1000;

export const MOST_KEYS = 32;

/** Pairs between two pauses: on a slow phone some 40 ms, so that the page goes on answering. */
const AT_ONCE = 100;

/**
 * @param {number} seed
 * @returns {() => number} the next normal number
 */
function source(seed) {
  const uniform = randomLcg(seed);
  for (let step = 0; step < 8; step += 1) uniform(); // the first numbers of neighbouring seeds are neighbours
  return randomNormal.source(uniform)(0, 1);
}

/**
 * The measured spread of the dot products of PAIRS pairs, each of the next two vectors, for every d_k.
 * @param {number} seed
 * @returns {Promise<number[]>} standard deviations, (WIDEST,), at index d_k − 1, to four decimals
 */
export async function spreads(seed) {
  const normal = source(seed);
  const query = new Float64Array(WIDEST);
  const sums = new Float64Array(WIDEST);
  const squares = new Float64Array(WIDEST);
  for (let pair = 0; pair < PAIRS; pair += 1) {
    if (pair % AT_ONCE === 0) await new Promise((go) => setTimeout(go));
    for (let index = 0; index < WIDEST; index += 1) query[index] = normal();
    let product = 0;
    for (let index = 0; index < WIDEST; index += 1) {
      product += query[index] * normal();
      sums[index] += product;
      squares[index] += product * product;
    }
  }
  return Array.from(sums, (sum, index) => Math.round(Math.sqrt(squares[index] / PAIRS - (sum / PAIRS) ** 2) * 1e4) / 1e4);
}

/** @typedef {{query: Float64Array, keys: Float64Array[]}} Row  query (WIDEST,), keys (MOST_KEYS, WIDEST) */

/** @type {Map<number, Row>} */
const drawn = new Map();

/**
 * The row that is shown: the first vector asks those after it.
 * @param {number} seed
 * @returns {Row} remembered, so that turning the knob draws nothing
 */
export function row(seed) {
  const known = drawn.get(seed);
  if (known) return known;
  const normal = source(seed);
  const vector = () => Float64Array.from({length: WIDEST}, normal);
  const found = {query: vector(), keys: Array.from({length: MOST_KEYS}, vector)};
  if (drawn.size >= 8) drawn.clear();
  drawn.set(seed, found);
  return found;
}
