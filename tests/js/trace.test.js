import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {test} from 'node:test';
import {render} from '@lit-labs/ssr';
import {collectResult} from '@lit-labs/ssr/lib/render-result.js';
import {addends, enclosed, signed, written} from '../../static/js/lib/trace/rounding.js';
import {steps} from '../../static/js/lib/trace/steps.js';
import {multiply, weigh} from '../../static/js/lib/trace/weigh.js';
import {faces, names as called} from '../../static/js/lib/words.js';

/** Seeded, so that a failure comes again. */
function dice(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** What a reader with a pencil reads. */
const read = (text) => Number(text.replace('−', '-'));

test('every number of a row is what numpy finds, masked or not, near 0 or far from it', () => {
  const cases = JSON.parse(execFileSync('.venv/bin/python', ['tests/js/trace_oracle.py'], {encoding: 'utf8', maxBuffer: 1e8}));
  for (const {q, k, v, masked, expected} of cases) {
    const found = weigh({q, k, v}, {masked: (index) => masked[index]});
    for (const name of ['dots', 'scores', 'weights', 'blend']) {
      found[name].forEach((number, index) => {
        const scale = Math.max(1, Math.abs(expected[name][index]));
        assert.ok(Math.abs(number - expected[name][index]) <= 1e-9 * scale, `${name}[${index}] is ${number}, numpy says ${expected[name][index]}`);
      });
    }
    assert.ok(Math.abs(found.exps.reduce((a, b) => a + b) - found.total) < 1e-9 * found.total);
    assert.ok(found.exps.every((exp, index) => !masked[index] || exp === 0));
  }
});

test('the numbers of the book, worked out by hand', () => {
  const by = (...diagonal) => diagonal.map((number, i) => diagonal.map((_, j) => (i === j ? number : 0)));
  const x = [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]];
  const q = multiply(x, by(2, 2, 2, 2))[2];
  const {scores, exps, weights, blend, shift} = weigh({q, k: multiply(x, by(0.5, 0.5, 0.5, 0.5)), v: multiply(x, by(1, 2, 3, 4))});
  assert.deepEqual(q, [2, 2, 0, 0]);
  assert.deepEqual(scores, [0.5, 0.5, 1]);
  assert.equal(shift, 0);
  assert.deepEqual(addends(exps).parts, ['1.649', '1.649', '2.718']);
  assert.equal(addends(exps).sum, '6.016');
  assert.deepEqual(addends(weights.map((weight) => weight * 100), 1).parts, ['27.4', '27.4', '45.2']);
  assert.deepEqual(blend.map((number) => written(number)), ['0.726', '1.452', '0.822', '1.096']);
});

test('taking the greatest score away changes no weight and leaves nothing that overflows', () => {
  const of = (score) => weigh({q: [1], k: [[score], [score - 1], [score - 800]], v: [[1], [2], [3]]});
  const near = of(0);
  for (const score of [5, 5.001, 800, 1e6, -5, -5.001, -800, -1e6]) {
    const {weights, exps, total, shift} = of(score);
    assert.equal(shift !== 0, Math.abs(score) > 5, `at ${score}`);
    weights.forEach((weight, index) => assert.ok(Math.abs(weight - near.weights[index]) < 1e-9));
    assert.ok([...exps, total].every(Number.isFinite) && total > 0);
  }
});

test('what is shown adds up, no part is off by a whole last digit, and what is exact stays as it is', () => {
  const chance = dice(7);
  for (let round = 0; round < 3000; round += 1) {
    const places = Math.floor(chance() * 4);
    const unit = 10 ** -places;
    const scale = 10 ** Math.floor(chance() * 7 - 3);
    const numbers = Array.from({length: 1 + Math.floor(chance() * 9)}, () => {
      const kind = chance();
      if (kind < 0.2) return 0;
      return kind < 0.4 ? Math.round(chance() * 20 - 10) : (chance() - 0.5) * scale;
    });
    const {parts, sum, exact, shifted} = addends(numbers, places);
    const total = numbers.reduce((all, number) => all + number, 0);
    const units = (text) => Math.round(read(text) / unit);
    assert.equal(parts.reduce((all, part) => all + units(part), 0), units(sum), `${numbers} to ${places} places: ${parts} is not ${sum}`);
    assert.ok(Math.abs(read(sum) - total) <= unit * (0.5 + 1e-5), `${sum} is not ${total}`);
    parts.forEach((part, index) => {
      assert.ok(Math.abs(read(part) - numbers[index]) < unit * (1 + 1e-5), `${part} is far from ${numbers[index]}`);
      if (exact[index]) assert.ok(Math.abs(read(part) - numbers[index]) < 1e-5 * unit, `${part} was exact: ${numbers[index]}`);
    });
    const nearest = parts.filter((part, index) => Math.abs(read(part) - numbers[index]) <= unit * (0.5 + 1e-5));
    assert.ok(parts.length - nearest.length <= shifted);
  }
});

