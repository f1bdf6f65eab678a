/**
 * The three steps of one query's attention as a worked example, from the numbers that `weigh` found: match, budget, blend.
 * Vectors of a few numbers stand in rows, as on paper, all tokens at once; wide ones stand in columns, for the picked pair.
 */
import {html} from 'lit';
import {blend, blendWide} from './blend.js';
import {budget} from './budget.js';
import {match, matchWide} from './match.js';
import {addends} from './rounding.js';

/** @typedef {import('./weigh.js').Weighed} Weighed */
/** @typedef {import('./tables.js').Scene} Scene */

/** As many numbers of a vector fit beside each other on a phone. */
const NARROW = 6;

/**
 * @param {Weighed} numbers
 * @param {object} how
 * @param {string[]} how.names  (S,) in a sentence
 * @param {import('../words.js').Face[]} how.faces  (S,) in the head of a table
 * @param {number} how.query  the index of the token that asks
 * @param {number} how.key  the index of the asked token that is spelled out
 * @param {boolean} [how.wide]  a row for each number of a vector, and only the picked pair; default: by the width of q
 * @param {boolean} [how.picked]  whether the reader has picked that one
 * @param {(key: number) => void} how.choose
 * @param {() => void} [how.release]  lets go of the picked one
 * @param {number} [how.dimension]  the number of the blend that is spelled out, from 0
 * @param {(dimension: number) => void} [how.chooseDimension]
 * @param {string|null} [how.view]  see `Scene`
 * @param {number|null} [how.lit]
 * @param {unknown} [how.switches]  what can be switched before the budget
 */
export function steps(numbers, {wide = numbers.q.length > NARROW, switches, ...how}) {
  /** @type {Scene} */
  const scene = {picked: true, release: null, dimension: 0, chooseDimension: null, view: null, lit: null, ...how};
  const weights = addends(numbers.weights.map((weight) => weight * 100), 1);
  return html`<ol class="trace-steps" role="list">
    <li>${wide ? matchWide(numbers, scene) : match(numbers, scene)}</li>
    <li>${budget(numbers, weights, scene, switches)}</li>
    <li>${wide ? blendWide(numbers, weights, scene) : blend(numbers, weights, scene)}</li>
  </ol>`;
}
