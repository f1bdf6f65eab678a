/**
 * Numbers as a worked example shows them: exact where few decimals say it all («0.5», «2»), else rounded to three («0.726»,
 * «0.000»); and sums whose rounded parts still add up to their rounded total. Pure.
 */
import {apportion} from '../shares.js';

/** Decimals that are shown. */
export const PLACES = 3;

/** As much of a last digit as arithmetic in binary may be off. */
const NOISE = 1e-6;

/**
 * @param {number} number
 * @param {number} [places]
 * @returns {string} with a true minus sign
 */
export function written(number, places = PLACES) {
  return spell(nearest(number, places), isExact(number, places), places);
}

/**
 * What stands before a number that was worked out.
 * @param {boolean} exact
 */
export function equals(exact) {
  return exact ? '=' : '≈';
}

/** As a factor: «(−2)». @param {string} text */
export function enclosed(text) {
  return text.startsWith('−') ? `(${text})` : text;
}

/**
 * As an addend: to add −2 is to subtract 2.
 * @param {string} text
 * @returns {[sign: string, text: string]}
 */
export function signed(text) {
  return text.startsWith('−') ? ['−', text.slice(1)] : ['+', text];
}

/**
 * @param {number} number
 * @param {number} [places]
 * @returns {boolean} whether so many decimals are all that it has
 */
export function isExact(number, places = PLACES) {
  const units = number * 10 ** places;
  return Math.abs(units - nearest(number, places)) <= noise(units);
}

/**
 * @typedef {object} Addends
 * @property {string[]} parts
 * @property {string} sum
 * @property {boolean[]} exact  which parts were not rounded at all
 * @property {number} shifted  how many parts are not the nearest, so that the sum holds
 */

/**
 * Numbers and their sum, rounded so that what is shown adds up: the sum is rounded first, and its last digits are shared out
 * among the parts. No part is off by a whole last digit, and an exact one stays as it is.
 * @param {number[]} numbers
 * @param {number} [places]
 * @returns {Addends}
 */
export function addends(numbers, places = PLACES) {
  const total = numbers.reduce((all, number) => all + number, 0);
  const units = numbers.map((number) => number * 10 ** places);
  const rounded = apportion(units, nearest(total, places), noise);
  const exact = numbers.map((number) => isExact(number, places));
  return {
    parts: rounded.map((unit, index) => spell(unit, exact[index], places)),
    sum: spell(nearest(total, places), isExact(total, places), places),
    exact,
    shifted: rounded.filter((unit, index) => unit !== nearest(numbers[index], places)).length,
  };
}

/**
 * Half a unit goes away from zero, as at school.
 * @param {number} number
 * @param {number} places
 * @returns {number} an integer of last digits
 */
function nearest(number, places) {
  const units = Math.abs(number) * 10 ** places;
  return Math.sign(number) * Math.floor(units + 0.5 + noise(units));
}

/** @param {number} units  of last digits */
function noise(units) {
  return Math.max(NOISE, Math.abs(units) * 1e-14);
}

/**
 * @param {number} units  an integer of last digits
 * @param {boolean} exact  no empty zeros then
 * @param {number} places
 */
function spell(units, exact, places) {
  const fixed = (Math.abs(units) / 10 ** places).toFixed(places);
  const text = exact && places > 0 ? fixed.replace(/\.?0+$/, '') : fixed;
  return units < 0 ? `−${text}` : text;
}
