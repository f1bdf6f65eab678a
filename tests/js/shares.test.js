import assert from 'node:assert/strict';
import {test} from 'node:test';
import {shared} from '../../static/js/figures/attention-viewer/heads.js';
import {apportion, entropy, greatest, softmax} from '../../static/js/lib/shares.js';

test('a row is as spread out as the tokens that would share it evenly are many', () => {
  assert.equal(shared([0.5, 0.5]), 2);
  for (const count of [1, 2, 3, 8, 128]) {
    const row = [...Array(count).fill(1 / count), 0];
    assert.ok(Math.abs(shared(row) - count) < 1e-9, `${count}`);
    assert.ok(Math.abs(entropy(row) - Math.log2(count)) < 1e-9);
  }
  assert.equal(entropy([0.5, 0.25, 0.25]), 1.5);
});

test('the greatest is the first of equals', () => {
  assert.deepEqual([[1, 3, 3], [-2], [-1, -5]].map(greatest), [1, 0, 0]);
});

test('shares are in proportion to e^score, finite however great it is, and none for −∞', () => {
  const {exps, total, shares} = softmax([0, Math.log(3), -Infinity], 0);
  assert.deepEqual([exps[0], exps[2], shares[2]], [1, 0, 0]);
  assert.ok(Math.abs(total - 4) < 1e-12 && Math.abs(shares[1] - 0.75) < 1e-12);
  assert.deepEqual(softmax([5000, 5000, -5000]).shares, [0.5, 0.5, 0]);
});

test('integers that add up go to those that lost most, the earlier of equals', () => {
  assert.deepEqual(apportion([1.2, 1.7, 1.1], 4), [1, 2, 1]);
  assert.deepEqual(apportion([0.5, 0.5], 1), [1, 0]);
  assert.deepEqual(apportion([-0.5, 1.5], 1), [0, 1]);
  assert.deepEqual(apportion([2.9999999, 1], 4, () => 1e-6), [3, 1]);
});
