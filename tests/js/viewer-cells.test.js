import assert from 'node:assert/strict';
import {test} from 'node:test';
import {cells, direction, pieces, runs, spell} from '../../static/js/lib/cells.js';
import {bytewise, cut} from './viewer-texts.js';

const shown = (tokens) => cells(tokens).map((cell) => [cell.text, cell.tokens.length]);

test('every character of a text stands in one cell, every token too', () => {
  const odd = ['Seán naïve Ωmega', '👩‍👩‍👧‍👦 👍🏽 🇮🇪', '日本語', 'שָׁלוֹם', 'a\r\nb', 'e\u0301', ' \u200b\u202e', ''];
  for (const text of odd) {
    for (const tokens of [bytewise(text), cut(text, 2), cut(text, 5)]) {
      const all = cells(tokens);
      assert.equal(spell(tokens), text);
      assert.equal(all.map((cell) => cell.text).join(''), text);
      assert.deepEqual(all.flatMap((cell) => cell.tokens), tokens.map((_, index) => index));
    }
  }
});

test('tokens that share what a reader calls a character share a cell', () => {
  assert.deepEqual(shown(bytewise('é')), [['é', 2]]);
  assert.deepEqual(shown(bytewise('日本')), [['日', 3], ['本', 3]]);
  assert.deepEqual(shown(bytewise('👩‍👩‍👧‍👦')), [['👩‍👩‍👧‍👦', 25]]);
  assert.deepEqual(shown(bytewise('e\u0301x')), [['e\u0301', 3], ['x', 1]], 'a letter and its accent, written apart');
  assert.deepEqual(shown(bytewise('שׁ')), [['שׁ', 4]], 'a letter and its dot');
});

test('a token of several characters that ends inside one joins its neighbour', () => {
  const tokens = [
    {id: 0, text: 'ab日', start: 0, end: 3}, // two letters and the first byte
    {id: 1, text: '日c', start: 2, end: 4},
    {id: 2, text: 'd', start: 4, end: 5},
  ];
  assert.deepEqual(shown(tokens), [['ab日c', 2], ['d', 1]]);
});

test('what cannot be seen has a sign and a name, one space before a word is a gap', () => {
  const named = (text) => pieces(text).map(({text, name}) => [text, name]);
  assert.deepEqual(named('a \n\t'), [['a', null], ['␠', 'space'], ['⏎', 'new line'], ['⇥', 'tab']]);
  assert.deepEqual(named('\u200b\u202e'), [['U+200B', 'U+200B'], ['U+202E', 'U+202E']]);
  assert.deepEqual(named('\u200d'.repeat(40)), [['U+200D×40', 'U+200D 40 times']]);
  assert.deepEqual(named('\ufe0f\ufe0f\u200d'), [['U+FE0F×2 U+200D', 'U+FE0F 2 times U+200D']]);
  assert.deepEqual(named('👩‍👩‍👧'), [['👩‍👩‍👧', null]], 'a joiner inside a picture stays inside');
  const [first, second, third] = cells([
    {id: 0, text: ' The', start: 0, end: 4},
    {id: 1, text: ' Queen', start: 4, end: 10},
    {id: 2, text: '  x', start: 10, end: 13},
  ]);
  assert.deepEqual([first.gap, second.gap, third.gap], [false, true, false]);
  assert.deepEqual([first, second, third].map((cell) => cell.pieces.map((piece) => piece.text).join('')), ['␠The', 'Queen', '␠␠x']);
});

test('pieces of one word stay together, words and new lines come apart', () => {
  const tokens = ['The', ' sh', 'ar', 'ply', '\n', 'x'].reduce((all, text) => {
    const start = all.at(-1)?.end ?? 0;
    return [...all, {id: 0, text, start, end: start + text.length}];
  }, []);
  const words = runs(cells(tokens)).flatMap((run) => run.words.map((word) => word.map((cell) => cell.text)));
  assert.deepEqual(words, [['The'], [' sh', 'ar', 'ply'], ['\n'], ['x']]);
});

test('neighbouring words of one direction make a run, and what has none goes with the words before it', () => {
  const dirs = (text) => runs(cells(cut(text, 1))).map((run) => [run.dir, run.words.flat().map((cell) => cell.text).join('')]);
  assert.deepEqual(dirs('one two'), [['ltr', 'one two']]);
  assert.deepEqual(dirs('שלום one two, עולם'), [['rtl', 'שלום '], ['ltr', 'one two, '], ['rtl', 'עולם']]);
  assert.equal(direction('12 שלום a'), 'rtl');
  assert.equal(direction('12'), null);
  assert.deepEqual(['א', 'ع', 'ܐ', 'ޙ', 'ߊ', '𞤀', 'ࠀ', 'ࡀ', '𐴀', '𞠀', 'क', '日'].map(direction), [...Array(10).fill('rtl'), 'ltr', 'ltr']);
});
