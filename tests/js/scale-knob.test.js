import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {test} from 'node:test';
import {render} from '@lit-labs/ssr';
import {collectResult} from '@lit-labs/ssr/lib/render-result.js';
import knob from '../../static/js/figures/scale-knob.js';
import {STOPS, nearestStop} from '../../static/js/figures/scale-knob/controls.js';
import {PAIRS, row, spreads} from '../../static/js/figures/scale-knob/draws.js';
import {NUDGE, compare, side} from '../../static/js/figures/scale-knob/rows.js';
import {describe, factor, plain} from '../../static/js/figures/scale-knob/words.js';
import {AuthorError, ask} from '../../static/js/lib/figure.js';
import {softmax} from '../../static/js/lib/shares.js';

const numpy = JSON.parse(execFileSync('.venv/bin/python', ['-m', 'tests.js.knob_oracle'], {encoding: 'utf8', maxBuffer: 1e9}));
const PLACE = {dk: 64, seed: 1, keys: 12, nudge: 0};

const near = (got, wanted, tolerance, what) => {
  assert.equal(got.length, wanted.length, what);
  got.forEach((number, index) => assert.ok(Math.abs(number - wanted[index]) <= tolerance, `${what} ${index}: ${number}, not ${wanted[index]}`));
};

async function shown(some = {}, strict = true) {
  const wanted = {...PLACE, ...some};
  const computed = await knob.compute(wanted, undefined);
  const state = knob.prepare(wanted, computed, {strict});
  return {state, data: knob.derive(state, computed)};
}

test('the draws are those of the published algorithm, as numpy recomputes them', () => {
  for (const {seed, query, keys} of numpy.draws) {
    near(row(seed).query, query, 1e-12, `query of seed ${seed}`);
    row(seed).keys.forEach((key, index) => near(key, keys[index], 1e-12, `key ${index} of seed ${seed}`));
  }
});

test('scores and shares are numpy’s, at every d_k of the first numbers of the same vectors', () => {
  for (const {seed, rows} of numpy.draws) {
    for (const [dk, sides] of Object.entries(rows)) {
      const {raw, scaled} = compare({...PLACE, seed, dk: Number(dk)});
      [raw, scaled].forEach(({scores, weights}, index) => {
        near(scores, sides[index][0], 1e-9, `score at ${dk}`);
        near(weights, sides[index][1], 1e-9, `share at ${dk}`);
      });
    }
  }
});

test('the measured spread is numpy’s, and √d_k within its standard error', async () => {
  for (const {seed, spread} of numpy.draws) near(await spreads(seed), spread, 5.1e-5, `spread of seed ${seed}`);
  for (const seed of [2, 3, 4]) {
    (await spreads(seed)).forEach((spread, index) => {
      const dk = index + 1; // a score's fourth moment is 3 d² + 6 d
      const error = Math.sqrt((2 + 6 / dk) / PAIRS) / 2;
      assert.ok(Math.abs(spread / Math.sqrt(dk) - 1) < 4 * error, `seed ${seed}, d_k ${dk}: ${spread}`);
    });
  }
});

test('neighbouring seeds are strangers from the first numbers on', () => {
  for (let index = 0; index < 4; index += 1) {
    const positive = Array.from({length: 100}, (_, seed) => row(seed).query[index]).filter((number) => number > 0).length;
    assert.ok(positive > 30 && positive < 70, `number ${index} is positive for ${positive} of 100 seeds`);
  }
});

test('a slope is what a finite difference finds, also where a share is all but 1', () => {
  const scores = [0.3, -1, 2, 2.5];
  const {slopes} = side(scores, -1);
  slopes.forEach((slope, index) => {
    const step = 1e-6;
    const moved = (by) => softmax(scores.map((score, place) => (place === index ? score + by : score))).shares[index];
    assert.ok(Math.abs((moved(step) - moved(-step)) / (2 * step) - slope) < 1e-9);
  });
  const {weights, slopes: flat} = side([60, 0], -1);
  assert.equal(weights[0], 1);
  near(flat.map((slope) => slope / Math.exp(-60)), [1, 1], 1e-12, 'not lost in the difference from 1');
});

