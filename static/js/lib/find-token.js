/** Which token of a text an author or a link means. */
import {AuthorError} from './figure.js';

/** @typedef {import('./figure.js').Token} Token */

/**
 * The index of the token that is meant by `wanted`: an index from 0, or the token's text without outer spaces, with `#2`
 * for the second of that text. Digits are always an index; `3#1` is the first token whose text is «3».
 * @param {Token[]} tokens
 * @param {string|number} wanted
 * @param {string|null} [option]  the option to blame
 * @returns {number}
 * @throws {AuthorError} when no token or more than one fits
 */
export function findToken(tokens, wanted, option = null) {
  const text = String(wanted).trim();
  if (/^\d+$/.test(text)) return byIndex(tokens, Number(text), option);
  const [, word, nth] = /^(.+)#(\d+)$/s.exec(text) ?? [null, text, null];
  const found = tokens.flatMap((token, index) => (token.text.trim() === word && word !== '' ? [index] : []));
  const quoted = `«${word}»`;
  if (found.length === 0) {
    const known = tokens.map((token) => `«${token.text.trim()}»`).join(' ');
    throw new AuthorError(`no token reads ${quoted}`, {option, hint: `the text is cut into ${known}`});
  }
  if (nth === null && found.length > 1) {
    throw new AuthorError(`${found.length} tokens read ${quoted}`, {option, hint: `write ${word}#1 to ${word}#${found.length}, or an index: ${found.join(', ')}`});
  }
  const index = found[nth === null ? 0 : Number(nth) - 1];
  if (index === undefined) throw new AuthorError(`only ${found.length} tokens read ${quoted}, not ${nth}`, {option});
  return index;
}

/**
 * @param {Token[]} tokens
 * @param {number} index
 * @param {string|null} option
 */
function byIndex(tokens, index, option) {
  if (index < tokens.length) return index;
  throw new AuthorError(`there is no token ${index}`, {option, hint: `the text has ${tokens.length} tokens, counted from 0`});
}
