import assert from 'node:assert/strict';
import {test} from 'node:test';
import {LEVELS, clampWeight, level, percentages, thickness} from '../../static/js/lib/weight-scale.js';

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

test('every weight has a finite step and thickness, monotone from nothing to all', () => {
  let last = [0, 0];
  for (let i = 0; i <= 1000; i += 1) {
    const now = [level(i / 1000), thickness(i / 1000)];
    assert.ok(now.every(Number.isFinite) && now[0] >= last[0] && now[1] >= last[1], `at ${i / 1000}: ${now}`);
    assert.ok(Number.isInteger(now[0]) && now[0] <= LEVELS);
    last = now;
  }
  assert.deepEqual([level(0), thickness(0)], [0, 0]);
  assert.equal(level(1), LEVELS);
});

test('what is seen at all is seen: its step and thickness are above nothing', () => {
  assert.equal(level(0.004), 0);
  assert.ok(level(0.005) >= 1 && thickness(0.005) >= 1);
});

test('what is no weight is drawn as nothing or as all', () => {
  assert.deepEqual([NaN, -1, undefined, 2, Infinity].map(clampWeight), [0, 0, 0, 1, 1]);
  assert.deepEqual([level(NaN), thickness(NaN)], [0, 0]);
});

test('the per cents of a row add up to 100', () => {
  assert.deepEqual(percentages([1 / 3, 1 / 3, 1 / 3]), [34, 33, 33]);
  assert.deepEqual(percentages([1]), [100]);
  assert.deepEqual(percentages([0, 1]), [0, 100]);
  assert.deepEqual(percentages([0.005, 0.995]), [1, 99], 'equal losses: the earlier gains');
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let length = 1; length <= 128; length += 1) {
    const row = Array.from({length}, () => random() ** 4);
    const whole = percentages(row);
    assert.equal(sum(whole), 100, `${length} weights`);
    const exact = row.map((weight) => (weight / sum(row)) * 100);
    assert.ok(whole.every((part, i) => Math.abs(part - exact[i]) < 1), 'none is off by a whole per cent');
    assert.equal(Math.round(sum(percentages(row, 1)) * 10), 1000, 'with a decimal too');
  }
});

test('a row without weight has no per cents to give', () => {
  assert.deepEqual(percentages([0, 0]), [0, 0]);
  assert.deepEqual(percentages([NaN, 0]), [0, 0]);
  assert.deepEqual(percentages([]), []);
});
