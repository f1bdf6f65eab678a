import assert from 'node:assert/strict';
import {test} from 'node:test';
import {UndoStack, equal} from '../../static/js/lib/undo.js';

test('steps are taken back one by one, to where each came from', () => {
  const steps = new UndoStack();
  assert.equal(steps.taken, false);
  steps.record({a: 1, b: 1}, ['a'], 0);
  steps.record({a: 2, b: 1}, ['b'], 10);
  assert.deepEqual(steps.last({a: 2, b: 2}), {a: 2, b: 1});
  assert.deepEqual(steps.back({a: 2, b: 2}), {a: 2, b: 1});
  assert.deepEqual(steps.back({a: 2, b: 1}), {a: 1, b: 1});
  assert.equal(steps.back({a: 1, b: 1}), undefined);
  assert.equal(steps.taken, true);
});

test('what is typed without a pause is one step, and what comes after a pause another', () => {
  const steps = new UndoStack();
  steps.record({a: ''}, ['a'], 0);
  steps.record({a: 'x'}, ['a'], 900);
  steps.record({a: 'xy'}, ['a'], 1800);
  steps.record({a: 'xyz'}, ['a'], 3000);
  assert.deepEqual(steps.back({a: 'xyz!'}), {a: 'xyz'});
  steps.record({a: 'xyz'}, ['a'], 3100);
  assert.deepEqual(steps.back({a: 'new'}), {a: 'xyz'}, 'nor does a step join one that was taken back');
  assert.deepEqual(steps.back({a: 'xyz'}), {a: ''});
});

test('what shall stand alone does, however soon it comes', () => {
  const steps = new UndoStack();
  steps.record({a: 1}, ['a'], 0);
  steps.pause();
  steps.record({a: 2}, ['a'], 1);
  assert.deepEqual(steps.back({a: 3}), {a: 2});
});

test('a step that led nowhere is none', () => {
  const steps = new UndoStack();
  steps.record({a: 1}, ['a'], 0);
  steps.record({a: 2}, ['b'], 0); // was clamped to where it stood
  assert.deepEqual(steps.back({a: 2}), {a: 1});
  assert.equal(steps.last({a: 1}), undefined);
});

test('thousands of steps do not pile up', () => {
  const steps = new UndoStack();
  for (let index = 0; index < 1000; index += 1) steps.record({a: index}, [`${index}`], index * 2000);
  let taken = 0;
  for (let now = {a: 1000}; (now = steps.back(now)); ) taken += 1;
  assert.equal(taken, 200);
});

test('states are equal by their values, whether a key is missing or null', () => {
  assert.ok(equal({a: 1, key: null}, {a: 1}));
  assert.ok(!equal({a: 1}, {a: '1'}));
});
