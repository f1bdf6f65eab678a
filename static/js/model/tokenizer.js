/**
 * The book's tokenizer in JavaScript: byte-level BPE by `@huggingface/tokenizers`, and the span of each token in the text.
 * `model/runtime.py` follows the same rules; a test compares the two on strings of every script.
 */
import {Tokenizer as HuggingFace} from '@huggingface/tokenizers';

/** @typedef {import('../lib/figure.js').Token} Token */

export class Tokenizer {
  #bpe;

  /** @param {object} json  the parsed tokenizer.json */
  constructor(json) {
    // Without added tokens, what a reader types can never become a special one.
    this.#bpe = new HuggingFace({...json, added_tokens: []}, {});
  }

  /**
   * @param {string} text  lone surrogates count as U+FFFD
   * @param {number} [limit]  no more tokens than this are wanted
   * @returns {{tokens: Token[], count: number}} `count` is how many tokens the whole text has, whatever the limit
   */
  encode(text, limit = Infinity) {
    const whole = text.toWellFormed();
    if (whole === '') return {tokens: [], count: 0};
    const {ids, tokens} = this.#bpe.encode(whole, {add_special_tokens: false});
    return {tokens: withSpans(whole, ids.slice(0, limit), tokens), count: ids.length};
  }
}

/**
 * Walks the byte lengths of the tokens along the text. A byte-level token is spelt with one letter a byte, so that its length
 * is its number of bytes. A character of several tokens is the span of each of them.
 * @param {string} text  well-formed
 * @param {number[]} ids  of the first tokens of the text
 * @param {string[]} spellings  of all its tokens
 * @returns {Token[]}
 * @throws {RangeError} when the tokens are not those of the text
 */
export function withSpans(text, ids, spellings) {
  const cursor = new Cursor(text);
  let byte = 0;
  const tokens = ids.map((id, index) => {
    if (spellings[index].length === 0) throw new RangeError(`token ${id} has no bytes`);
    const {start} = cursor.moveTo(byte);
    byte += spellings[index].length;
    const {end} = cursor.moveTo(byte - 1);
    return {id, text: text.slice(start, end), start, end};
  });
  const whole = ids.length === spellings.length;
  if (whole && (cursor.end < text.length || byte <= cursor.lastByte)) throw new RangeError(`the tokens have fewer bytes than the text: ${byte}`);
  return tokens;
}

/** Stands on one character of a text and knows which UTF-8 bytes it is made of. Only moves forward. */
class Cursor {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.start = 0; // UTF-16 offset of the character
    this.end = 0; // and of what follows it
    this.lastByte = -1;
  }

  /** @param {number} byte  moves to the character that holds this byte */
  moveTo(byte) {
    while (this.lastByte < byte) {
      const point = this.text.codePointAt(this.end);
      if (point === undefined) throw new RangeError(`the tokens have more bytes than the text: ${byte + 1} of ${this.lastByte + 1}`);
      this.start = this.end;
      this.end += point > 0xffff ? 2 : 1;
      this.lastByte += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    }
    return this;
  }
}
