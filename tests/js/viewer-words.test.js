import assert from 'node:assert/strict';
import {test} from 'node:test';
import {notes, plain, told} from '../../static/js/figures/attention-viewer/words.js';
import {agreement, atMost, progress} from '../../static/js/lib/status-line.js';
import {brief, names, percent, visible} from '../../static/js/lib/words.js';
import {bytewise, cut} from './viewer-texts.js';

const QUEEN = ['The', ' Queen', ' to', ' Alice', ' and', ' said'].reduce((all, text) => {
  const start = all.at(-1)?.end ?? 0;
  return [...all, {id: 0, text, start, end: start + text.length}];
}, []);
const place = {layer: 2, head: 3, query: 5};
const say = (row, query = 5, tokens = QUEEN) => plain(told({tokens, row}, {...place, query}));

test('a row is one sentence; each share in it is the rounded weight, the rest the rounded rest, and it says where rounding shows', () => {
  assert.equal(
    say([0.06, 0.12, 0.02, 0.7, 0.04, 0.06]),
    'In layer 2, head 3, «said» gives 70% to «Alice», 12% to «Queen», 6% to «The» and 12% to the other 3 together.',
  );
  const rounded = {
    '33% to «a», 33% to «b», 33% to «c» and next to nothing to the other 3 (rounded)': [0.334, 0.333, 0.333, 0, 0, 0],
    '34% to «a», 34% to «b» and 33% to itself (rounded)': [0.335, 0.335, 0.33],
    '99.6% to «a» and 0.4% to the other 5 together': [0.996, 0.004, 0, 0, 0, 0],
    '99.6% to «a» and 0.4% to itself': [0.996, 0.004],
    '>99.9% to «a» and next to nothing to itself': [0.9998, 0.0002],
    '46% to «a», 46% to «b», 5% to «c» and 4% to itself (rounded)': [0.4551, 0.4551, 0.05, 0.0398],
    '50% to «a», 50% to «b» and 0.5% to itself (rounded)': [0.4983, 0.4967, 0.005],
    '3% to «a» and 97% to the other 47 together': [0.03, ...Array(47).fill(0.97 / 47)],
  };
  for (const [words, row] of Object.entries(rounded)) {
    const tokens = cut('abcdefghijklmnopqrstuvwxyz'.repeat(2).slice(0, row.length), 1);
    assert.ok(say(row, row.length - 1, tokens).replace(/ \(token \d+\)/g, '').endsWith(`gives ${words}.`), say(row, row.length - 1, tokens));
  }
});

test('exactly 1, exactly 0, all equal and the first token are said as what they are', () => {
  assert.match(say([0, 0, 0, 1, 0, 0]), /gives 100% to «Alice» and next to nothing to the other 5/);
  assert.match(say([0, 0, 0, 0, 0, 1]), /100% to itself/);
  assert.match(say(Array(6).fill(1 / 6)), /the same share, 17%, to each of 6 tokens/);
  assert.match(say([1, 0, 0, 0, 0, 0], 0), /«The» has only itself to look at, as the first token always has/);
  assert.match(say([0.5, 0.5, 0, 0, 0, 0], 1), /to each of 2 tokens/);
  assert.match(say([], 0, []), /no text yet/);
});

test('shares are printed as in prose: whole per cents, near 0 and 100 one digit more', () => {
  assert.deepEqual([0, 0.0001, 0.004, 0.0094, 0.0096, 0.015, 0.884, 0.996, 0.9998, 1].map(percent), ['0%', '<0.1%', '0.4%', '0.9%', '1%', '2%', '88%', '99.6%', '>99.9%', '100%']);
});

test('under a token stand at most three signs, but for all of it', () => {
  assert.deepEqual([0, 0.0001, 0.004, 0.0094, 0.015, 0.884, 0.994, 1].map(brief), ['0%', '<1%', '<1%', '1%', '2%', '88%', '99%', '100%']);
});

