/** What the trace says of a row, and of what an edit has done to it. Pure but for what a directive remembers. */
import {Directive, directive} from 'lit/directive.js';
import {addends, written} from '../../lib/trace/rounding.js';

/** @typedef {import('../../lib/trace/weigh.js').Weighed} Weighed */

/**
 * The row in one sentence, with the numbers as the steps show them.
 * @param {Weighed} numbers
 * @param {string[]} names
 * @param {number} query
 */
export function describe(numbers, names, query) {
  const {weights, blend} = outcome(numbers, query);
  const gifts = weights.map((share, index) => (numbers.masked[index] ? '' : `${share} to ${index === query ? 'itself' : names[index]}`)).filter(Boolean);
  return `${names[query]} gives ${list(gifts)}, and walks away with ${blend}.`;
}

/** @typedef {{weights: string[], blend: string, query: number}} Outcome */

/**
 * What all steps come to, as it is shown.
 * @param {Weighed} numbers
 * @param {number} query
 * @returns {Outcome}
 */
export function outcome({weights, blend}, query) {
  const {parts} = addends(weights.map((weight) => weight * 100), 1);
  return {weights: parts.map((part) => `${part}%`), blend: `(${blend.map((number) => written(number)).join(', ')})`, query};
}

/** @param {string[]} items */
function list(items) {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

class Effect extends Directive {
  /** @type {{own: string, result: Outcome}|undefined} */ #before;
  #said = '';

  /**
   * @param {string} own  what can be changed here
   * @param {Outcome} result  what it comes to
   * @param {string} otherwise
   */
  render(own, result, otherwise) {
    const before = this.#before;
    this.#before = {own, result};
    if (before && before.own !== own && before.result.query === result.query) this.#said = effect(before.result, result);
    else if (!same(before?.result, result)) this.#said = '';
    return this.#said || otherwise;
  }
}

/**
 * `${told(own, result, otherwise)}`: what the last change made here has done to weights and blend; before there was one, or
 * once something else has changed them, the words `otherwise`.
 */
export const told = directive(Effect);

/**
 * @param {Outcome|undefined} a
 * @param {Outcome} b
 */
function same(a, b) {
  return a?.query === b.query && a.blend === b.blend && String(a.weights) === String(b.weights);
}

/**
 * @param {Outcome} before
 * @param {Outcome} after
 * @returns {string}
 */
export function effect(before, after) {
  const weights = String(before.weights) !== String(after.weights);
  const blend = before.blend !== after.blend;
  if (!weights && !blend) return 'As shown, neither the weights nor the blend have moved.';
  if (!weights) return `The weights stay as they were; the blend is now ${after.blend}.`;
  return `The weights are now ${list(after.weights)}; ${blend ? `with them the blend has moved, to ${after.blend}` : 'the blend stays as it was'}.`;
}
