import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {before, test} from 'node:test';
import {INPUTS, OUTPUTS, RequestError, checkNames, checkRequest, explain} from '../../static/js/model/contract.js';
import {Tokenizer, withSpans} from '../../static/js/model/tokenizer.js';
import {Runner} from '../../static/js/model/worker.js';
import {artifact, askPython} from './oracle.js';

/** @type {ReturnType<typeof askPython>} */ let python;
/** @type {Tokenizer} */ let tokenizer;
/** @type {Runner} */ let runner;
const wasm = new Uint8Array(readFileSync('node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm'));

before(async () => {
  python = askPython();
  tokenizer = new Tokenizer(JSON.parse(readFileSync('model/artifacts/tokenizer.json', 'utf8')));
  runner = await Runner.start({wasm, model: artifact('model.onnx'), tokenizer: artifact('tokenizer.json')}, python.config);
});

test('ids and spans equal those of Python on 2,000 strings of every script', () => {
  assert.equal(python.texts.length, 2000);
  for (const [text, expected] of python.texts) {
    const found = tokenizer.encode(text).tokens.map(({id, start, end}) => [id, start, end]);
    assert.deepEqual(found, expected, JSON.stringify(text));
  }
});

test('the spans of a text cover it exactly, and each token is the text of its span', () => {
  for (const [text] of python.texts) {
    const whole = text.toWellFormed();
    let end = 0;
    for (const token of tokenizer.encode(text).tokens) {
      assert.ok(token.start <= end && token.end >= end, JSON.stringify(text));
      assert.equal(token.text, whole.slice(token.start, token.end));
      end = token.end;
    }
    assert.equal(end, whole.length, JSON.stringify(text));
  }
});

test('tokens that share a character share its span', () => {
  const spans = withSpans('né!', [1, 2, 3], ['nÃ', '©', '!']).map(({text, start, end}) => [text, start, end]);
  assert.deepEqual(spans, [['né', 0, 2], ['é', 1, 2], ['!', 2, 3]]);
});

for (const [what, text, ids, spellings, message] of [
  ['have more bytes', 'a', [1, 2], ['a', 'b'], /more bytes than the text/],
  ['end before the text', 'ab', [1], ['a'], /fewer bytes than the text/],
  ['end inside its last character', 'né', [1], ['nÃ'], /fewer bytes than the text/],
  ['have one without bytes', 'a', [1, 2], ['a', ''], /token 2 has no bytes/],
]) {
  test(`tokens that ${what} are not those of the text`, () => assert.throws(() => withSpans(text, ids, spellings), message));
}

test('the first tokens of a text may end before it', () => {
  assert.equal(withSpans('ab', [1], ['a', 'b']).length, 1);
});

test('a limit cuts the tokens and still counts them all', () => {
  const whole = tokenizer.encode('The king turned sharply to Alice and said');
  assert.equal(whole.count, whole.tokens.length);
  assert.deepEqual(tokenizer.encode('The king turned sharply to Alice and said', 3), {tokens: whole.tokens.slice(0, 3), count: whole.count});
});

test('typed text never becomes a special token, even if the tokenizer had one', () => {
  const json = JSON.parse(readFileSync('model/artifacts/tokenizer.json', 'utf8'));
  json.added_tokens = [{id: 0, content: '<|endoftext|>', special: true, single_word: false, lstrip: false, rstrip: false, normalized: false}];
  const {tokens} = new Tokenizer(json).encode('a<|endoftext|>');
  assert.ok(tokens.length > 3 && tokens.every(({text}) => text !== '<|endoftext|>'));
});

test('18 KB of prose tokenise within a fifth of a second, a million letters without a break within seconds', () => {
  const text = 'The king turned sharply to Alice and said, "naïve!" '.repeat(350);
  const timed = (/** @type {string} */ input) => {
    const start = performance.now();
    tokenizer.encode(input, 128);
    return performance.now() - start;
  };
  timed(text);
  assert.ok(timed(text) < 200);
  assert.ok(timed('a'.repeat(1e6)) < 10_000);
});

