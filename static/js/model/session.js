/**
 * The model's face in the page: one session for all figures. It owns the worker, and is the only one to talk to it.
 *
 *     idle ──start──▶ loading ──▶ ready       a failed or hung worker is ended; `retry` begins with a fresh one, since
 *                        │ ▲        │         after one failure onnxruntime-web is of no more use in that worker
 *                        ▼ │        │
 *                       failed ◀────┘
 */
import {megabytes, unfetched} from './download.js';

/** @typedef {import('../lib/figure.js').Config} Config */
/** @typedef {import('../lib/figure.js').Feeds} Feeds */
/** @typedef {import('../lib/figure.js').Tensor} Tensor */
/** @typedef {import('../lib/figure.js').Token} Token */
/** @typedef {import('./download.js').Asset} Asset */
/** @typedef {{worker: Asset, wasm: Asset, model: Asset, tokenizer: Asset, config: Config}} PageAssets */
/** @typedef {{resolve: (value: any) => void, reject: (error: Error) => void}} Call */

/** Seconds without a byte, or without an answer, after which waiting ends. */
const PATIENCE = 30;

export class Session extends EventTarget {
  /** @type {'idle'|'loading'|'ready'|'failed'} */ status = 'idle';
  received = 0;
  total = 0;
  message = '';
  #assets;
  #createWorker;
  #patience;
  /** @type {Worker|undefined} */ #worker;
  /** @type {ReturnType<typeof setInterval>|undefined} */ #clock;
  #silence = 0;
  /** @type {Map<number, Call>} */ #calls = new Map();
  #lastId = 0;
  /** @type {Settler|undefined} */ #started;

  /**
   * @param {PageAssets} assets  absolute addresses
   * @param {{createWorker?: (url: string) => Worker, patience?: number}} [how]  patience in seconds
   */
  constructor(assets, {createWorker = (url) => new Worker(url, {type: 'module'}), patience = PATIENCE} = {}) {
    super();
    this.#assets = assets;
    this.#createWorker = createWorker;
    this.#patience = patience;
  }

  /** @returns {Config} */
  get config() {
    return this.#assets.config;
  }

  /** Starts the model, once. @returns {Promise<void>} rejected with what went wrong */
  start() {
    if (this.status === 'idle') this.#begin();
    if (this.status === 'failed' || !this.#started) return Promise.reject(new Error(this.message));
    return this.#started.promise;
  }

  /** Starts it again after a failure. @returns {Promise<void>} */
  retry() {
    if (this.status === 'failed') this.#begin();
    return this.start();
  }

  /**
   * @param {string} text
   * @param {number} [limit]
   * @returns {Promise<{tokens: Token[], count: number}>}
   */
  encode(text, limit) {
    return this.#call('encode', [text, limit]);
  }

  /**
   * Runs wait for each other in the worker, in the order in which they were asked for.
   * @param {Feeds} feeds
   * @param {string[]} outputs
   * @returns {Promise<Record<string, Tensor>>}
   */
  run(feeds, outputs) {
    return this.#call('run', [feeds, outputs]);
  }

  #begin() {
    const {worker: script, wasm, model, tokenizer, config} = this.#assets;
    this.#started = withResolvers();
    this.#started.promise.catch(() => {}); // told by `status` and by each call
    this.received = 0;
    this.total = wasm.bytes + model.bytes + tokenizer.bytes;
    try {
      this.#worker = this.#createWorker(script.url);
    } catch (error) {
      this.#fail(`the model's worker could not be started (${error instanceof Error ? error.message : error})`);
      return;
    }
    this.#worker.onmessage = (event) => this.#receive(event.data);
    this.#worker.onmessageerror = () => this.#fail("an answer of the model could not be read");
    this.#worker.onerror = (event) => {
      event.preventDefault(); // it is told below
      this.#fail(this.#stopped(event.message));
    };
    this.#awaitWord();
    this.#worker.postMessage({type: 'start', assets: {wasm, model, tokenizer}, config});
    this.#become('loading', '');
  }

  /** @param {any} message */
  #receive(message) {
    this.#silence = 0;
    if (message.type === 'progress') {
      this.received = message.received;
      this.#become(this.status, this.message);
    } else if (message.type === 'ready') {
      this.#started?.resolve();
      this.#become('ready', '');
    } else if (message.type === 'failed') {
      this.#fail(message.message);
    } else if (message.type === 'answer') {
      const call = this.#calls.get(message.id);
      this.#calls.delete(message.id);
      if (message.error === undefined) call?.resolve(message.ok);
      else call?.reject(new Error(message.error));
    }
    if (this.status === 'ready' && this.#calls.size === 0) clearInterval(this.#clock);
  }

  /**
   * @param {'encode'|'run'} method
   * @param {any[]} args
   * @returns {Promise<any>}
   */
  async #call(method, args) {
    await this.start();
    const worker = this.#worker;
    if (!worker) throw new Error(this.message);
    if (this.#calls.size === 0) this.#awaitWord();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, {resolve, reject});
      worker.postMessage({type: 'call', id, method, args});
    });
  }

  /**
   * Counts seconds of silence, while the worker owes a word, by ticks, not by the clock: a laptop that slept for an hour has
   * not waited for an hour.
   */
  #awaitWord() {
    this.#silence = 0;
    clearInterval(this.#clock);
    this.#clock = setInterval(() => {
      this.#silence += 1;
      if (this.#silence >= this.#patience) this.#fail(this.#hung());
    }, 1000);
  }

  /** @param {string|undefined} why  nothing when its code did not come */
  #stopped(why) {
    if (why) return `the model's worker stopped: ${why}`;
    if (this.status !== 'loading') return "the model's worker stopped";
    return globalThis.navigator?.onLine === false ? unfetched("the model's worker") : "the code of the model's worker could not be loaded";
  }

  #hung() {
    if (this.status === 'ready') return `the model has not answered for ${this.#patience} seconds`;
    if (this.received < this.total) return `the download stalled after ${megabytes(this.received)} of ${megabytes(this.total)} MB`;
    return `the model was downloaded, but did not start within ${this.#patience} seconds`;
  }

  /** @param {string} message */
  #fail(message) {
    clearInterval(this.#clock);
    if (this.#worker) this.#worker.onmessage = this.#worker.onerror = this.#worker.onmessageerror = null;
    this.#worker?.terminate();
    this.#worker = undefined;
    const error = new Error(message);
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    this.#become('failed', message);
    this.#started?.reject(error);
    for (const call of calls) call.reject(error);
  }

  /**
   * @param {Session['status']} status
   * @param {string} message
   */
  #become(status, message) {
    this.status = status;
    this.message = message;
    this.dispatchEvent(new Event('change'));
  }
}

/** @typedef {{promise: Promise<void>, resolve: () => void, reject: (error: Error) => void}} Settler */

/** @returns {Settler} */
function withResolvers() {
  /** @type {any} */ const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, {resolve, reject}));
  return made;
}

/** @type {Session|undefined} */
let shared;

/** The session of this page, made from the asset list that the page carries. Nothing is loaded before `start`. */
export function session() {
  shared ??= new Session(readAssets());
  return shared;
}

/** @returns {PageAssets} */
function readAssets() {
  const block = document.getElementById('lookback-assets');
  if (!block) throw new Error('this page carries no list of its assets (#lookback-assets)');
  const assets = JSON.parse(block.textContent ?? '');
  for (const name of ['worker', 'wasm', 'model', 'tokenizer']) {
    assets[name] = {...assets[name], url: new URL(assets[name].url, document.baseURI).href};
  }
  return assets;
}
