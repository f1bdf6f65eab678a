import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {render} from '@lit-labs/ssr';
import {collectResult} from '@lit-labs/ssr/lib/render-result.js';
import viewer from '../../static/js/figures/attention-viewer.js';
import {LOOKS_AT} from '../../static/js/figures/attention-viewer/heads.js';
import {paths} from '../../static/js/figures/attention-viewer/matrices.js';
import {AuthorError, ask} from '../../static/js/lib/figure.js';
import {inGrid, inLines} from '../../static/js/lib/keys.js';
import {statusLine} from '../../static/js/lib/status-line.js';
import {LEVELS, level} from '../../static/js/lib/weight-scale.js';
import {cut} from './viewer-texts.js';

const SIZE = 4;
// A model of 2 layers and 2 heads whose every token gives all to the one before it, in layer 2, head 1; elsewhere the same to each.
const model = {
  config: {
    ...{layers: 2, heads: 2, context: SIZE, width: 1, headSize: 1, vocabulary: 1},
    habits: [[null, null], [{role: 'previous token', share: 0.913, even: 0.035, untrained: 0.034, text: '64 windows'}, null]],
  },
  encode: async (text, most) => ({tokens: cut(text, 1).slice(0, most), count: text.length}),
  run: async ({tokens}) => {
    const size = tokens.length;
    const data = new Float32Array(4 * size * size);
    for (let place = 0; place < 4; place += 1) {
      for (let q = 0; q < size; q += 1) {
        for (let k = 0; k <= q; k += 1) data[(place * size + q) * size + k] = place === 2 ? Number(k === Math.max(0, q - 1)) : 1 / (q + 1);
      }
    }
    // q, k and v of layer l, head h, token t: 100 l + 10 h + t in q, its negative in k, its half in v, twice each.
    const vectors = (factor) => {
      const numbers = [0, 1].flatMap((l) => [0, 1].flatMap((h) => tokens.flatMap((_, t) => Array(2).fill(factor * (100 * l + 10 * h + t)))));
      return {dims: [2, 2, size, 2], data: Float32Array.from(numbers)};
    };
    return {pattern: {dims: [2, 2, size, size], data}, q: vectors(1), k: vectors(-1), v: vectors(0.5)};
  },
};

async function shown(options, strict = true) {
  const computed = await viewer.compute(options, model);
  const state = viewer.prepare(options, computed, {strict});
  return {state, data: viewer.derive(state, computed)};
}

const quantity = async (name, args, keywords = {}) => ask(viewer, name, await shown({text: 'abac', layer: 2, head: 1}), args, keywords);

test('an author names the asking token by text or index, and is told what is wrong', async () => {
  assert.equal((await shown({text: 'abac', layer: 1, head: 1})).state.query, 3, 'the last if none is named');
  assert.equal((await shown({text: 'abac', layer: 1, head: 1, query: 'a#2'})).state.query, 2);
  assert.equal((await shown({text: 'abac', layer: 1, head: 1, query: '1'})).state.query, 1);
  for (const [options, option] of [
    [{query: 'a'}, 'query'],
    [{query: 'z'}, 'query'],
    [{query: '4'}, 'query'],
    [{layer: 3}, 'layer'],
    [{head: 3}, 'head'],
    [{text: ''}, 'text'],
    [{text: 'abcde'}, 'text'],
    [{key: 'z'}, 'key'],
    [{query: '1', key: 'c'}, 'key'],
  ]) {
    await assert.rejects(shown({text: 'abac', layer: 1, head: 1, ...options}), (error) => error instanceof AuthorError && error.option === option);
  }
});

test('a reader is never refused: what is out of range is clamped', async () => {
  const {state} = await shown({text: 'abac', layer: 9, head: -1, query: 99}, false);
  assert.deepEqual(state, {text: 'abac', layer: 2, head: 1, query: 3, key: null});
  assert.equal((await shown({text: 'abac', layer: 'x', head: NaN, query: 'nothing'}, false)).state.query, 3);
});

test('no text, the longest text and one token more all have their data', async () => {
  const empty = await shown({text: '', layer: 2, head: 2}, false);
  assert.deepEqual(empty.data, {tokens: [], dropped: 0, context: SIZE, habits: model.config.habits, pattern: [[[], []], [[], []]], vectors: Array(2).fill(Array(2).fill({q: [], k: [], v: []})), row: [], altered: false});
  for (const [text, dropped] of [['abac', 0], ['abacd', 1]]) {
    const {data} = await shown({text, layer: 2, head: 1}, false);
    assert.deepEqual([data.tokens.length, data.dropped, data.row], [SIZE, dropped, [0, 0, 1, 0]]);
  }
});

