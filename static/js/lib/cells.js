/**
 * Tokens as a reader sees them. A byte-level token may be a part of a character («日» is three tokens, an emoji many more),
 * so the picture is made of cells: a cell is what stands on the page once, and the tokens that make it.
 */

/** @typedef {import('./figure.js').Token} Token */

/**
 * A piece of a cell's text: plain text, or a sign for something that cannot be seen, with the name of that thing.
 * @typedef {{text: string, name: string|null}} Piece
 */

/**
 * @typedef {object} Cell
 * @property {string} text  as typed
 * @property {number[]} tokens  indices
 * @property {boolean} gap  begins with one plain space, which the page shows as a gap between words
 * @property {Piece[]} pieces  what to draw, the gap left out
 */

/** @typedef {'ltr'|'rtl'} Direction */
/** @typedef {{dir: Direction, words: Cell[][]}} Run  words that are read in one direction */

/** @type {Record<string, [sign: string, name: string]>} */
const SIGNS = {
  ' ': ['␠', 'space'],
  '\n': ['⏎', 'new line'],
  '\r\n': ['⏎', 'new line'],
  '\r': ['␍', 'carriage return'],
  '\t': ['⇥', 'tab'],
  '\u00a0': ['⍽', 'no-break space'],
};

// Blank or invisible when it stands alone: white space, controls, joiners, bidirectional marks, variation selectors.
const INVISIBLE = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u;
// Those in use today.
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Hanifi_Rohingya}\p{Script=Mende_Kikakui}]/u;
// Scripts written without spaces: a line may break after any character.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Extended_Pictographic}]/u;

const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter('en', {granularity: 'grapheme'}) : null;

/**
 * @param {string} text
 * @returns {string[]} what a reader calls characters: «é» written as two code points is one, a family emoji is one
 */
export function graphemes(text) {
  return segmenter ? Array.from(segmenter.segment(text), ({segment}) => segment) : Array.from(text);
}

/**
 * The text that the tokens cover: `spell(encode(text).tokens) === text`.
 * @param {Token[]} tokens
 * @returns {string}
 */
export function spell(tokens) {
  let text = '';
  for (const token of tokens) text += token.text.slice(Math.max(0, text.length - token.start));
  return text;
}

/**
 * Joins tokens that share a character on screen.
 * @param {Token[]} tokens
 * @returns {Cell[]} every character of the text in exactly one cell, every token in exactly one cell
 */
export function cells(tokens) {
  const text = spell(tokens);
  const edges = new Set([0]);
  let edge = 0;
  for (const grapheme of graphemes(text)) edges.add((edge += grapheme.length));

  /** @type {{start: number, end: number, tokens: number[]}[]} */
  const spans = [];
  tokens.forEach((token, index) => {
    const last = spans.at(-1);
    if (last && (token.start < last.end || !edges.has(token.start))) {
      last.tokens.push(index);
      last.end = Math.max(last.end, token.end);
    } else {
      spans.push({start: token.start, end: token.end, tokens: [index]});
    }
  });
  return spans.map(({start, end, tokens}) => {
    const slice = text.slice(start, end);
    const gap = start > 0 && /^ \P{White_Space}/u.test(slice);
    return {text: slice, tokens, gap, pieces: pieces(gap ? slice.slice(1) : slice)};
  });
}

/**
 * Text as it can be drawn: what would be blank becomes a sign that has a name.
 * @param {string} text
 * @returns {Piece[]}
 */
export function pieces(text) {
  /** @type {Piece[]} */
  const found = [];
  for (const grapheme of graphemes(text)) {
    const last = found.at(-1);
    if (INVISIBLE.test(grapheme)) found.push(sign(grapheme));
    else if (last && last.name === null) last.text += grapheme;
    else found.push({text: grapheme, name: null});
  }
  return found;
}

/**
 * @param {string} grapheme
 * @returns {Piece}
 */
function sign(grapheme) {
  const known = SIGNS[grapheme];
  if (known) return {text: known[0], name: known[1]};
  // Forty joiners in a row are one grapheme: each sign stands once, with its number.
  const signs = (grapheme.match(/(.)\1*/gsu) ?? []).map((same) => {
    const [first, ...more] = same;
    return {code: `U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`, times: more.length + 1};
  });
  return {
    text: signs.map(({code, times}) => (times === 1 ? code : `${code}×${times}`)).join(' '),
    name: signs.map(({code, times}) => (times === 1 ? code : `${code} ${times} times`)).join(' '),
  };
}

/**
 * The direction of the first letter. (Scripts that nobody writes any more count as left to right.)
 * @param {string} text
 * @returns {Direction|null}
 */
export function direction(text) {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return null;
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}

/**
 * Cells in the order of the text, gathered into words that a line does not break, and words into runs of one direction.
 * @param {Cell[]} all
 * @returns {Run[]}
 */
export function runs(all) {
  /** @type {Run[]} */
  const found = [];
  for (const word of words(all)) {
    const dir = direction(word.map(({text}) => text).join(''));
    const last = found.at(-1);
    if (last && (dir === null || dir === last.dir)) last.words.push(word);
    else found.push({dir: dir ?? 'ltr', words: [word]});
  }
  return found;
}

/**
 * A word in parts that are read in one direction each: digits run from left to right also where the letters around them do not,
 * and a Latin piece may stand within a Hebrew word (Unicode Standard Annex 9, rules W4, N1 and N2, as far as a word goes).
 * @param {Cell[]} word
 * @param {Direction} dir  of the run that it stands in
 * @returns {{dir: Direction, cells: Cell[]}[]}
 */
export function parts(word, dir) {
  /** @type {{dir: Direction, cells: Cell[]}[]} */
  const found = [];
  for (const [index, cell] of word.entries()) {
    const own = strong(cell) ?? between(word[index - 1], cell, word[index + 1]) ?? dir;
    const last = found.at(-1);
    if (last?.dir === own) last.cells.push(cell);
    else found.push({dir: own, cells: [cell]});
  }
  return found;
}

const DIGIT = /^\P{L}*\p{N}\P{L}*$/u;

/** @param {Cell} cell */
function strong({text}) {
  return direction(text) ?? (DIGIT.test(text) ? 'ltr' : null);
}

/**
 * A sign between two letters of one direction has it too; a point or the like between two digits belongs to their number.
 * @param {Cell|undefined} before
 * @param {Cell} cell
 * @param {Cell|undefined} after
 * @returns {Direction|null}
 */
function between(before, cell, after) {
  if (!before || !after) return null;
  if (DIGIT.test(before.text) && DIGIT.test(after.text)) return /^[.,:/+-]$/.test(cell.text) ? 'ltr' : null;
  const dir = direction(before.text);
  return dir === direction(after.text) ? dir : null;
}

/**
 * @param {Cell[]} all
 * @returns {Cell[][]}
 */
function words(all) {
  /** @type {Cell[][]} */
  const found = [];
  let open = false;
  for (const cell of all) {
    if (open && !cell.gap && !/^\p{White_Space}/u.test(cell.text)) found.at(-1)?.push(cell);
    else found.push([cell]);
    open = !/\p{White_Space}$/u.test(cell.text) && !UNSPACED.test(cell.text);
  }
  return found;
}
