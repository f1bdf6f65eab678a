import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {after, before, test} from 'node:test';

/** Plays Python: one token a word, and a pattern in which every token asks itself alone. */
class Python {
  calls = [];

  constructor() {
    this.process = spawn('node', ['static/js/print.js'], {stdio: ['pipe', 'pipe', 'inherit']});
    this.answers = new Map();
    this.lastId = 0;
    createInterface({input: this.process.stdout}).on('line', (line) => this.receive(JSON.parse(line)));
  }

  receive(message) {
    if ('call' in message) {
      this.calls.push(message.method);
      this.write({reply: message.call, ...this.reply(message)});
    } else {
      this.answers.get(message.id)(message);
    }
  }

  reply({method, text, feeds, outputs}) {
    if (method === 'config') return {ok: {layers: 2, heads: 4, width: 8, headSize: 2, vocabulary: 1024, context: 6}};
    if (method === 'encode') {
      return {ok: {tokens: [...text.matchAll(/ ?\S+/g)].map(([word], id) => ({id, text: word, start: 0, end: 0}))}};
    }
    const size = feeds.tokens.length;
    if (size === 5) return {error: 'not five, in this test'};
    const head = Array.from({length: size * size}, (_, index) => (index % (size + 1) === 0 ? 1 : 0));
    const pattern = Float32Array.from(Array(8).fill(head).flat());
    const vectors = new Float32Array(8 * size * 2);
    const tensor = (floats, width) => ({dims: [2, 4, size, width], float32: Buffer.from(floats.buffer).toString('base64')});
    const answer = (name) => [name, name === 'pattern' ? tensor(pattern, size) : tensor(vectors, 2)];
    return {ok: Object.fromEntries(outputs.map(answer))};
  }

  write(message) {
    this.process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  ask(question) {
    const id = ++this.lastId;
    this.write({id, ...question});
    return new Promise((resolve) => this.answers.set(id, resolve));
  }
}

const tag = 'attention-viewer';
const options = {text: 'the <b>cat</b> <!--lit-part--> sat', layer: 2, head: 3, query: 'sat'};
/** @type {Python} */ let python;

before(() => {
  python = new Python();
});

after(async () => {
  python.process.stdin.end();
  const [code] = await once(python.process, 'exit');
  assert.equal(code, 0, 'the process ends when stdin closes');
});

test('the catalogue lists every figure with its options and quantities', async () => {
  const {ok} = await python.ask({ask: 'catalogue'});
  const viewer = ok.find((figure) => figure.tag === tag);
  assert.equal(viewer.options.text.required, true);
  assert.equal(viewer.options.layer.type, 'integer');
  assert.equal(viewer.quantities.weight.unit, 'share');
  assert.ok(Object.values(viewer.quantities).every(({help, parameters, keywords}) => help && parameters && keywords));
});

test('a figure is printed with its state and data, from 1 for people and with the token found', async () => {
  const {ok} = await python.ask({ask: 'figure', tag, options});
  assert.deepEqual(ok.state, {text: options.text, layer: 2, head: 3, query: 3, key: null});
  assert.deepEqual(ok.data.row, [0, 0, 0, 1]);
  assert.equal(ok.data.altered, false);
});

test('printed HTML holds typed text as text, and nothing of the template language', async () => {
  const {ok: {html}} = await python.ask({ask: 'figure', tag, options});
  assert.ok(html.includes('&lt;b&gt;cat&lt;/b&gt;') && !html.includes('<b>cat'));
  assert.ok(html.includes('&lt;!--lit-part--&gt;'), 'a typed marker stays as text');
  assert.ok(!html.includes('<!--') && !html.includes('<?>'), html.match(/<!--.{0,40}/)?.[0]);
  assert.ok(!/ style=| on[a-z]+=/.test(html), 'nothing inline');
});

test('quantities quote the figure without running the model again', async () => {
  await python.ask({ask: 'figure', tag, options});
  const before = python.calls.length;
  const {ok} = await python.ask({ask: 'quantity', tag, options, name: 'weight', args: ['sat', 'the'], kwargs: {layer: 1}});
  assert.deepEqual(ok, {value: 0, unit: 'share', cell: '1.3.3.0'});
  assert.equal((await python.ask({ask: 'quantity', tag, options: {...options, layer: 1}, name: 'weight', args: ['sat', 'sat'], kwargs: {}})).ok.value, 1);
  assert.equal(python.calls.length, before, 'another layer of the same text needs no run either');
});

test('what has not been asked for long is forgotten, what is quoted often is not', async () => {
  const text = (number) => ({text: `the cat ${number}`, layer: 1, head: 1, query: 'cat'});
  const runs = async (number) => {
    const before = python.calls.length;
    await python.ask({ask: 'figure', tag, options: text(number)});
    return python.calls.length - before;
  };
  assert.ok((await runs(0)) > 0);
  for (let number = 1; number <= 400; number += 1) {
    await runs(number);
    assert.equal(await runs(0), 0, 'asked for at each turn');
  }
  assert.equal(await runs(400), 0);
  assert.ok((await runs(1)) > 0, 'kept for ever');
});

for (const [what, question, message, option] of [
  ['an unknown figure', {ask: 'figure', tag: 'toString', options}, /no figure 'toString'/, null],
  ['a token that is not there', {ask: 'figure', tag, options: {...options, query: 'dog'}}, /no token reads «dog»/, 'query'],
  ['a head that is not there', {ask: 'figure', tag, options: {...options, head: 5}}, /no head 5/, 'head'],
  ['a text longer than the context', {ask: 'figure', tag, options: {text: 'a b c d e f g'}}, /makes 7 tokens, and the model holds 6/, 'text'],
  ['a run that Python refuses', {ask: 'figure', tag, options: {text: 'a b c d e'}}, /not five, in this test/, null],
  ['an unknown quantity', {ask: 'quantity', tag, options, name: 'heat', args: []}, /no quantity 'heat'/, null],
  ['too few arguments', {ask: 'quantity', tag, options, name: 'weight', args: ['sat']}, /takes 2 arguments, not 1/, null],
]) {
  test(`${what} is the author's mistake, told with its option`, async () => {
    const answer = await python.ask(question);
    assert.match(answer.error?.message ?? JSON.stringify(answer), message);
    assert.equal(answer.error.option, option);
  });
}

test('a fault of the code comes back as a crash with its stack, and the process goes on', async () => {
  const {crash} = await python.ask({ask: 'nonsense'});
  assert.match(crash, /unknown question 'nonsense'[\s\S]*print\.js/);
  assert.ok((await python.ask({ask: 'catalogue'})).ok);
});

test('two figures without a model are each printed from their own options', async () => {
  const trace = (text, x, w) => python.ask({ask: 'figure', tag: 'attention-trace', options: {text, x, wq: w, wk: w, wv: w}});
  const one = await trace('a b', '1 0; 0 1', '1 0; 0 1');
  const two = await trace('c', '2', '3');
  assert.deepEqual([one.ok.data.given.x, two.ok.data.given.text, two.ok.data.given.x], ['1 0; 0 1', 'c', '2']);
});
