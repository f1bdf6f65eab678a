import assert from 'node:assert/strict';
import {test} from 'node:test';
import {render} from '@lit-labs/ssr';
import {collectResult} from '@lit-labs/ssr/lib/render-result.js';
import trace from '../../static/js/figures/attention-trace.js';
import {bounded, entries, format, isBegun, number, parse, withEntries} from '../../static/js/figures/attention-trace/matrix.js';
import {words} from '../../static/js/figures/attention-trace/read.js';
import {effect, outcome} from '../../static/js/figures/attention-trace/words.js';
import {AuthorError, ask, withDefaults} from '../../static/js/lib/figure.js';
import {names} from '../../static/js/lib/words.js';

const BOOK = {
  text: 'The cat sat',
  x: '1 0 1 0; 0 1 0 1; 1 1 0 0',
  wq: '2 0 0 0; 0 2 0 0; 0 0 2 0; 0 0 0 2',
  wk: '0.5 0 0 0; 0 0.5 0 0; 0 0 0.5 0; 0 0 0 0.5',
  wv: '1 0 0 0; 0 2 0 0; 0 0 3 0; 0 0 0 4',
  query: 'sat',
};

/** As a page makes it: an author's options, then a reader's wishes. */
async function shown(options = BOOK, wishes = {}) {
  const wanted = withDefaults(trace, options);
  const computed = await trace.compute(wanted, null);
  let state = trace.prepare(wanted, computed, {strict: true});
  state = trace.prepare({...state, ...wishes}, computed, {strict: false});
  return {state, data: trace.derive(state, computed)};
}

const life = {status: 'live', busy: false, received: 0, total: 0, message: '', retry() {}, difference: undefined, lit: null, wanted: null, stepped: false, printed: null, undo: null, redo: null, reset: null, link: '#hand'};

