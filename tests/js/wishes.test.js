import assert from 'node:assert/strict';
import {test} from 'node:test';
import {change, computesSame, readWishes} from '../../static/js/lib/wishes.js';

const options = {
  text: {type: 'string', required: true},
  layer: {type: 'integer', min: 1, max: 2, default: 1},
  query: {type: 'string', follows: 'text'},
  scale: {type: 'number'},
  mask: {type: 'boolean'},
  kind: {type: 'choice', choices: ['raw', 'soft']},
};
const figure = {options, computes: ['text']};

test('a new text forgets which token of the old one asked, unless it is given too', () => {
  const state = {text: 'a', layer: 2, query: 5};
  assert.deepEqual(change(figure, state, {text: 'b'}), {text: 'b', layer: 2, query: undefined});
  assert.deepEqual(change(figure, state, {text: 'b', query: 1}), {text: 'b', layer: 2, query: '1'});
  assert.deepEqual(change(figure, state, {text: 'a'}), state);
  assert.deepEqual(change(figure, state, {nonsense: 1}), state);
});

test('values are read by the type of their option, as a link would write them', () => {
  assert.deepEqual(readWishes(options, {text: 5, layer: '2', query: 3, scale: '0.5', mask: 'false', kind: 'soft'}), {
    text: '5', layer: 2, query: '3', scale: 0.5, mask: false, kind: 'soft',
  });
  assert.deepEqual(readWishes(options, {layer: 9, text: true}), {layer: 2, text: 'true'});
  assert.deepEqual(readWishes(options, {text: 'a\ud800b'}), {text: 'a\ufffdb'});
});

test('what is no value of the type is no wish', () => {
  for (const none of [undefined, {}, [], ['a'], Symbol('a'), () => 'a']) {
    assert.deepEqual(readWishes(options, Object.fromEntries(Object.keys(options).map((name) => [name, none]))), {});
    assert.deepEqual(readWishes(options, none), {}, 'nor what is no object');
  }
  assert.deepEqual(readWishes(options, {layer: 1.5, scale: NaN, mask: 1, kind: 'hard'}), {});
  assert.deepEqual(readWishes(options, {layer: Infinity, scale: -Infinity}), {});
});

test('null takes back what can be left out, and nothing else', () => {
  const taken = readWishes(options, {text: null, layer: null, query: null, scale: null, mask: null, kind: null});
  assert.deepEqual(taken, {query: null, scale: null, mask: null, kind: null});
  assert.deepEqual(readWishes(options, null), {});
  assert.equal(change(figure, {text: 'a', query: 5}, {query: null}).query, null);
});

test('whatever is wished, the state that it makes equals itself, so that asking for it ends', () => {
  for (const odd of [NaN, -0, null, {}, [], 'a\ud800b', true]) {
    const wanted = change(figure, {text: 'a'}, {text: odd});
    assert.ok(computesSame(figure, wanted, change(figure, wanted, {text: odd})), String(odd));
    assert.equal(typeof wanted.text, 'string');
  }
});
