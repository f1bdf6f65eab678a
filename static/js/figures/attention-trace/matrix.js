/** Matrices as an author writes them: numbers between spaces (or commas), rows between semicolons. `1 0; 0.5 −2`. Pure. */

/** An entry may not be greater, nor less than the negative: then all sums stay short enough to read. */
export const BOUND = 9;

/** Decimals that an entry keeps. */
const PLACES = 3;

/**
 * @param {string} text
 * @returns {string[][]} entries still as they are written
 */
export function entries(text) {
  return text.trim().replace(/;\s*$/, '').split(';').map((row) => row.trim().split(/[\s,]+/u).filter((entry) => entry !== ''));
}

/**
 * @param {string} entry
 * @returns {number} NaN for what is no number; a true minus sign is one too, and a comma in it is a decimal one
 */
export function number(entry) {
  const plain = entry.trim().replace(/[−–]/g, '-').replace(',', '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

/**
 * Whether it may still become a number: «−», «.», «1e».
 * @param {string} entry
 */
export function isBegun(entry) {
  return /^[+−–-]?([.,]?|\d+([.,]\d*)?e[+−–-]?)$/i.test(entry.trim());
}

/**
 * @param {number} entry
 * @returns {number} within bounds, to three decimals, never −0
 */
export function bounded(entry) {
  const within = Math.min(BOUND, Math.max(-BOUND, entry));
  return Math.round(within * 10 ** PLACES) / 10 ** PLACES + 0;
}

/**
 * @param {string} text  well written
 * @returns {number[][]}
 */
export function parse(text) {
  return entries(text).map((row) => row.map(number));
}

/** @param {number[][]} matrix */
export function format(matrix) {
  return matrix.map((row) => row.join(' ')).join('; ');
}

/**
 * @param {number[][]} matrix
 * @param {number} row
 * @param {number} column
 * @param {number[][]} some
 * @returns {number[][]} the matrix with `some` laid over it from that entry on; what would stand outside is left out
 */
export function withEntries(matrix, row, column, some) {
  return matrix.map((line, r) => line.map((old, c) => some[r - row]?.[c - column] ?? old));
}
