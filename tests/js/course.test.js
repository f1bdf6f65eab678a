import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Course, differ, isUndo} from '../../static/js/lib/course.js';

const figure = {
  options: {text: {type: 'string', required: true}, layer: {type: 'integer', default: 1}, query: {type: 'integer', follows: 'text'}},
  computes: ['text'],
};
const READER = {ofAwaited: false};

/** A course with a clock of its own, and a reader who sees at once what needs no model. */
class Reader {
  time = 0;

  constructor(state = {text: 'A', layer: 1, query: 9}) {
    this.course = new Course(figure, state, () => this.time);
  }

  wish(some, how = READER) {
    this.see(this.course.wish(some, how));
    return this;
  }

  jump(state) {
    this.see(this.course.jump(state));
    return this;
  }

  undo() {
    this.see(this.course.undo());
    return this.course.aim;
  }

  wait(ms = 2000) {
    this.time += ms;
    return this;
  }

  /** The model answers: a new text asks with its last token, 5. */
  answer() {
    this.course.state = {...this.course.wanted, query: this.course.wanted.query ?? 5};
    this.course.wanted = null;
    return this;
  }

  see(shown) {
    if (shown) this.course.state = shown;
  }
}

test('steps are taken back one by one, to where each came from', () => {
  const reader = new Reader().wish({query: 1}).wait().wish({layer: 2}).wait().wish({query: 3});
  assert.deepEqual(reader.undo(), {text: 'A', layer: 2, query: 1});
  assert.deepEqual(reader.undo(), {text: 'A', layer: 1, query: 1});
  assert.deepEqual(reader.undo(), {text: 'A', layer: 1, query: 9});
  assert.equal(reader.course.canUndo, false);
  assert.deepEqual(reader.undo(), {text: 'A', layer: 1, query: 9}, 'and nothing more');
});

test('what is typed without a pause is one step, whenever the model answers', () => {
  for (const answers of [[], [0], [1], [0, 1, 2]]) {
    const reader = new Reader();
    ['A ', 'A c', 'A ca', 'A cat'].forEach((text, index) => {
      reader.wish({text}).wait(200);
      if (answers.includes(index)) reader.answer();
    });
    if (reader.course.wanted) reader.answer();
    assert.deepEqual(reader.undo(), {text: 'A', layer: 1, query: 9}, String(answers));
  }
});

test('while a text is awaited, or never comes, what is chosen in the shown one is a step of its own', () => {
  const reader = new Reader().wish({text: 'B'}).wait();
  reader.wish({query: 1}).wait().wish({query: 2}).wait();
  assert.deepEqual([reader.course.state.query, reader.course.wanted.text], [2, 'B']);
  for (const query of [1, 9]) {
    reader.undo();
    assert.deepEqual([reader.course.state.query, reader.course.wanted.text], [query, 'B'], 'the text is still awaited');
  }
  reader.undo();
  assert.equal(reader.course.wanted, null);
  assert.equal(reader.course.canUndo, false);
});

test('what was chosen in the old text is no step any more once the new one has come', () => {
  const reader = new Reader().wish({text: 'B'}).wait().wish({query: 1}).wait().answer();
  reader.undo();
  assert.equal(reader.course.wanted?.text, 'A', 'straight back to the text before');
});

test('a jump is one with no other step, however soon they come', () => {
  const printed = {text: 'A', layer: 1, query: 9};
  const reader = new Reader().wish({query: 2}).jump(printed).wish({query: 4});
  assert.equal(reader.undo().query, 9);
  assert.equal(reader.undo().query, 2);
});

test('a step that leads nowhere is none', () => {
  const reader = new Reader().wish({query: 1}).wait().wish({query: 1}).wait().wish({layer: 2}).wait();
  reader.course.state = {...reader.course.state, layer: 1}; // was clamped
  assert.equal(reader.undo().query, 9);
});

test('thousands of steps do not pile up', () => {
  const reader = new Reader();
  for (let query = 0; query < 1000; query += 1) reader.wish({query}).wait();
  let taken = 0;
  for (; reader.course.canUndo; taken += 1) reader.undo();
  assert.equal(taken, 200);
});

test('a script means the text that it asked for before, a reader the one that is seen', () => {
  assert.equal(new Reader().wish({text: 'B'}).wish({query: 3}, {ofAwaited: true}).course.wanted.query, 3);
  const reader = new Reader().wish({text: 'B'}).wish({query: 3});
  assert.deepEqual([reader.course.state.query, reader.course.wanted.query], [3, undefined]);
});

test('states differ by their values, whether a key is missing or null', () => {
  assert.ok(!differ({a: 1, key: null}, {a: 1}));
  assert.ok(differ({a: 1}, {a: '1'}));
});

test('Ctrl-Z is undo, but not where a field has something of its own to undo', () => {
  globalThis.Element ??= class {};
  const inside = (found) => Object.assign(Object.create(globalThis.Element.prototype), {closest: (selector) => (found(selector) ? {} : null)});
  const press = (some) => {
    let prevented = false;
    const event = {key: 'z', ctrlKey: true, metaKey: false, shiftKey: false, altKey: false, target: null, preventDefault: () => (prevented = true), ...some};
    assert.equal(isUndo(event), prevented, 'what is undone is kept from the browser');
    return prevented;
  };
  assert.ok(press({}));
  assert.ok(press({key: 'Z', ctrlKey: false, metaKey: true}));
  for (const other of [{key: 'y'}, {ctrlKey: false}, {shiftKey: true}, {altKey: true}, {target: inside(() => true)}]) assert.ok(!press(other));
  assert.ok(press({target: inside(() => false)}));
});