test('the pattern of onnxruntime-web equals that of native onnxruntime to 1e-5 for 1, 2, 17 and 128 tokens', async () => {
  assert.deepEqual(python.patterns.map(({tokens}) => tokens.length), [1, 2, 17, 128]);
  const {layers, heads} = python.config;
  for (const {tokens, pattern} of python.patterns) {
    const {dims, data} = (await runner.run({tokens}, ['pattern'])).pattern;
    assert.deepEqual(dims, [layers, heads, tokens.length, tokens.length]);
    assert.equal(data.length, pattern.length);
    const worst = pattern.reduce((most, weight, index) => Math.max(most, Math.abs(weight - data[index])), 0);
    assert.ok(worst <= 1e-5, `T = ${tokens.length}: ${worst}`);
  }
});

test('a silenced head and moved positions reach the model', async () => {
  const tokens = python.patterns[2].tokens;
  const run = async (/** @type {object} */ more) => (await runner.run({tokens, ...more}, ['logits'])).logits.data;
  const plain = await run({});
  for (const more of [{headMask: [[0, 1, 1, 1], [1, 1, 1, 1]]}, {mlpMask: [0, 1]}, {positionScale: 0}, {positions: tokens.map((_, i) => tokens.length - i)}]) {
    assert.notDeepEqual(await run(more), plain, JSON.stringify(more));
  }
});

for (const [feeds, outputs, message] of [
  [{tokens: []}, ['pattern'], /no token to run/],
  [{tokens: Array(129).fill(1)}, ['pattern'], /at most 128 tokens, and this text has 129/],
  [{tokens: [1024]}, ['pattern'], /tokens 0 to 1023, not 1024/],
  [{tokens: [-1]}, ['pattern'], /not -1/],
  [{tokens: [0.5]}, ['pattern'], /not 0.5/],
  [{tokens: [1, 2], positions: [0]}, ['pattern'], /2 tokens need 2 positions, not 1/],
  [{tokens: [1], positions: [128]}, ['pattern'], /positions 0 to 127/],
  [{tokens: [1], headMask: [[1]]}, ['pattern'], /2 × 4/],
  [{tokens: [1], mlpMask: [1]}, ['pattern'], /have 2 numbers/],
  [{tokens: [1]}, ['patern'], /no output 'patern'/],
  [{tokens: [1]}, [], /no output/],
]) {
  test(`a run that cannot be is refused in words: ${message}`, async () => {
    await assert.rejects(runner.run(feeds, outputs), (error) => error instanceof RequestError && message.test(error.message));
  });
}

test('ids at the edges of the vocabulary are fine', () => {
  checkRequest({tokens: [0, python.config.vocabulary - 1]}, ['pattern'], python.config);
});

test("the contract's names are those of model/manifest.py", () => {
  assert.deepEqual(INPUTS, python.inputs);
  assert.deepEqual(OUTPUTS, python.outputs);
});

test('a model without a tensor of the contract is refused by its name', () => {
  checkNames(INPUTS, OUTPUTS);
  assert.throws(() => checkNames(INPUTS.filter((name) => name !== 'head_mask'), OUTPUTS), /lacks the input 'head_mask'/);
  assert.throws(() => checkNames(INPUTS, OUTPUTS.filter((name) => name !== 'scores')), /lacks the output 'scores'/);
  assert.throws(() => checkNames([...INPUTS, 'temperature'], OUTPUTS), /unknown input 'temperature'/);
});

test('a page of HTML in place of a file is named for what it is', async () => {
  const html = new TextEncoder().encode('<!doctype html>');
  const files = {wasm, model: artifact('model.onnx'), tokenizer: artifact('tokenizer.json')};
  await assert.rejects(Runner.start({...files, wasm: html}, python.config), /runtime is not WebAssembly/);
  await assert.rejects(Runner.start({...files, tokenizer: html}, python.config), /tokenizer is not JSON/);
  await assert.rejects(Runner.start({...files, model: html}, python.config));
});

test('running out of memory is told as that, whatever the engine calls it', () => {
  for (const message of ['WebAssembly.Memory(): could not allocate memory', 'Out of memory', 'Array buffer allocation failed', 'std::bad_alloc']) {
    assert.match(explain(new RangeError(message)), /^this device did not have enough memory/);
  }
  assert.equal(explain(new Error('x')), 'x');
});
