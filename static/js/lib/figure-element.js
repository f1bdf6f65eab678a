import {render} from 'lit';
import {session} from '../model/session.js';
import {deviation} from './figure.js';
import {arrives, parseHash, readLink, writeLink} from './link.js';
import {takeOver} from './take-over.js';
import {TOUCHES, nearViewport, savesData} from './waking.js';
import {change, computesSame, readWishes} from './wishes.js';

/**
 * @typedef {import('./figure.js').Figure} Figure
 * @typedef {import('./figure.js').State} State
 * @typedef {import('./figure.js').Data} Data
 * @typedef {import('./figure.js').Life} Life
 * @typedef {{state: State, data: Data}} Printed
 */

/**
 * The element of a figure, and its life:
 *
 *     printed ──▶ awake ──▶ live        printed: HTML with real values, as it came
 *                  │ ▲       │          awake:   drawn by this script from the printed data; the model is asked for
 *                  ▼ │       │          live:    the model has answered
 *                 failed ◀───┘          failed:  it could not; what is shown stays usable, and `retry` leads back to awake
 *
 * It wakes near the viewport, when pointed at or focused, when a link names it, and when its state is set.
 *
 * What is shown (`state`, `data`) always belongs together. A wish that needs the model waits in `#wanted` until the answer
 * is there; a newer wish takes its place, and the answer to the older one is dropped.
 *
 * A link names it with the address's hash. Going back to an address without a hash undoes a link: the printed state returns.
 *
 * Fires `figurechange` with `{state, data}`, once per change, after drawing.
 */
export class FigureElement extends HTMLElement {
  /** @type {Life['status']} */ #status = 'printed';
  /** @type {Printed|null} */ #printed = null;
  /** @type {State} */ #state = {};
  /** @type {Record<string, any>} */ #computed = {};
  /** @type {Data} */ #data = {};
  /** @type {State|null} */ #wanted = null;
  /** @type {number|undefined} */ #difference;
  /** @type {string|null} */ #lit = null;
  #message = '';
  #loading = false;
  #answering = false;
  #scheduled = false;
  #changed = false;
  #connected = false;
  #linked = false;
  /** @type {any[]} */ #early = [];

  /** @returns {Figure} given by `define` */
  get figure() {
    throw new Error('a FigureElement is made by define()');
  }

  /** @returns {Life['status']} */
  get status() {
    return this.#status;
  }