async function text({data, state}) {
  const printed = await collectResult(render(trace.view(data, state, () => {}, life)));
  return printed.replace(/<!--.*?-->|<\?>/g, '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

test('the trace of the book, as its quantities give it', async () => {
  const {data, state} = await shown();
  const value = (name, ...args) => ask(trace, name, {data, state}, args, {}).value;
  assert.deepEqual([1, 2, 3, 4].map((dimension) => value('query', 'sat', dimension)), [2, 2, 0, 0]);
  assert.deepEqual([1, 2, 3, 4].map((dimension) => value('key', 'cat', dimension)), [0, 0.5, 0, 0.5]);
  assert.deepEqual([1, 2, 3, 4].map((dimension) => value('value', 'The', dimension)), [1, 0, 3, 0]);
  assert.equal(value('dot', 'sat', 'sat'), 2);
  assert.equal(value('score', 'sat', 'cat'), 0.5);
  assert.equal(value('exponential', 'sat', 'cat').toFixed(3), '1.649');
  assert.equal(value('total', 'sat').toFixed(3), '6.016');
  assert.equal(value('weight', 'sat', 'sat').toFixed(3), '0.452');
  assert.deepEqual([1, 2, 3, 4].map((dimension) => value('blend', 'sat', dimension).toFixed(3)), ['0.726', '1.452', '0.822', '1.096']);
  assert.equal(value('size'), 4);
  assert.equal(ask(trace, 'weight', {data, state}, ['The', 'sat'], {causal: true}).value, 0);
  assert.equal(ask(trace, 'weight', {data, state}, ['sat', 'cat'], {}).cell, '2.1');
  assert.throws(() => value('blend', 'sat', 5), /no number 5/);
  assert.throws(() => ask(trace, 'total', {data, state}, ['sat'], {causal: 'yes'}), /True or False/);
  assert.equal(state.key, '', 'nobody is picked');
  assert.equal(data.key, 2, 'so the one that gets most is spelled out');
});

for (const [what, option, value, message] of [
  ['no words', 'text', ' ', /the text is empty/],
  ['too many words', 'text', 'a b c d e f g h i', /9 words, and a trace shows at most 8/],
  ['rows of unequal length', 'x', '1 0 1 0; 0 1 0; 1 1 0 0', /row 2 of x has 3 numbers, and row 1 has 4/],
  ['an empty row', 'x', '1 0 1 0;; 1 1 0 0', /row 2 of x is empty/],
  ['a row too few', 'x', '1 0 1 0; 0 1 0 1', /x has 2 rows, and the text has 3 words/],
  ['no number', 'wq', '2 0 0 0; 0 two 0 0; 0 0 2 0; 0 0 0 2', /'two' in row 2 of wq is not a number/],
  ['a number out of bounds', 'wk', '12 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1', /12 in row 1 of wk is out of bounds/],
  ['more decimals than are shown', 'wk', '0.1234 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1', /0\.1234 in row 1 of wk has more than three decimals/],
  ['a matrix of another size', 'wv', '1 0; 0 1', /wv has 2 rows, and the vectors in x have 4 numbers/],
  ['keys of another size than queries', 'wk', '1; 1; 1; 1', /wk makes keys of 1 number, and wq makes queries of 4/],
  ['vectors too wide', 'x', '1 2 3 4 5 6 7; 1 2 3 4 5 6 7; 1 2 3 4 5 6 7', /row 1 of x has 7 numbers, and a trace shows at most 6/],
  ['nothing at all', 'wq', '', /row 1 of wq is empty/],
  ['an asking token that is not there', 'query', 'dog', /no token reads «dog»/],
  ['an asked token that is not there', 'key', '7', /no token 7/],
]) {
  test(`${what}: an author is told option, place and what to do`, async () => {
    await assert.rejects(shown({...BOOK, [option]: value}), (error) => {
      assert.ok(error instanceof AuthorError, String(error.stack));
      assert.equal(error.option, option);
      assert.match(error.message, message);
      return true;
    });
  });
}

test('no link can break it: what cannot be read is as the author gave it, what does not fit is cut or filled up', async () => {
  const odd = ['', ' ', ';;;', 'abc', '1 2; 3', '9e99 0', 'NaN', '1 2 3 4 5 6 7', '−1', '1,2,3', '<b>', '1'.repeat(5000), '0x10 1', '--1', '1e', '٣'];
  for (const name of ['x', 'wq', 'wk', 'wv', 'text', 'query', 'key', 'dimension']) {
    for (const wish of odd) {
      const {state, data} = await shown(BOOK, {[name]: wish});
      const {x, wq, wk, wv, queries, keys, values, tokens, weights, blend} = data;
      const width = x[0].length;
      assert.deepEqual([x.length, wq.length, wk.length, wv.length], [tokens.length, width, width, width], `${name}=${wish}`);
      assert.ok([x, wq, wk, wv, queries, keys, values, [weights], [blend]].flat(2).every(Number.isFinite), `${name}=${wish}`);
      assert.ok(state.query < tokens.length && state.dimension >= 1 && data.key < tokens.length);
      if (wish !== 'NaN') assert.doesNotMatch(await text({data, state}), /NaN|Infinity|undefined/, `${name}=${wish}`);
      if (['abc', ';;;', '1 2; 3'].includes(wish) && name in {x: 1, wq: 1, wk: 1, wv: 1}) assert.equal(state[name], BOOK[name]);
    }
  }
  assert.equal((await shown(BOOK, {x: '12 0 1 0; 0 −1 0 1; 1 1 0 0.12345'})).state.x, '9 0 1 0; 0 -1 0 1; 1 1 0 0.123');
  assert.equal((await shown(BOOK, {text: 'a b c d e f g h i j'})).data.tokens.length, 8);
  assert.equal((await shown(BOOK, {text: 'a b c d'})).state.x, `${BOOK.x}; 0 0 0 0`);
});

test('a state is settled: settling it again changes nothing', async () => {
  for (const wishes of [{}, {x: '1 2; 3 4; 5 6'}, {text: 'one'}, {query: 'cat', key: 'The', causal: true, dimension: 9}]) {
    const {state} = await shown(BOOK, wishes);
    assert.deepEqual(trace.prepare(state, {given: BOOK}, {strict: false}), state);
  }
});

test('nines and zeros, the mask and a single token are finite and legible', async () => {
  const full = (entry, rows, columns = 4) => format(Array.from({length: rows}, () => Array(columns).fill(entry)));
  for (const entry of [9, -9, 0, 0.001]) {
    for (const causal of [false, true]) {
      for (const query of ['The', 'sat']) {
        const said = await text(await shown(BOOK, {x: full(entry, 3), wq: full(entry, 4), wk: full(-9, 4), wv: full(9, 4), causal, query}));
        assert.doesNotMatch(said, /NaN|Infinity|undefined|e[+-]\d/, `${entry} ${causal} ${query}`);
      }
    }
  }
  assert.match(await text(await shown({text: 'alone', x: '3', wq: '1', wk: '1', wv: '-2'})), /«alone» gives 100% to itself, and walks away with \(−6\)/);
});

test('the traps: a value is not a key, rows are not columns, and the last row knows no mask', async () => {
  const at = async (wishes = {}) => {
    const {data} = await shown(BOOK, wishes);
    return outcome(data, data.query);
  };
  const before = await at();
  const value = await at({wv: '1 0 0 0; 0 2 0 0; 0 0 3 0; 5 0 0 4'});
  assert.deepEqual(value.weights, before.weights);
  assert.match(effect(before, value), /^The weights stay as they were; the blend is now \(/);
  const {data: keyed} = await shown(BOOK, {wk: '0.5 0 0 0; 0 3 0 0; 0 0 0.5 0; 0 0 0 0.5'});
  assert.notDeepEqual(outcome(keyed, 2).weights, before.weights);
  assert.deepEqual(keyed.values, (await shown()).data.values);
  assert.match(effect(before, outcome(keyed, 2)), /^The weights are now .* with them the blend has moved/);
  assert.equal(effect(before, await at({causal: true})), 'As shown, neither the weights nor the blend have moved.');
  assert.deepEqual((await at({query: 'The', causal: true})).weights, ['100%', '0%', '0%']);
  const weight = async (query, key) => ask(trace, 'weight', await shown(), [query, key], {}).value;
  assert.notEqual((await weight('sat', 'The')).toFixed(3), (await weight('The', 'sat')).toFixed(3));
});

test('an entry is read as a person writes it, bounded, and never −0', () => {
  assert.deepEqual(['1', '-1', '−0.5', '+2', '.5', '1.', '1e1', '1,5', '1,2,3', '٣', '', '-', '1e', 'x', '1 2', '0x1', 'Infinity'].map(number), [1, -1, -0.5, 2, 0.5, 1, 10, 1.5, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN]);
  assert.deepEqual(['', '-', '−', '.', ',', '-.', '1e', '1.5e-', '٣', 'e', 'x', '1-'].map(isBegun), [...Array(8).fill(true), ...Array(4).fill(false)]);
  assert.deepEqual([12, -12, 0.12345, -0.0001, 9].map(bounded), [9, -9, 0.123, 0, 9]);
  assert.ok(Object.is(bounded(-0.0001), 0));
  assert.deepEqual(entries(' 1, 2 ;3\t4; '), [['1', '2'], ['3', '4']]);
  assert.deepEqual(parse(format([[1, -0.5], [0, 9]])), [[1, -0.5], [0, 9]]);
  assert.deepEqual(withEntries([[1, 2], [3, 4]], 0, 1, [[7, 8], [9]]), [[1, 7], [3, 9]]);
});

test('words are tokens: split at white space, called by their names, whatever their script', () => {
  assert.deepEqual(words(' The  cat\nsat ').map((token) => token.text), ['The', ' cat', ' sat']);
  assert.deepEqual(names(words('the the <b> שלום')), ['«the» (token 0)', '«the» (token 1)', '«<b>»', '«\u2068שלום\u2069»']);
});

test('guillemets that belong to a word stay with it, and a screen reader hears the word', async () => {
  const {state, data} = await shown({...BOOK, text: '«Cat» a «Cat»', query: 'a'});
  const html = await collectResult(render(trace.view(data, state, () => {}, life)));
  assert.match(html, /aria-label="«Cat» \(token 0\) [\d.]+%"/);
  assert.match(html, /aria-label="a [\d.]+%, asks"/);
  assert.match(html.replace(/<!--.*?-->|<\?>/g, ''), /<bdi class="trace-brief" translate="no"\s*>«Cat»<\/bdi><sub>2<\/sub>/);
});
