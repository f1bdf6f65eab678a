import assert from 'node:assert/strict';
import {test} from 'node:test';
import {AuthorError, ask, deviation, figure, withDefaults} from '../../static/js/lib/figure.js';
import {findToken} from '../../static/js/lib/find-token.js';

const declaration = {
  tag: 'test-figure',
  summary: 'A figure for tests.',
  options: {
    text: {type: 'string', required: true, help: 'A text.'},
    layer: {type: 'integer', default: 1, help: 'A layer.'},
    query: {type: 'string', follows: 'text', help: 'A token.'},
  },
  computes: ['text'],
  compute: async () => ({}),
  view: () => '',
  quantities: {
    double: {unit: 'number', help: 'Twice.', parameters: ['x'], keywords: ['plus'], value: (_data, _state, [x], {plus = 0}) => ({value: 2 * x + plus})},
  },
};

const tokens = ['said', ' the', ' 3', ' said', '!'].map((text, id) => ({id, text, start: 0, end: 0}));

for (const [what, broken, message] of [
  ['a tag without a hyphen', {tag: 'figure'}, /tag must be lower case/],
  ['an option of an unknown type', {options: {text: {type: 'text', help: 'x'}}}, /'text' has type 'text'/],
  ['an option without help', {options: {text: {type: 'string'}}}, /'text' has no help/],
  ['an option that follows nothing', {options: {text: {type: 'string', help: 'x', follows: 'txt'}}}, /follows 'txt', which is no option/],
  ['computes that name no option', {computes: ['words']}, /'words', which is no option/],
  ['a quantity of an unknown unit', {quantities: {a: {unit: 'percent', help: 'x', value() {}}}}, /unit 'percent'/],
  ['a view that is missing', {view: undefined}, /view must be a function/],
]) {
  test(`a declaration with ${what} is refused by name`, () => {
    assert.throws(() => figure({...declaration, ...broken}), (error) => error instanceof TypeError && message.test(error.message));
  });
}

test('options left out take their defaults', () => {
  assert.deepEqual(withDefaults(figure(declaration), {text: 'a'}), {text: 'a', layer: 1, query: undefined});
});

test('a quantity is asked with its arguments and answers with its unit', () => {
  assert.deepEqual(ask(figure(declaration), 'double', {data: {}, state: {}}, [4], {plus: 1}), {value: 9, unit: 'number', cell: null});
});

for (const [name, args, keywords, message] of [
  ['triple', [1], {}, /no quantity 'triple'/],
  ['constructor', [1], {}, /no quantity 'constructor'/],
  ['double', [], {}, /takes 1 arguments, not 0/],
  ['double', [1], {minus: 2}, /no argument 'minus'/],
  ['double', [NaN], {}, /no finite value/],
]) {
  test(`asking ${name}(${args}) ${JSON.stringify(keywords)} is an author's mistake`, () => {
    assert.throws(() => ask(figure(declaration), name, {data: {}, state: {}}, args, keywords), (error) => error instanceof AuthorError && message.test(error.message));
  });
}

test('a token is found by its text without outer spaces, by number of occurrence, and by index', () => {
  assert.equal(findToken(tokens, 'the'), 1);
  assert.equal(findToken(tokens, 'said#2'), 3);
  assert.equal(findToken(tokens, 4), 4);
  assert.equal(findToken(tokens, '3'), 3, 'digits are an index');
  assert.equal(findToken(tokens, '3#1'), 2, 'unless they say which occurrence');
});

for (const [wanted, message] of [['said', /2 tokens read «said»/], ['says', /no token reads «says»/], ['said#3', /only 2/], ['9', /no token 9/], ['', /no token reads «»/]]) {
  test(`«${wanted}» names no single token`, () => {
    assert.throws(() => findToken(tokens, wanted, 'query'), (error) => error instanceof AuthorError && error.option === 'query' && message.test(error.message));
  });
}

test('deviation is the greatest difference, and infinite between different shapes', () => {
  assert.equal(deviation([[1, 2], [3, 4]], [[1, 2.5], [3, 3]]), 1);
  assert.equal(deviation([], []), 0);
  assert.equal(deviation([[1]], [[1, 2]]), Infinity);
  assert.equal(deviation([NaN], [1]), Infinity);
  assert.equal(deviation([1], undefined), Infinity);
});
