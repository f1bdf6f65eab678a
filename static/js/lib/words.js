/** Words that figures share: names of tokens, and shares for people. Pure. */
import {cells, direction, pieces} from './cells.js';

/** @typedef {import('./figure.js').Token} Token */

/**
 * A share for people, as prose prints it: whole per cents, and near 0 and 100 one digit more.
 * @param {number} share  0 to 1
 * @returns {string}
 */
export function percent(share) {
  const hundred = share * 100;
  if (hundred === 0) return '0%';
  if (hundred < 0.05) return '<0.1%';
  if (hundred > 99.95 && hundred < 100) return '>99.9%';
  return hundred < 0.95 || (hundred > 99.5 && hundred < 100) ? `${hundred.toFixed(1)}%` : `${Math.round(hundred)}%`;
}

/**
 * A share where there is room for three signs: under a token.
 * @param {number} share  0 to 1
 * @returns {string}
 */
export function brief(share) {
  return share > 0 && share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`;
}

/**
 * A token's text with signs for what cannot be seen, leading spaces included: «␠said».
 * @param {string} text
 * @returns {string}
 */
export function visible(text) {
  return pieces(text).map((piece) => piece.text).join('');
}

/**
 * What each token is called in a sentence: «said»; «the» (token 4) where the text has several; «日» part 2; a space.
 * @param {Token[]} tokens
 * @returns {string[]} (T,)
 */
export function names(tokens) {
  return call(tokens).names;
}

/**
 * The same where there is little room, as in the head of a table.
 * @typedef {object} Face
 * @property {string} letters  what is seen of the token, without quotation marks; of a blank, what it is: a space
 * @property {number|null} part  of a character that several tokens make, which of them it is, from 1
 * @property {number|null} number  its index, where the text has several of that name
 */

/**
 * @param {Token[]} tokens
 * @returns {Face[]} (T,)
 */
export function faces(tokens) {
  return call(tokens).faces;
}

/** @type {WeakMap<Token[], {names: string[], faces: Face[]}>} */
const called = new WeakMap();

/** @param {Token[]} tokens */
function call(tokens) {
  const known = called.get(tokens);
  if (known) return known;
  const parts = new Array(tokens.length);
  for (const cell of cells(tokens)) {
    const {letters, name} = read(cell.text);
    cell.tokens.forEach((index, part) => {
      parts[index] = cell.tokens.length === 1 ? {letters, name, part: null} : {letters, name: `${name} part ${part + 1}`, part: part + 1};
    });
  }
  const times = new Map();
  for (const {name} of parts) times.set(name, (times.get(name) ?? 0) + 1);
  const several = parts.map(({name}) => times.get(name) > 1);
  const found = {
    names: parts.map(({name}, index) => (several[index] ? `${name} (token ${index})` : name)),
    faces: parts.map(({letters, part}, index) => ({letters, part, number: several[index] ? index : null})),
  };
  called.set(tokens, found);
  return found;
}

/**
 * @param {string} text
 * @returns {{letters: string, name: string}}
 */
function read(text) {
  const bare = text.replace(/^ (?=\P{White_Space})/u, '');
  const parts = pieces(bare);
  if (parts.every((part) => part.name !== null)) {
    const name = parts.length === 1 ? `a ${parts[0].name}` : `${parts.length} blanks (${parts.map((part) => part.name).join(', ')})`;
    return {letters: name, name};
  }
  const letters = parts.map((part) => part.text).join('');
  return {letters, name: `«${isolate(letters)}»`};
}

/**
 * Text that is read from right to left, kept from reordering the English sentence that it stands in.
 * @param {string} text
 */
function isolate(text) {
  return direction(text) === 'rtl' ? `\u2068${text}\u2069` : text;
}

/** @param {number} tokens */
export function count(tokens) {
  return tokens === 1 ? '1 token' : `${tokens.toLocaleString('en')} tokens`;
}