test('a nudge moves one score by one step on each side, and the shares still add up', () => {
  const {raw, scaled} = compare({...PLACE, nudge: 3});
  for (const {scores, moved, weights} of [raw, scaled]) {
    near(moved, softmax(scores.map((score, index) => score + (index === 2 ? NUDGE : 0))).shares, 1e-15, 'moved');
    assert.ok(moved[2] > weights[2]);
    assert.ok(Math.abs(moved.reduce((sum, share) => sum + share, 0) - 1) < 1e-12);
  }
});

test('undivided the row collapses, and its slopes with it; divided it stays as it is: in the average of a hundred draws', () => {
  const means = (dk, pick) => Array.from({length: 100}, (_, seed) => pick(compare({...PLACE, seed, dk}))).reduce((sum, x) => sum + x, 0) / 100;
  const largest = (name) => (both) => Math.max(...both[name].weights);
  const slope = (name) => (both) => Math.max(...both[name].slopes);
  assert.ok(means(512, largest('raw')) > 0.9);
  assert.ok(means(512, slope('raw')) < 0.06);
  for (const dk of [16, 64, 512]) {
    assert.ok(Math.abs(means(dk, largest('scaled')) - 0.3) < 0.06);
    assert.ok(means(dk, slope('scaled')) > 0.15);
  }
});

test('no score leaves its axis at any d_k, and no nudge drives it out', () => {
  assert.equal(compare({...PLACE, seed: 14, dk: 192}).limit, 60, 'key 10 comes to 49.38, and nudged to 50.38');
  for (let seed = 0; seed < 150; seed += 1) {
    for (const keys of [2, 12, 32]) {
      for (const dk of STOPS) {
        const {raw, scaled, limit} = compare({...PLACE, seed, keys, dk});
        const ends = [...raw.scores, ...scaled.scores].flatMap((score) => [Math.abs(score), score + NUDGE]);
        assert.ok(Math.max(...ends) <= limit, `seed ${seed}, ${keys} keys, d_k ${dk}: ${Math.max(...ends)} on an axis to ${limit}`);
        assert.equal(limit % 10, 0);
      }
    }
  }
});

test('quantities answer of any d_k on either side, with their cells', async () => {
  const here = await shown();
  const get = (name, keywords = {}) => ask(knob, name, here, [], keywords);
  const {raw, scaled} = compare({...PLACE, dk: 512});
  assert.deepEqual(get('spread', {dk: 512}), {value: here.data.spread[511], unit: 'number', cell: '512.0.0'});
  assert.equal(get('spread', {scaled: 1}).value, here.data.spread[63] / 8);
  assert.deepEqual(get('largest', {dk: 512, scaled: 1}), {value: Math.max(...scaled.weights), unit: 'share', cell: '512.1.1'});
  assert.deepEqual(get('lead', {dk: 512}), {value: raw.lead, unit: 'number', cell: '512.0.1'});
  assert.deepEqual(get('slope', {dk: 512}), {value: Math.max(...raw.slopes), unit: 'number', cell: '512.0.2'});
  assert.deepEqual([get('root').value, get('root', {dk: 1}).value, get('products').value, get('keys').value], [8, 1, 1000, 12]);
  for (const keywords of [{dk: 0}, {dk: 513}, {dk: 1.5}, {scaled: 2}, {scaled: 'no'}]) {
    assert.throws(() => get('largest', keywords), (error) => error instanceof AuthorError && error.option in keywords);
  }
});

test('a nudge of the reader’s does not change what the prose says', async () => {
  const here = await shown({nudge: 4});
  assert.equal(ask(knob, 'largest', here, [], {}).value, Math.max(...compare(PLACE).raw.weights));
});

