/**
 * The one place that knows onnxruntime-web. As the page's worker it downloads the runtime, the model and the tokenizer,
 * and answers `session.js`; `Runner` is what it does it with, and runs in Node too.
 *
 *     page → worker   {type: 'start', assets, config}
 *     worker → page   {type: 'progress', received, total} …  {type: 'ready'} | {type: 'failed', message}
 *     page → worker   {type: 'call', id, method: 'encode' | 'run', args}
 *     worker → page   {type: 'answer', id, ok} | {type: 'answer', id, error}
 */
import * as ort from 'onnxruntime-web/wasm';
import {RequestError, checkNames, checkRequest, explain} from './contract.js';
import {download} from './download.js';
import {Tokenizer} from './tokenizer.js';

/** @typedef {import('../lib/figure.js').Config} Config */
/** @typedef {import('../lib/figure.js').Feeds} Feeds */
/** @typedef {import('../lib/figure.js').Tensor} Tensor */
/** @typedef {import('../lib/figure.js').Token} Token */
/** @typedef {import('./download.js').Asset} Asset */
/** @typedef {{wasm: Asset, model: Asset, tokenizer: Asset}} Assets */

/** The model and its tokenizer, ready to answer. */
export class Runner {
  #session;
  #tokenizer;
  #config;

  /**
   * @param {ort.InferenceSession} session
   * @param {Tokenizer} tokenizer
   * @param {Config} config
   */
  constructor(session, tokenizer, config) {
    this.#session = session;
    this.#tokenizer = tokenizer;
    this.#config = config;
  }

  /**
   * @param {{wasm: Uint8Array, model: Uint8Array, tokenizer: Uint8Array}} files
   * @param {Config} config
   * @returns {Promise<Runner>}
   * @throws {Error} when a file is not what it should be
   */
  static async start(files, config) {
    checkWasm(files.wasm);
    const tokenizer = new Tokenizer(readJson(files.tokenizer));
    ort.env.wasm.wasmBinary = files.wasm;
    ort.env.wasm.numThreads = 1; // more would need cross-origin isolation
    ort.env.logLevel = 'error';
    const session = await ort.InferenceSession.create(files.model);
    checkNames(session.inputNames, session.outputNames);
    return new Runner(session, tokenizer, config);
  }

  /**
   * @param {string} text
   * @param {number} [limit]
   * @returns {{tokens: Token[], count: number}}
   */
  encode(text, limit) {
    return this.#tokenizer.encode(text, limit);
  }

  /**
   * @param {Feeds} feeds
   * @param {string[]} outputs
   * @returns {Promise<Record<string, Tensor>>}
   * @throws {RequestError} when the model cannot run that
   */
  async run(feeds, outputs) {
    checkRequest(feeds, outputs, this.#config);
    const results = await this.#session.run(tensors(feeds, this.#config), outputs);
    return Object.fromEntries(outputs.map((name) => [name, takeOut(results[name])]));
  }
}

/**
 * @param {Feeds} feeds
 * @param {Config} config
 * @returns {Record<string, ort.Tensor>} all inputs of the model, with its defaults
 */
function tensors({tokens, positions, positionScale = 1, headMask, mlpMask}, {layers, heads, headSize}) {
  const length = tokens.length;
  const float = (/** @type {number[]} */ data, /** @type {number[]} */ dims) => new ort.Tensor('float32', Float32Array.from(data), dims);
  const integer = (/** @type {number[]} */ data, /** @type {number[]} */ dims) => new ort.Tensor('int64', BigInt64Array.from(data, BigInt), dims);
  return {
    tokens: integer(tokens, [1, length]),
    positions: integer(positions ?? tokens.map((_, index) => index), [length]),
    position_scale: float([positionScale], [1]),
    head_mask: float(headMask?.flat() ?? Array(layers * heads).fill(1), [layers, heads]),
    mlp_mask: float(mlpMask ?? Array(layers).fill(1), [layers]),
    past_k: float([], [layers, heads, 0, headSize]),
    past_v: float([], [layers, heads, 0, headSize]),
  };
}

/**
 * @param {ort.Tensor} tensor
 * @returns {Tensor} a copy: onnxruntime's may be a view of its memory
 */
function takeOut(tensor) {
  return {dims: [...tensor.dims], data: Float32Array.from(/** @type {Float32Array} */ (tensor.data))};
}

/** @param {Uint8Array} bytes */
function checkWasm(bytes) {
  const [a, b, c, d] = bytes; // "\0asm"; a host that knows no such file often sends a page of HTML instead
  if (a !== 0 || b !== 0x61 || c !== 0x73 || d !== 0x6d) throw new Error('what the server sent in place of the runtime is not WebAssembly');
}

/** @param {Uint8Array} bytes */
function readJson(bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error('what the server sent in place of the tokenizer is not JSON');
  }
}

/** Milliseconds between two reports: the page draws each. */
const REPORT_EVERY = 100;

/** Downloads, starts, and answers the page. */
class Desk {
  /** @type {Promise<Runner>|undefined} */ #runner;

  /** @param {{type: 'start', assets: Assets, config: Config} | {type: 'call', id: number, method: 'encode'|'run', args: any[]}} message */
  receive(message) {
    if (message.type === 'start') {
      this.#runner = this.#start(message.assets, message.config);
      this.#runner.then(
        () => postMessage({type: 'ready'}),
        (error) => postMessage({type: 'failed', message: explain(error)}),
      );
    } else {
      void this.#answer(message);
    }
  }

  /**
   * @param {Assets} assets
   * @param {Config} config
   */
  async #start(assets, config) {
    const total = assets.wasm.bytes + assets.model.bytes + assets.tokenizer.bytes;
    let received = 0;
    /** @type {ReturnType<typeof setTimeout>|undefined} */ let soon;
    const report = () => {
      soon = undefined;
      postMessage({type: 'progress', received, total});
    };
    const count = (/** @type {number} */ more) => {
      received += more;
      if (received === total) report(); // at once: starting the runtime keeps this thread busy
      else soon ??= setTimeout(report, REPORT_EVERY);
    };
    const [wasm, model, tokenizer] = await Promise.all(
      [assets.wasm, assets.model, assets.tokenizer].map((asset) => download(asset, count)),
    );
    return Runner.start({wasm, model, tokenizer}, config);
  }

  /** @param {{id: number, method: 'encode'|'run', args: any[]}} call */
  async #answer({id, method, args}) {
    try {
      const runner = await this.#runner;
      if (!runner) throw new Error('the model has not been started');
      const ok = method === 'encode' ? runner.encode(args[0], args[1]) : await runner.run(args[0], args[1]);
      postMessage({type: 'answer', id, ok});
    } catch (error) {
      // A runtime that broke in a run (out of memory, most often) stays broken: this worker is of no more use.
      if (method === 'run' && !(error instanceof RequestError)) postMessage({type: 'failed', message: explain(error)});
      else postMessage({type: 'answer', id, error: explain(error)});
    }
  }
}

if ('WorkerGlobalScope' in globalThis) {
  const desk = new Desk();
  addEventListener('message', (event) => desk.receive(event.data));
}
