/** Tokens of two simple tokenizers, for tests that must not depend on a trained one. */

/**
 * @param {string} text
 * @returns {{id: number, text: string, start: number, end: number}[]} a token for every byte; a character of several bytes is theirs together
 */
export function bytewise(text) {
  let start = 0;
  return Array.from(text).flatMap((character) => {
    const token = {id: 0, text: character, start, end: (start += character.length)};
    return Array.from(new TextEncoder().encode(character), () => token);
  });
}

/**
 * @param {string} text
 * @param {number} size
 * @returns {{id: number, text: string, start: number, end: number}[]} a token for every `size` code points
 */
export function cut(text, size) {
  const characters = Array.from(text);
  const tokens = [];
  for (let index = 0, start = 0; index < characters.length; index += size) {
    const piece = characters.slice(index, index + size).join('');
    tokens.push({id: index, text: piece, start, end: (start += piece.length)});
  }
  return tokens;
}