test('an author is told of a key that is not there, a reader’s link is read as far as it goes', async () => {
  await assert.rejects(shown({keys: 4, nudge: 5}), (error) => error instanceof AuthorError && error.option === 'nudge');
  assert.equal((await shown({keys: 4, nudge: 5}, false)).state.nudge, 0);
});

test('the knob stops at every useful width and stands nearest to any other', () => {
  assert.deepEqual([STOPS[0], STOPS.at(-1)], [1, 512]);
  STOPS.forEach((stop, index) => assert.equal(nearestStop(stop), index));
  assert.deepEqual([100, 500, 5, 511].map((dk) => STOPS[nearestStop(dk)]), [96, 512, 6, 512]);
});

test('a number is written as prose writes it, and a factor is what a calculator says of the printed lead', () => {
  for (const [number, told] of numpy.numbers.filter(([number]) => number === 0 || Math.abs(number) > 1e-6)) assert.equal(plain(number), told);
  assert.deepEqual([plain(3.4e-9), plain(2e12)], ['3.4 × 10⁻⁹', '2 × 10¹²']);
  assert.deepEqual([factor(0), factor(4.4041), factor(0.5505), factor(60)], ['1', '81', '1.7', '1.1 × 10²⁶']);
});

test('the sentence says what is seen', async () => {
  const words = async (some) => {
    const {state, data} = await shown(some);
    return describe(data, state);
  };
  assert.equal(
    await words({}),
    'With 64 numbers in each query and key, dot products spread by 7.8, and √64 is 8. Undivided, the best leads the next by 4.4, and softmax makes of that lead a factor of about 81: key 4 gets 98% of the budget. Divided by 8, as scores, the lead is 0.551 and the factor about 1.7: key 4 gets 31%.',
  );
  assert.match(await words({dk: 1}), /^With one number .* To divide by 1 changes nothing: key 8 gets 23% of the budget either way\.$/);
  assert.match(await words({dk: 512, nudge: 1}), /Nudged up by 1, key 1 stays at <0\.1% undivided, and goes from 2% to 5% divided\.$/);
});

test('every picture is whole and finite', async () => {
  const life = {status: 'printed', lit: null, printed: null, stepped: false, undo: null, reset: null, link: '#'};
  for (const [dk, keys, nudge] of [[1, 2, 0], [1, 32, 32], [512, 32, 1], [511, 2, 2], [64, 12, 0]]) {
    const {state, data} = await shown({dk, keys, nudge, seed: 999_999});
    const html = await collectResult(render(knob.view(data, state, () => {}, life)));
    assert.doesNotMatch(html, /NaN|Infinity|undefined|="-\d[^"]*%"/);
    assert.equal(html.match(/data-key/g)?.length, 6 * keys);
    const sums = [...html.matchAll(/<td class="number"><!--[^>]*-->([\d.]+)<!--\/lit-part-->%/g)].map(([, share]) => Number(share));
    assert.equal(sums.length, 2 * keys);
    assert.ok(Math.abs(sums.reduce((sum, share) => sum + share, 0) - 200) < 1e-6);
  }
});

test('only what is divided is called a score, as the prose has it', async () => {
  const life = {status: 'printed', lit: null, printed: null, stepped: false, undo: null, reset: null, link: '#'};
  const {state, data} = await shown({nudge: 4});
  const html = (await collectResult(render(knob.view(data, state, () => {}, life)))).replace(/<!--.*?-->/gs, '');
  const told = html.replace(/<[^>]*>/g, ' ').match(/.{30}\bscores?\b/gi);
  const known = [/Dot products and scores$/, /Divided by 8, as scores$/, /Dot product +Share +Slope +Score$/];
  assert.deepEqual(told?.filter((words) => !known.some((right) => right.test(words))), []);
  assert.match(html, /Spread of 1,000 dot products/);
});
