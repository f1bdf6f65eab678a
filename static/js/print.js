/**
 * The printer's side in Node: figures' own code, run when pages are made. Python (`app/printer.py`) writes questions as JSON
 * lines to our stdin and reads answers from our stdout; in between we ask it for runs of the model. Nothing else may be
 * written to stdout. The process ends when stdin closes and the questions are answered.
 *
 *     ← {"id": 1, "ask": "catalogue"}
 *     ← {"id": 2, "ask": "figure", "tag", "options"}
 *     ← {"id": 3, "ask": "quantity", "tag", "options", "name", "args", "kwargs"}
 *     → {"call": 7, "method": "encode" | "run" | "config", …}   ← {"reply": 7, "ok" | "error"}
 *     → {"id", "ok"} | {"id", "error": {"message", "hint", "option"}} | {"id", "crash": "stack"}
 */
import {Console} from 'node:console';
import {createInterface} from 'node:readline';
import {render} from '@lit-labs/ssr';
import {collectResult} from '@lit-labs/ssr/lib/render-result.js';
import {figures} from './figures/all.js';
import {AuthorError, ask, withDefaults} from './lib/figure.js';

/** @typedef {import('./lib/figure.js').Figure} Figure */
/** @typedef {import('./lib/figure.js').Life} Life */
/** @typedef {import('./lib/figure.js').Model} Model */
/** @typedef {import('./lib/figure.js').State} State */
/** @typedef {import('./lib/figure.js').Data} Data */
/** @typedef {{figure: Figure, state: State, data: Data}} Shown */

globalThis.console = new Console(process.stderr);

/** @param {object} message */
function write(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** The model at the other end of the line. */
class FarModel {
  /** @type {Map<number, {resolve: (ok: any) => void, reject: (error: Error) => void}>} */
  #calls = new Map();
  #lastCall = 0;
  /** @type {import('./lib/figure.js').Config} */
  config = {layers: 0, heads: 0, width: 0, headSize: 0, vocabulary: 0, context: 0};

  async learnConfig() {
    if (this.config.layers === 0) this.config = await this.#call('config', {});
  }

  /** @type {Model['encode']} */
  async encode(text, limit = Infinity) {
    const {tokens} = await this.#call('encode', {text: text.toWellFormed()});
    return {tokens: tokens.slice(0, limit), count: tokens.length};
  }

  /** @type {Model['run']} */
  async run(feeds, outputs) {
    const results = await this.#call('run', {feeds, outputs});
    return Object.fromEntries(Object.entries(results).map(([name, {dims, float32}]) => [name, {dims, data: floats(float32)}]));
  }

  /**
   * @param {string} method
   * @param {object} what
   * @returns {Promise<any>}
   */
  #call(method, what) {
    const call = ++this.#lastCall;
    write({call, method, ...what});
    return new Promise((resolve, reject) => this.#calls.set(call, {resolve, reject}));
  }

  /** @param {{reply: number, ok?: any, error?: string}} message */
  receive({reply, ok, error}) {
    const call = this.#calls.get(reply);
    this.#calls.delete(reply);
    if (error === undefined) call?.resolve(ok);
    else call?.reject(new AuthorError(error));
  }
}

/**
 * @param {string} base64  little-endian float32
 * @returns {Float32Array}
 */
function floats(base64) {
  const bytes = Buffer.from(base64, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

const model = new FarModel();

const MOST = 300; // a book has some dozens of figures; under reload, every change of an option would stay

/** What was computed and settled last, by figure and options, so that prose may quote a figure often. */
const memo = /** @type {Map<string, Promise<any>>} */ (new Map());

/**
 * @template T
 * @param {unknown[]} key
 * @param {() => Promise<T>} make
 * @returns {Promise<T>}
 */
function once(key, make) {
  const name = JSON.stringify(key);
  const made = memo.get(name) ?? make();
  memo.delete(name);
  memo.set(name, made); // last in order: the first has not been asked for the longest
  if (memo.size > MOST) memo.delete(/** @type {string} */ (memo.keys().next().value));
  return /** @type {Promise<T>} */ (made);
}

/**
 * @param {string} tag
 * @returns {Promise<Figure>}
 */
async function find(tag) {
  if (!Object.hasOwn(figures, tag)) throw new AuthorError(`there is no figure '${tag}'`, {hint: `known are ${Object.keys(figures).join(', ')}`});
  return (await figures[tag]()).default;
}

/**
 * @param {string} tag
 * @param {State} options
 * @returns {Promise<Shown>}
 */
async function show(tag, options) {
  const figure = await find(tag);
  await model.learnConfig();
  const wanted = withDefaults(figure, options);
  return once([tag, wanted], async () => {
    const needs = Object.fromEntries(figure.computes.map((name) => [name, wanted[name]]));
    const compute = () => figure.compute(wanted, model);
    // What a figure computes without naming what it needs, it may make of any of its options.
    const computed = await (figure.computes.length > 0 ? once([tag, 'computes', needs], compute) : compute());
    const state = figure.prepare(wanted, computed, {strict: true});
    return {figure, state, data: figure.derive(state, computed)};
  });
}

/**
 * @param {Figure} figure
 * @returns {object} what Python needs to know of it
 */
function describe({tag, summary, options, quantities}) {
  const asked = Object.entries(quantities).map(([name, {unit, help, parameters = [], keywords = []}]) => [name, {unit, help, parameters, keywords}]);
  return {tag, summary, options, quantities: Object.fromEntries(asked)};
}

/** @type {Life} */
const PRINTED = {status: 'printed', busy: false, received: 0, total: 0, message: '', retry() {}, difference: undefined, lit: null, wanted: null, stepped: false, printed: null, undo: null, reset: null, link: '#'};

const answers = {
  async catalogue() {
    const all = await Promise.all(Object.keys(figures).map(find));
    return all.map(describe);
  },

  /** @param {{tag: string, options: State}} question */
  async figure({tag, options}) {
    const {figure, state, data} = await show(tag, options);
    const html = await collectResult(render(figure.view(data, state, () => {}, PRINTED)));
    return {html: withoutMarkers(html), state, data: figure.carries(data, state)};
  },

  /** @param {{tag: string, options: State, name: string, args?: any[], kwargs?: Record<string, any>}} question */
  async quantity({tag, options, name, args = [], kwargs = {}}) {
    const {figure, ...shown} = await show(tag, options);
    return ask(figure, name, shown, args, kwargs);
  },
};

/**
 * Waking replaces the printed picture, so lit's markers for hydration would only make pages longer. Text is escaped, so that
 * these can be nothing that a reader or author wrote.
 * @param {string} html
 */
function withoutMarkers(html) {
  return html.replace(/<!--\/?lit-(part|node)[^>]*-->|<\?>/g, '').trim();
}

/** @param {any} question */
async function answer(question) {
  const {id, ask: kind} = question;
  try {
    if (!Object.hasOwn(answers, kind)) throw new Error(`unknown question '${kind}'`);
    const ok = await answers[/** @type {keyof typeof answers} */ (kind)](question);
    write({id, ok});
  } catch (error) {
    if (error instanceof AuthorError) write({id, error: {message: error.message, hint: error.hint, option: error.option}});
    else write({id, crash: error instanceof Error ? error.stack : String(error)});
  }
}

const lines = createInterface({input: process.stdin, crlfDelay: Infinity});
lines.on('line', (line) => {
  const message = JSON.parse(line);
  if ('reply' in message) model.receive(message);
  else void answer(message);
});
process.stdout.on('error', () => process.exit(0)); // nobody listens any more