  /**
   * What is shown. Assigning some of it is the same as the reader choosing it; before the element stands in a page, it waits.
   * @returns {State}
   */
  get state() {
    return {...this.#state};
  }

  set state(some) {
    if (this.#printed && this.isConnected) {
      this.wake({touched: true});
      this.#wish(some, {ofAwaited: true});
    } else {
      this.#early.push(some);
    }
  }

  /** What the figure shows now, the same as its JSON export: a copy, the caller's own. @returns {Data} */
  get data() {
    return structuredClone(this.#data);
  }

  /** The address that reopens exactly this view. */
  get link() {
    return new URL(writeLink(this.figure.options, this.id, this.#state), location.href).href;
  }

  connectedCallback() {
    this.#printed ??= this.#readPrinted();
    if (!this.#printed) return;
    window.addEventListener('popstate', this); // unlike hashchange, also when the same link is followed again
    if (this.#loading) {
      session().addEventListener('change', this);
      this.#sessionChanged();
    } else {
      for (const touch of TOUCHES) this.addEventListener(touch, this);
      if (this.#status === 'printed') nearViewport().observe(this);
    }
    if (!this.#connected) this.#followLink();
    this.#connected = true;
    for (const some of this.#takeEarly()) this.state = some;
  }

  disconnectedCallback() {
    window.removeEventListener('popstate', this);
    if (this.#loading) session().removeEventListener('change', this);
    this.#stopWaiting();
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event.type === 'popstate') this.#followLink();
    else if (event.type === 'change') this.#sessionChanged();
    else this.wake({touched: true});
  }

  /**
   * Draws the printed picture anew, alive, and asks for the model; with the browser's "save data" on, only when touched.
   * @param {{touched: boolean}} how
   */
  wake({touched}) {
    if (!this.#printed || !this.isConnected) return;
    if (this.#status === 'printed') {
      this.#setStatus('awake');
      takeOver(this, () => this.#draw());
      if (!savesData()) this.#stopWaiting();
    }
    if (touched || !savesData()) this.#load();
  }

  /**
   * Lights up one cell of the printed text, or none; the reader's state stays as it is.
   * @param {string|null} cell  `2.3.11.9`
   */
  light(cell) {
    if (cell !== null) this.wake({touched: false});
    this.#lit = cell;
    this.#schedule();
  }

  /** Starts the model again after a failure. */
  retry = () => {
    if (session().status === 'failed') session().retry().catch(() => {}); // told by its status
    if (this.#status === 'failed') this.#revive();
  };

  /** @returns {Printed|null} */
  #readPrinted() {
    const block = this.querySelector(':scope > script[type="application/json"]');
    if (!block) return null; // not printed by the book: nothing to wake
    const printed = /** @type {Printed} */ (JSON.parse(block.textContent ?? ''));
    this.#state = printed.state;
    this.#data = this.#computed = printed.data; // data holds all that computed holds
    return printed;
  }

  /** What was assigned before the element stood in the page, or before its code was there to hear of it. */
  #takeEarly() {
    const early = this.#early.splice(0);
    if (Object.hasOwn(this, 'state')) {
      early.unshift(this.state);
      Reflect.deleteProperty(this, 'state');
    }
    return early;
  }

  #stopWaiting() {
    nearViewport().unobserve(this);
    for (const touch of TOUCHES) this.removeEventListener(touch, this);
  }

  #load() {
    if (this.#loading) return;
    this.#loading = true;
    this.#stopWaiting();
    session().addEventListener('change', this);
    void this.#answer();
  }

  #followLink() {
    if (!this.#printed) return;
    const link = parseHash(location.hash);
    if (link?.id === this.id) {
      this.#linked = true;
      this.wake({touched: true});
      this.#settle(change(this.figure, this.#printed.state, readLink(this.figure.options, link.query)));
      if (arrives()) (this.closest('figure') ?? this).scrollIntoView({block: 'start'});
    } else if (this.#linked && location.hash === '') {
      this.#linked = false;
      this.#settle(this.#printed.state);
    }
  }

  #sessionChanged() {
    const restarted = session().status === 'loading' || session().status === 'ready';
    if (this.#status === 'failed' && restarted) this.#revive();
    else if (this.#status !== 'live') this.#schedule();
  }

  #revive() {
    this.#message = '';
    this.#setStatus('awake');
    this.#schedule();
    void this.#answer();
  }

  /**
   * The reader's wish. While the model is awaited, what is shown still answers to wishes that do not need it. Those about a
   * text's tokens are meant of the text that the reader sees, or, when a script assigns them, of the one it assigned before.
   * @param {any} some
   * @param {{ofAwaited: boolean}} how
   */
  #wish(some, {ofAwaited}) {
    const {computes, options} = this.figure;
    const wishes = readWishes(options, some);
    const waiting = this.#wanted;
    if (!waiting || computes.some((name) => name in wishes)) {
      this.#settle(change(this.figure, waiting ?? this.#state, wishes));
      return;
    }
    const ofBoth = Object.fromEntries(Object.entries(wishes).filter(([name]) => options[name].follows === undefined));
    this.#wanted = {...waiting, ...(ofAwaited ? wishes : ofBoth)};
    this.#show(change(this.figure, this.#state, ofAwaited ? ofBoth : wishes));
  }

  /**
   * Shows a wish at once if what is known answers it; else asks the model.
   * @param {State} wanted
   */
  #settle(wanted) {
    if (computesSame(this.figure, wanted, this.#state)) {
      this.#wanted = null;
      this.#show(wanted);
    } else {
      this.#wanted = wanted;
      this.#schedule();
      void this.#answer();
    }
  }

  /**
   * Asks the model for what is wanted now; one question at a time, until the answer is to the latest wish: when the reader
   * went on meanwhile, it is stale, and dropped.
   */
  async #answer() {
    if (this.#answering) return;
    this.#answering = true;
    let asked, take;
    do {
      asked = this.#wanted ?? this.#state;
      take = await this.#ask(asked);
    } while (!computesSame(this.figure, asked, this.#wanted ?? this.#state));
    this.#answering = false; // before anyone hears of the answer, and wishes anew
    take();
  }

  /**
   * @param {State} wanted
   * @returns {Promise<() => void>} what to do with the answer
   */
  async #ask(wanted) {
    try {
      const computed = await this.figure.compute(wanted, session());
      return () => this.#goLive(computed);
    } catch (error) {
      return () => this.#fail(error);
    }
  }

  /** @param {Record<string, any>} computed */
  #goLive(computed) {
    this.#message = '';
    this.#setStatus('live');
    this.#changed = true;
    this.#take(computed, this.#showsPrinted(this.#wanted ?? this.#state) ? this.#compare(computed) : undefined);
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#message = error instanceof Error ? error.message : String(error);
    this.#setStatus('failed');
    this.#schedule();
    // The printed text needs no model: its numbers came with the page.
    if (this.#printed && this.#wanted && this.#showsPrinted(this.#wanted)) this.#take(this.#printed.data, undefined);
  }

  /**
   * @param {Record<string, any>} computed  the answer to what is wanted now
   * @param {number|undefined} difference
   */
  #take(computed, difference) {
    const wanted = this.#wanted ?? this.#state;
    this.#wanted = null;
    this.#computed = computed;
    this.#difference = difference;
    this.#show(wanted);
  }

  /** @param {Life['status']} status */
  #setStatus(status) {
    this.#status = status;
    this.setAttribute('status', status); // for the style sheet
  }

  /** @param {State} wanted */
  #showsPrinted(wanted) {
    return this.#printed !== null && computesSame(this.figure, wanted, this.#printed.state);
  }

  /**
   * @param {Record<string, any>} computed
   * @returns {number} the greatest deviation of the live numbers from the printed ones
   */
  #compare(computed) {
    const {compares} = this.figure;
    return Math.max(0, ...compares.map((name) => deviation(computed[name], this.#printed?.data[name])));
  }

  /** @param {State} wanted  answered by what is computed */
  #show(wanted) {
    const state = this.figure.prepare(wanted, this.#computed, {strict: false});
    this.#changed ||= Object.keys(state).some((name) => state[name] !== this.#state[name]);
    this.#state = state;
    const data = this.figure.derive(state, this.#computed);
    this.#data = this.#difference === undefined ? data : {...data, difference: this.#difference};
    this.#schedule();
  }

  #schedule() {
    if (this.#scheduled || this.#status === 'printed') return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#draw();
      this.#drawn();
    });
  }

  #draw() {
    render(this.figure.view(this.#data, {...this.#state}, (some) => this.#wish(some, {ofAwaited: false}), this.#life()), this);
  }

  #drawn() {
    if (!this.#changed) return;
    this.#changed = false;
    this.dispatchEvent(new CustomEvent('figurechange', {bubbles: true, detail: {state: this.state, data: this.data}}));
  }

  /** @returns {Life} */
  #life() {
    const loading = this.#loading && session().status === 'loading' ? session() : undefined;
    return {
      status: this.#status,
      busy: this.#loading && this.#status !== 'failed' && (this.#status === 'awake' || this.#wanted !== null),
      received: loading?.received ?? 0,
      total: loading?.total ?? 0,
      message: this.#message,
      retry: this.retry,
      difference: this.#difference,
      lit: this.#litCell(),
      wanted: this.#wanted,
    };
  }

  /** @returns {Record<string, number>|null} the cell by name; null when the text it belongs to is not shown */
  #litCell() {
    const numbers = this.#lit?.split('.').map(Number) ?? [];
    const {cell} = this.figure;
    if (cell.length === 0 || numbers.length !== cell.length || !numbers.every(Number.isInteger)) return null;
    if (!this.#showsPrinted(this.#state)) return null;
    return Object.fromEntries(cell.map((name, index) => [name, numbers[index]]));
  }
}

/**
 * Makes the custom element of a figure.
 * @param {Figure} figure
 */
export function define(figure) {
  customElements.define(
    figure.tag,
    class extends FigureElement {
      get figure() {
        return figure;
      }
    },
  );
}