test('a weight that is to be explained is named like the token that asks; a later one is none', async () => {
  const of = async (options) => (await shown({text: 'abac', layer: 1, head: 1, ...options}, false)).state.key;
  assert.deepEqual([await of({key: 'a#2'}), await of({key: 1}), await of({}), await of({key: ''}), await of({key: 'z'})], [2, 1, null, null, null]);
  assert.equal(await of({query: 1, key: 3}), 1, 'of those that can be asked');
});

test('vectors travel with the page for the head whose weight is explained, and no other', async () => {
  const carried = async (options) => {
    const {data, state} = await shown({text: 'abac', layer: 2, head: 1, ...options});
    return viewer.carries(data, state).vectors;
  };
  assert.deepEqual(await carried({}), [[null, null], [null, null]]);
  const [[a, b], [c, d]] = await carried({key: 'c'});
  assert.deepEqual([a, b, d], [null, null, null]);
  assert.deepEqual(c, {q: [100, 101, 102, 103].map((x) => [x, x]), k: [-100, -101, -102, -103].map((x) => [x, x]), v: [50, 50.5, 51, 51.5].map((x) => [x, x])});
});

test('the row is a copy: to sort it leaves the pattern as it is', async () => {
  const {data} = await shown({text: 'abac', layer: 2, head: 1});
  data.row.sort();
  assert.deepEqual(data.pattern[1][0][3], [0, 0, 1, 0]);
});

test('quantities answer with their cells, layers and heads from 1', async () => {
  assert.deepEqual(await quantity('weight', ['c', 'a#2']), {value: 1, unit: 'share', cell: '2.1.3.2'});
  assert.deepEqual(await quantity('weight', ['b', 'c']), {value: 0, unit: 'share', cell: '2.1.1.3'}, 'a later token');
  assert.equal((await quantity('weight', ['c', 'b'], {layer: 1, head: 2})).value, 0.25);
  assert.deepEqual(await quantity('top', ['c']), {value: 'a', unit: 'text', cell: '2.1.3.2'});
  assert.equal((await quantity('largest', ['b'], {layer: 1})).value, 0.5);
  assert.equal((await quantity('entropy', ['c'], {layer: 1})).value, 2);
  assert.equal((await quantity('entropy', ['c'])).value, 0);
  assert.equal((await quantity('back', [1])).value, 1);
  assert.equal((await quantity('back', [3], {layer: 1})).value, 0.25);
  assert.deepEqual([(await quantity('layers', [])).value, (await quantity('heads', [])).value], [2, 2]);
  assert.equal((await quantity('tokens', [])).value, 4);
  assert.equal((await quantity('pieces', ['ba'])).value, 2);
  for (const [name, args, keywords] of [['weight', ['a', 'b']], ['weight', ['c', 'b'], {head: 3}], ['back', [4]], ['pieces', ['x']]]) {
    await assert.rejects(quantity(name, args, keywords), AuthorError);
  }
});

test('a matrix is one path for each level, and covers every seen cell once', () => {
  const matrix = [[1, 0, 0], [0.5, 0.5, 0], [0, 0.004, 0.9]];
  const area = {};
  for (const {level, d} of paths(matrix)) area[level] = [...d.matchAll(/h(\d+)v1/g)].reduce((sum, [, width]) => sum + Number(width), 0);
  const expected = {};
  for (const weight of matrix.flat().map(level).filter(Boolean)) expected[weight] = (expected[weight] ?? 0) + 1;
  assert.deepEqual(area, expected);
  assert.deepEqual(paths([]), []);
});

const box = ([left, top]) => ({left, right: left + 40, top, bottom: top + 40});
const walk = (way, places, rightToLeft = false) => (key, here) => way(key, {here, count: places.length, boxes: () => places.map(box), rightToLeft});

test('arrows follow the order of reading, up and down go to the nearest of the next line', () => {
  // 0 1 2
  // 3   4
  const places = [[0, 0], [50, 0], [100, 0], [0, 60], [100, 60]];
  const go = walk(inLines, places);
  assert.deepEqual([go('ArrowRight', 2), go('ArrowLeft', 3), go('ArrowRight', 4), go('ArrowLeft', 0)], [3, 2, 4, 0]);
  assert.deepEqual([go('ArrowDown', 2), go('ArrowUp', 4), go('ArrowUp', 0), go('ArrowDown', 3)], [4, 2, 0, 3]);
  assert.deepEqual([go('Home', 3), go('End', 1), go('a', 1)], [0, 4, null]);
  const back = walk(inLines, places, true);
  assert.deepEqual([back('ArrowRight', 1), back('ArrowLeft', 1)], [0, 2]);
});

test('where buttons stand is asked only by keys that depend on it', () => {
  const boxes = () => assert.fail('asked');
  for (const key of ['a', 'Tab', 'Enter', 'Home', 'End']) {
    for (const way of [inLines, inGrid]) way(key, {here: 1, count: 3, boxes, rightToLeft: false});
  }
  assert.equal(inLines('ArrowRight', {here: 1, count: 3, boxes, rightToLeft: false}), 2);
});