test('no two tokens have the same name', () => {
  for (const tokens of [cut('the the the', 1), bytewise('日日 é'), bytewise('a \n\n\t 👩‍👩‍👧‍👦')]) {
    assert.equal(new Set(names(tokens)).size, tokens.length, names(tokens).join(' '));
  }
  assert.deepEqual(names(cut('a \n', 1)), ['«a»', 'a space', 'a new line']);
  assert.deepEqual(names(bytewise('é')), ['«é» part 1', '«é» part 2']);
  assert.equal(visible(' said\n'), '␠said⏎');
});

test('a name that is read from right to left does not reorder the sentence', () => {
  assert.deepEqual(names(cut('של', 2)), ['«\u2068של\u2069»']);
});

test('every share that is named leads to its token', () => {
  const parts = told({tokens: QUEEN, row: [0.06, 0.12, 0.02, 0.7, 0.04, 0.06]}, place).filter((part) => typeof part !== 'string');
  assert.deepEqual(parts, [{share: '70%', key: 3, name: '«Alice»'}, {share: '12%', key: 1, name: '«Queen»'}, {share: '6%', key: 0, name: '«The»'}]);
});

test('what looks like a fault is explained where it is seen: a first token that gets most, the last token, a space at the end', () => {
  const note = (row, query, tokens = QUEEN) => notes({tokens, row, dropped: 0, context: 128}, query).join(' ');
  assert.match(note([0.6, 0.1, 0.1, 0.1, 0.1], 4), /^The first token gets most\. .*Put another word first/);
  for (const [row, query] of [[[0.29, 0.2, 0.2, 0.2, 0.11], 4], [[0.4, 0.1, 0.5], 2], [[0.6, 0.4], 1], [[1], 0]]) assert.equal(note(row, query), '');
  assert.equal(note([0.1, 0.1, 0.1, 0.1, 0.1, 0.5], 5), '«said» is the last token: from its vector the model will guess what comes next.');
  const spaced = [...QUEEN, {id: 0, text: ' ', start: 99, end: 100}];
  assert.match(note([1], 0, spaced), /ends in a space, which is a token of its own/);
  assert.equal(note([1], 0, [...QUEEN, {id: 0, text: '\n', start: 99, end: 100}]), '', 'a word typed after a new line leaves it as it is');
});

test('a text that is cut, just fits or is blank is told, and no other', () => {
  const note = (tokens, dropped, context) => notes({tokens, row: [1], dropped, context}, 0).join(' ');
  assert.match(note(QUEEN, 1, 6), /makes 7 tokens, and the model can hold 6: the last one was left out/);
  assert.match(note(QUEEN, 5000, 6), /5,006 tokens.*the last 5,000 were left out/);
  assert.match(note(QUEEN, 0, 6), /exactly as many as the model can hold/);
  assert.match(note(cut('  \n', 1), 0, 9), /nothing but white space/);
  assert.equal(note(QUEEN, 0, 128), '');
  assert.equal(note([], 0, 128), '');
});

test('a bound is never below what it bounds', () => {
  assert.deepEqual([2.6e-7, 3e-7, 1e-5, 9.1e-7, 0].map(atMost), ['0.0000003', '0.0000003', '0.00001', '0.000001', '0']);
  for (let exponent = -9; exponent < 0; exponent += 1) {
    for (const digit of [1, 1.0001, 5.5, 9.99]) assert.ok(Number(atMost(digit * 10 ** exponent)) >= digit * 10 ** exponent * (1 - 1e-9));
  }
});

test('numbers that disagree are told as such, never as if all were well', () => {
  assert.equal(agreement(undefined), 'Computed in your tab.');
  assert.match(agreement(0), /agrees exactly/);
  assert.match(agreement(1e-5), /differs from the printed numbers by at most 0\.00001\./);
  for (const [difference, how] of [[1.1e-5, /by up to <0\.1%/], [0.3, /by up to 30%/], [Infinity, /cannot even be compared/]]) {
    assert.match(agreement(difference), /^This page and its model do not match/);
    assert.match(agreement(difference), how);
    assert.doesNotMatch(agreement(difference), /Infinity|NaN/);
  }
});

test('progress is told in the unit of the whole', () => {
  assert.equal(progress(5.23e6, 16.4e6), '5.2 of 16.4 MB');
  assert.equal(progress(0, 64000), '0 of 64 KB');
});
