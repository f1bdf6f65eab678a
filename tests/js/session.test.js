import assert from 'node:assert/strict';
import {afterEach, beforeEach, mock, test} from 'node:test';
import {Session} from '../../static/js/model/session.js';

const asset = (bytes) => ({url: 'https://example.org/x', bytes});
const ASSETS = {worker: asset(1), wasm: asset(14_200_000), model: asset(1_300_000), tokenizer: asset(100_000), config: {layers: 2}};

/** A worker that does what the test says. */
class FakeWorker {
  sent = [];
  ended = false;
  postMessage(message) {
    this.sent.push(message);
  }
  terminate() {
    this.ended = true;
  }
  say(message) {
    this.onmessage?.({data: message});
  }
  answer(ok) {
    this.say({type: 'answer', id: this.sent.at(-1).id, ok});
  }
}

function open() {
  const workers = [];
  const session = new Session(ASSETS, {
    createWorker: () => {
      workers.push(new FakeWorker());
      return workers.at(-1);
    },
  });
  return {session, workers};
}

const soon = () => new Promise((resolve) => setImmediate(resolve));
const seconds = (count) => mock.timers.tick(count * 1000);

beforeEach(() => mock.timers.enable({apis: ['setInterval']}));
afterEach(() => mock.timers.reset());

test('nothing is loaded before it is asked for, and then once for all', async () => {
  const {session, workers} = open();
  assert.equal(workers.length, 0);
  session.start();
  session.start();
  assert.equal(workers.length, 1);
  assert.equal(session.status, 'loading');
});

test('calls wait for the start and are answered each with its own answer', async () => {
  const {session, workers} = open();
  const [first, second] = [session.encode('a'), session.run({tokens: [1]}, ['pattern'])];
  await soon();
  assert.deepEqual(workers[0].sent.map(({type}) => type), ['start']);
  workers[0].say({type: 'ready'});
  await soon();
  const [, a, b] = workers[0].sent;
  workers[0].say({type: 'answer', id: b.id, ok: 'of b'});
  workers[0].say({type: 'answer', id: a.id, ok: 'of a'});
  assert.deepEqual(await Promise.all([first, second]), ['of a', 'of b']);
});

test('an answer may be an error, and the session goes on', async () => {
  const {session, workers} = open();
  const call = session.encode('a');
  workers[0].say({type: 'ready'});
  await soon();
  workers[0].say({type: 'answer', id: workers[0].sent.at(-1).id, error: 'too long'});
  await assert.rejects(call, /^Error: too long$/);
  assert.equal(session.status, 'ready');
});

test('progress counts bytes, and each step is told', async () => {
  const {session, workers} = open();
  const told = [];
  session.addEventListener('change', () => told.push([session.status, session.received]));
  session.start();
  workers[0].say({type: 'progress', received: 5, total: 15_600_000});
  workers[0].say({type: 'ready'});
  assert.deepEqual(told, [['loading', 0], ['loading', 5], ['ready', 5]]);
  assert.equal(session.total, 15_600_000);
});

test('30 s without a byte end the worker, and say how far it came', async () => {
  const {session, workers} = open();
  const call = session.encode('a');
  seconds(29);
  workers[0].say({type: 'progress', received: 1_234_567, total: 15_600_000});
  seconds(29);
  assert.equal(session.status, 'loading');
  seconds(1);
  await assert.rejects(call, /^Error: the download stalled after 1.2 of 15.6 MB$/);
  assert.equal(session.status, 'failed');
  assert.ok(workers[0].ended);
});

test('a start that hangs after the download is told as that', async () => {
  const {session, workers} = open();
  const start = session.start();
  workers[0].say({type: 'progress', received: 15_600_000, total: 15_600_000});
  seconds(30);
  await assert.rejects(start, /was downloaded, but did not start within 30 seconds/);
});

test('a run that hangs is told too, while idle hours are no silence', async () => {
  const {session, workers} = open();
  session.start();
  workers[0].say({type: 'ready'});
  seconds(7200);
  assert.equal(session.status, 'ready');
  const call = session.run({tokens: [1]}, ['pattern']);
  await soon();
  seconds(30);
  await assert.rejects(call, /has not answered for 30 seconds/);
});

