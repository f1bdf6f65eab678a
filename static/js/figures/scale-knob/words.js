/** What the knob says: the row as a few sentences with its numbers in them. Pure. */
import {greatest} from '../../lib/shares.js';
import {percent} from '../../lib/words.js';
import {NUDGE} from './rows.js';

/** @typedef {import('./rows.js').Side} Side */
/** @typedef {import('./rows.js').Compared} Compared */
/** @typedef {import('./rows.js').Place} Place */

/**
 * A number for people, as prose prints it: three digits that count, no empty zeros.
 * @param {number} number
 * @returns {string} «7.96», «0.012», «1,150», «2.5 × 10⁻⁹», «3 × 10¹²»
 */
export function plain(number) {
  const size = Math.abs(number);
  if (size === 0) return '0';
  const sign = number < 0 ? '−' : '';
  if (size < 1e-6 || size >= 1e6) {
    const [mantissa, power] = size.toExponential(1).split('e');
    return `${sign}${mantissa.replace('.0', '')} × 10${raised(Number(power))}`;
  }
  return sign + size.toLocaleString('en', {maximumSignificantDigits: Math.max(3, Math.floor(Math.log10(size)) + 1)});
}

/** @param {number} power */
function raised(power) {
  return String(power).replace(/./g, (sign) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(sign)]);
}

/**
 * How many times the next share the greatest is, to two digits: e to the power of its lead, as that is printed, so
 * that whoever asks a calculator gets the same.
 * @param {number} lead
 */
export function factor(lead) {
  const printed = Number(lead.toPrecision(3));
  return plain(Number(Math.exp(printed).toPrecision(2)));
}

/**
 * @param {{spread: number[]} & Compared} data
 * @param {Place} state
 * @returns {string}
 */
export function describe({spread, raw, scaled}, {dk, nudge}) {
  const root = plain(Math.sqrt(dk));
  const key = `key ${greatest(raw.weights) + 1}`;
  const numbers = `With ${dk === 1 ? 'one number' : `${dk} numbers`} in each query and key, dot products spread by ${plain(spread[dk - 1])}, and √${dk} is ${root}.`;
  const moves = nudge === 0 ? '' : ` ${moved(raw, scaled, nudge)}`;
  if (dk === 1) return `${numbers} To divide by 1 changes nothing: ${key} gets ${percent(Math.max(...raw.weights))} of the budget either way.${moves}`;
  const undivided = `Undivided, the best leads the next by ${plain(raw.lead)}, and softmax makes of that lead a factor of about ${factor(raw.lead)}: ${key} gets ${percent(Math.max(...raw.weights))} of the budget.`;
  const divided = `Divided by ${root}, as scores, the lead is ${plain(scaled.lead)} and the factor about ${factor(scaled.lead)}: ${key} gets ${percent(Math.max(...scaled.weights))}.`;
  return `${numbers} ${undivided} ${divided}${moves}`;
}

/**
 * @param {Side} raw
 * @param {Side} scaled
 * @param {number} nudge
 */
function moved(raw, scaled, nudge) {
  const way = (/** @type {Side} */ {weights, moved}) => {
    const [before, after] = [weights, moved ?? weights].map((all) => percent(all[nudge - 1]));
    return before === after ? `stays at ${after}` : `goes from ${before} to ${after}`;
  };
  return `Nudged up by ${NUDGE}, key ${nudge} ${way(raw)} undivided, and ${way(scaled)} divided.`;
}