test('a number that is not rounded has no empty zeros; one that is has all its places', () => {
  assert.deepEqual([0, -0, 2, -0.5, 0.1 + 0.2, 1 / 3, -2 / 3, 1e-9, 0.9996, 12.0004, 1234567].map((number) => written(number)), [
    '0', '0', '2', '−0.5', '0.3', '0.333', '−0.667', '0.000', '1.000', '12.000', '1234567',
  ]);
  assert.deepEqual(addends([100 / 3, 100 / 3, 100 / 3], 1), {parts: ['33.4', '33.3', '33.3'], sum: '100', exact: [false, false, false], shifted: 1});
  assert.deepEqual([enclosed('−2'), enclosed('2')], ['(−2)', '2']);
  assert.deepEqual([signed('−2'), signed('2')], [['−', '2'], ['+', '2']]);
});

/** The three steps as text. */
async function spelled(numbers, how) {
  const printed = await collectResult(render(steps(numbers, {choose() {}, faces: how.names.map((letters) => ({letters, part: null, number: null})), ...how})));
  const html = printed.replace(/<!--.*?-->|<\?>/g, '');
  const tables = html.split('<table').slice(1).map((table) => table.split('<tr').slice(1).map((row) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => cell.replace(/<span class="trace-room.*?<\/span>|<[^>]*>|\s/gs, ''))));
  return {html, tables, text: html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')};
}

test('with 32 dimensions and 128 tokens there is a row for each dimension of the picked pair, and what is masked is one row', async () => {
  const chance = dice(3);
  const vector = (size) => Array.from({length: size}, () => chance() * 4 - 2);
  const numbers = weigh({q: vector(32), k: Array.from({length: 128}, () => vector(32)), v: Array.from({length: 128}, () => vector(32))}, {masked: (index) => index > 100});
  const names = Array.from({length: 128}, (_, index) => `«t${index}»`);
  const {html, text, tables: [match, budget, blend]} = await spelled(numbers, {names, query: 100, key: 4, wide: true});
  const add = (texts) => texts.reduce((all, cell) => all + Math.round(1000 * read(cell.replace(/[+=%]/g, ''))), 0);
  assert.equal(match.length, 34);
  assert.equal(add(match.slice(1, -1).map((row) => row[2])), add(match.at(-1)), 'the products add up to q·k');
  for (const column of [-3, -2]) assert.equal(add(budget.slice(1, -1).map((row) => row.at(column))), add([budget.at(-1).at(column)]), 'exps and weights add up');
  for (const row of blend.slice(1)) assert.equal(add(row.slice(0, -1)), add(row.slice(-1)), `${row} adds up`);
  assert.equal((html.match(/data-key=/g) ?? []).length, 101);
  assert.match(text, /27 masked/);
  assert.doesNotMatch(text, /NaN|Infinity|undefined/);
  assert.match(text, /\d others/);
  assert.match(text, new RegExp(`add up to ${written(numbers.dots[4])}`));
});

test('a single token, all zeros and the first of a masked row are finite and say so', async () => {
  const one = await spelled(weigh({q: [0], k: [[0]], v: [[0]]}), {names: ['«a»'], query: 0, key: 0});
  assert.match(one.text, /«a» gives itself: 0 ÷ 1 = 0; .* 1 ÷ 1 = 100%/);
  const first = await spelled(weigh({q: [1], k: [[1], [1]], v: [[1], [1]]}, {masked: (index) => index > 0}), {names: ['«a»', '«b»'], query: 0, key: 1});
  assert.match(first.text, /masked, −∞; .* = 0; 0 ÷ 2\.718 = 0%/);
  for (const {text} of [one, first]) assert.doesNotMatch(text, /NaN|Infinity|undefined/);
});

/** One query of one number against keys of one number, each with a value of one. */
const row = (q, keys, values) => weigh({q, k: keys, v: values});

test('what is rounded is not said to be equal: a dot product, and a number of the blend', async () => {
  const scene = {names: ['«a»', '«b»'], query: 0, key: 0};
  const exact = await spelled(row([0.5, 2], [[1, 1], [0, 0]], [[1], [1]]), scene);
  assert.match(exact.text, /«a» asks itself: 0\.5 × 1 \+ 2 × 1 = 2\.5/);
  const rounded = await spelled(row([0.125, 0.333], [[0.125, 1], [0, 0]], [[1], [1]]), scene);
  assert.match(rounded.text, /«a» asks itself: 0\.125 × 0\.125 \+ 0\.333 × 1 ≈ 0\.349/);
  assert.match(rounded.text, /Number 1: [\d.]+% × 1 \+ [\d.]+% × 1 ≈ 0\.\d{3} \+ 0\.\d{3} = 1/);
  const even = await spelled(row([0], [[1], [1]], [[2], [4]]), scene);
  assert.match(even.text, /Number 1: 50% × 2 \+ 50% × 4 = 1 \+ 2 = 3/);
  const alone = (value) => spelled(weigh({q: [0], k: [[0]], v: [[value]]}), {names: ['«a»'], query: 0, key: 0});
  assert.match((await alone(2)).text, /Number 1: 100% × 2 = 2 /);
  assert.match((await alone(1 / 3)).text, /Number 1: 100% × 0\.333 ≈ 0\.333 /);
  const wide = await spelled(row([0.333, 0.333], [[1, 1], [0, 0]], [[1], [0.5]]), {...scene, wide: true});
  assert.match(wide.text, /Number 1: 61\.6% × 1 ≈ 0\.\d{3} from «a»/);
});

test('a step says that it is rounded when anything in it is, also a value of which nothing is taken', async () => {
  const blend = async (value) => {
    const {html} = await spelled(weigh({q: [0], k: [[0], [0]], v: [[1], [value]]}, {masked: (index) => index > 0}), {names: ['«a»', '«b»'], query: 0, key: 0});
    return html.split('<li>')[3];
  };
  assert.doesNotMatch(await blend(0.5), /Shown rounded/);
  assert.match(await blend(1 / 3), /Shown rounded; worked out with all digits/);
});

test('weights are shown to a tenth of a per cent, and a moved last digit is owned to', async () => {
  const scene = (count) => ({names: Array.from({length: count}, (_, index) => `«${index}»`), query: 0, key: 0});
  const thirds = await spelled(row([0], [[0], [0], [0]], [[0], [0], [0]]), scene(3));
  assert.deepEqual(thirds.tables[1].slice(1).map((cells) => cells.at(-2)), ['33.4%', '33.3%', '33.3%', '100%']);
  assert.match(thirds.text, /Shown rounded, and one last digit moved by one so that what is shown adds up/);
  const sixths = await spelled(row([0], Array(6).fill([0]), Array(6).fill([0])), scene(6));
  assert.match(sixths.text, /Shown rounded, and 2 last digits moved by one so/);
});

test('only the letters of a token may turn around: its part, its number and its quotation marks stand outside', async () => {
  const token = (id, text, start, end) => ({id, text, start, end});
  const tokens = [token(0, 'a', 0, 1), token(1, ' ל', 1, 3), token(2, 'ל', 2, 3), token(3, ' «b»', 3, 7), token(4, ' «b»', 7, 11)];
  const numbers = row([1], Array(5).fill([1]), Array(5).fill([1]));
  for (const wide of [false, true]) {
    const {html} = await spelled(numbers, {names: called(tokens), faces: faces(tokens), query: 2, key: 2, wide});
    const turned = [...html.matchAll(/<bdi[^>]*>(.*?)<\/bdi>/gs)].map(([, inside]) => inside);
    assert.deepEqual([...new Set(turned)].sort(), wide ? ['a', '«b»', 'ל'] : ['a', '«b»', 'ל']);
    assert.match(html, /ל<\/bdi><span class="trace-part"> part 2<\/span>/);
    assert.match(html, /«b»<\/bdi><sub>4<\/sub>/);
    assert.match(html, /<span translate="no">«\u2068ל\u2069» part 2<\/span> asks itself/);
  }
});

test('what is spelled out unasked is not said to be pressed', async () => {
  const numbers = row([1], [[0], [1]], [[1], [1]]);
  const pressed = async (picked) => ((await spelled(numbers, {names: ['«a»', '«b»'], query: 0, key: 1, picked})).html.match(/aria-pressed="true"/g) ?? []).length;
  assert.deepEqual([await pressed(false), await pressed(true)], [0, 3]);
});
