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
  const known = named.get(tokens);
  if (known) return known;
  const found = new Array(tokens.length).fill('');
  for (const cell of cells(tokens)) {
    const called = call(cell.text);
    cell.tokens.forEach((index, part) => {
      found[index] = cell.tokens.length === 1 ? called : `${called} part ${part + 1}`;
    });
  }
  const times = new Map();
  for (const name of found) times.set(name, (times.get(name) ?? 0) + 1);
  const told = found.map((name, index) => (times.get(name) > 1 ? `${name} (token ${index})` : name));
  named.set(tokens, told);
  return told;
}

/** @type {WeakMap<Token[], string[]>} */
const named = new WeakMap();

/** @param {string} text */
function call(text) {
  const bare = text.replace(/^ (?=\P{White_Space})/u, '');
  const parts = pieces(bare);
  if (parts.length === 1 && parts[0].name) return `a ${parts[0].name}`;
  if (parts.every((part) => part.name !== null)) return `${parts.length} blanks (${parts.map((part) => part.name).join(', ')})`;
  return `«${isolate(parts.map((part) => part.text).join(''))}»`;
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