test('in a grid every arrow goes where it points, whether the document goes through it by row or by column', () => {
  const byColumn = walk(inGrid, [[0, 0], [0, 60], [0, 120], [50, 0], [50, 60], [50, 120]]);
  assert.deepEqual(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp'].map((key) => byColumn(key, 1)), [4, 1, 2, 0]);
  assert.deepEqual(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp'].map((key) => byColumn(key, 5)), [5, 2, 5, 4]);
  const byRow = walk(inGrid, [[0, 0], [50, 0], [100, 0], [0, 60], [50, 60], [100, 60]]);
  assert.deepEqual(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp'].map((key) => byRow(key, 1)), [2, 0, 4, 1]);
  assert.deepEqual(['Home', 'End', 'x'].map((key) => byRow(key, 2)), [0, 5, null]);
});

test('a download is told while it lasts, and not again for a model that is here', async () => {
  const told = async (life) => {
    const html = await collectResult(render(statusLine({status: 'awake', busy: true, message: '', wanted: null, ...life})));
    return html.replace(/<!--.*?-->/g, '');
  };
  assert.match(await told({received: 5e6, total: 15.4e6}), /Loading the model: 5\.0 of 15\.4 MB/);
  assert.doesNotMatch(await told({received: 15.4e6, total: 15.4e6}), /Loading|progress/);
  assert.match(await told({status: 'live', busy: false, difference: Infinity}), /do not match/);
});

test('the ramp of the style sheet has a class for every level and is strictly monotone in lightness, in both themes and in forced colours', () => {
  const css = readFileSync(new URL('../../static/css/theme.css', import.meta.url), 'utf8');
  const themes = css.split('prefers-color-scheme: dark').slice(0, 2).map((part) => part.split('forced-colors')[0]);
  for (const [theme, sign] of [[themes[0], -1], [themes[1], 1]]) {
    const lightness = [...theme.matchAll(/--ramp-(\d+): oklch\(([\d.]+)%/g)].map(([, step, light], index) => (assert.equal(Number(step), index), Number(light)));
    assert.equal(lightness.length, LEVELS + 1);
    lightness.slice(1).forEach((light, index) => assert.ok(sign * (light - lightness[index]) > 1, `step ${index + 1}: ${lightness[index]} to ${light}`));
  }
  const forced = [...css.split('forced-colors: active')[1].matchAll(/--ramp-(\d+): (?:canvas;|canvastext;|color-mix\(in oklch, canvastext (\d+)%, canvas\))/g)];
  const shares = forced.map(([text, , share]) => Number(share ?? (text.includes('canvastext') ? 100 : 0)));
  assert.equal(shares.length, LEVELS + 1);
  shares.slice(1).forEach((share, index) => assert.ok(share - shares[index] >= 8, `step ${index + 1} in the reader's own colours: ${shares[index]}% to ${share}%`));
  for (let step = 0; step <= LEVELS; step += 1) assert.match(css, new RegExp(`\\.ramp-${step} \\{\\s*fill: var\\(--ramp-${step}\\)`));
});

test('what a head was measured to do stands under the matrices and in the table of all heads', async () => {
  const drawn = async (options) => {
    const {state, data} = await shown(options);
    const life = {status: 'live', printed: null, lit: null, wanted: null, message: '', link: '#a', undo: null, reset: null};
    return (await collectResult(render(viewer.view(data, state, () => {}, life)))).replaceAll(/<!--.*?-->/g, '').replaceAll(/\s+/g, ' ');
  };
  const known = await drawn({text: 'abac', layer: 2, head: 1});
  const said = 'Layer 2, head 1, measured: looks at the token just before. That gets 91% of what a token spends, on average over those that have such a token before them, in 64 windows; ';
  assert.ok(known.includes(`${said}an even spread would give 4%, an untrained head 3%.`), known);
  assert.ok(known.includes('<td>previous token, 91%</td>'));
  assert.equal(known.match(/<td>none found<\/td>/g).length, 3);
  assert.ok((await drawn({text: 'abac', layer: 1, head: 2})).includes('Layer 1, head 2, measured: no role found.'));
});

test('every role that the shipped model was measured for can be said in words', () => {
  const {heads} = JSON.parse(readFileSync(new URL('../../model/artifacts/manifest.json', import.meta.url), 'utf8'));
  const roles = heads[0].roles.filter(({unit}) => unit === 'share').map(({name}) => name);
  assert.deepEqual(roles.filter((name) => !LOOKS_AT[name]), []);
  assert.equal(roles.length, Object.keys(LOOKS_AT).length);
});