for (const [what, crash, message] of [
  ['says why it failed', (worker) => worker.say({type: 'failed', message: 'this device did not have enough memory'}), /not have enough memory/],
  ['throws', (worker) => worker.onerror({message: 'RangeError: x', preventDefault() {}}), /worker stopped: RangeError: x/],
  ['cannot be loaded', (worker) => worker.onerror({preventDefault() {}}), /code of the model's worker could not be loaded/],
  ['sends what cannot be read', (worker) => worker.onmessageerror(), /could not be read/],
]) {
  test(`a worker that ${what} rejects all that waits, and every later call, until a retry`, async () => {
    const {session, workers} = open();
    const calls = [session.encode('a'), session.encode('b')];
    await soon();
    crash(workers[0]);
    for (const call of [...calls, session.encode('c'), session.start()]) await assert.rejects(call, message);
    assert.match(session.message, message);
    assert.equal(workers.length, 1, 'nothing is fetched again unasked');

    const again = session.retry();
    assert.equal(session.status, 'loading');
    assert.equal(session.received, 0);
    workers[1].say({type: 'ready'});
    await again;
    const call = session.encode('d');
    await soon();
    workers[1].answer('d');
    assert.equal(await call, 'd');
    assert.ok(workers[0].ended && !workers[1].ended);
  });
}

test('a worker that breaks after it was ready rejects the call under way', async () => {
  const {session, workers} = open();
  session.start();
  workers[0].say({type: 'ready'});
  const call = session.encode('a');
  await soon();
  workers[0].onerror({message: 'out of memory', preventDefault() {}});
  await assert.rejects(call, /out of memory/);
  await assert.rejects(session.encode('b'), /out of memory/);
});

test('a browser that refuses workers is told as that', async () => {
  const session = new Session(ASSETS, {
    createWorker() {
      throw new Error('blocked');
    },
  });
  await assert.rejects(session.start(), /worker could not be started \(blocked\)/);
});

test('a worker that cannot be fetched while the line is down is told as that', async () => {
  const {session, workers} = open();
  const start = session.start();
  const was = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', {value: {onLine: false}, configurable: true});
  workers[0].onerror({preventDefault() {}});
  if (was) Object.defineProperty(globalThis, 'navigator', was);
  else delete globalThis.navigator;
  await assert.rejects(start, /could not be fetched; is the connection lost\?/);
});

test('the clock ticks only while the worker owes a word', async () => {
  const ticking = new Set();
  const [start, stop] = [globalThis.setInterval, globalThis.clearInterval];
  mock.method(globalThis, 'setInterval', (...args) => {
    const clock = start(...args);
    ticking.add(clock);
    return clock;
  });
  mock.method(globalThis, 'clearInterval', (clock) => {
    ticking.delete(clock);
    stop(clock);
  });
  const {session, workers} = open();
  session.start();
  assert.equal(ticking.size, 1, 'the start is awaited');
  workers[0].say({type: 'ready'});
  assert.equal(ticking.size, 0);
  const calls = [session.encode('a'), session.encode('b')];
  await soon();
  assert.equal(ticking.size, 1, 'two answers are awaited');
  const [, a, b] = workers[0].sent;
  workers[0].say({type: 'answer', id: a.id, ok: 'a'});
  assert.equal(ticking.size, 1);
  workers[0].say({type: 'answer', id: b.id, ok: 'b'});
  await Promise.all(calls);
  assert.equal(ticking.size, 0);
  mock.restoreAll();
});

test('a runtime that breaks in a run ends its worker, and a retry begins with a fresh one', async () => {
  const {session, workers} = open();
  const call = session.run({tokens: [1]}, ['pattern']);
  workers[0].say({type: 'ready'});
  await soon();
  workers[0].say({type: 'failed', message: 'this device did not have enough memory'});
  await assert.rejects(call, /not have enough memory/);
  assert.ok(workers[0].ended);
  session.retry();
  assert.equal(workers.length, 2);
});
