import {render} from 'lit';
import {session} from '../model/session.js';
import {Course, differ, isUndo} from './course.js';
import {cellOf, difference} from './figure.js';
import {Follower, arrives, leadTo, writeLink} from './link.js';
import {takeOver} from './take-over.js';
import {savesData, stopWaiting, waitFor} from './waking.js';
import {change, computesSame} from './wishes.js';

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
 * A link names it with the address's hash. Going back to an address without a hash undoes a link: the printed state returns,
 * unless the reader has gone on from the link meanwhile; nor does going back to a link take away what was done since.
 *
 * Fires `figurechange` with `{state, data}`, once per change, after drawing.
 */
export class FigureElement extends HTMLElement {
  /** @type {Life['status']} */ #status = 'printed';
  /** @type {Printed|null} */ #printed = null;
  /** @type {Record<string, any>} */ #computed = {};
  /** @type {Data} */ #data = {};
  /** @type {number|undefined} */ #difference;
  /** @type {string|null} */ #lit = null;
  #message = '';
  #loading = false;
  #answering = false;
  #scheduled = false;
  #changed = false;
  #connected = false;
  /** @type {Course} */ #course = new Course(this.figure, {});
  #follower = new Follower();
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
    return {...this.#course.state};
  }

  set state(some) {
    if (this.#printed && this.isConnected) {
      this.wake({touched: true});
      this.#move(this.#course.wish(some, {ofAwaited: true}));
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
    return new URL(writeLink(this.figure.options, this.id, this.#course.state), location.href).href;
  }

  connectedCallback() {
    this.#printed ??= this.#readPrinted();
    if (!this.#printed) return;
    window.addEventListener('popstate', this); // unlike hashchange, also when the same link is followed again
    if (this.#loading) {
      session().addEventListener('change', this);
      this.#sessionChanged();
    } else {
      waitFor(this, {near: this.#status === 'printed'});
    }
    if (!this.#connected) this.#followLink();
    this.#connected = true;
    for (const some of this.#takeEarly()) this.state = some;
    this.addEventListener('keydown', this);
  }

  disconnectedCallback() {
    window.removeEventListener('popstate', this);
    if (this.#loading) session().removeEventListener('change', this);
    stopWaiting(this);
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event.type === 'popstate') this.#followLink();
    else if (event.type === 'change') this.#sessionChanged();
    else if (event instanceof KeyboardEvent) isUndo(event) && this.undo();
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
      if (!savesData()) stopWaiting(this);
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

  /** Takes back the reader's last step. */
  undo = () => this.#move(this.#course.undo());

  /** Back to what was printed; that can be undone too. */
  reset = () => {
    if (this.#printed) this.#move(this.#course.jump(this.#printed.state));
  };

  /**
   * The reader has pressed a number of the text: its place in the printed picture becomes what they have chosen.
   * @param {string} cell  `2.3.11.9`
   */
  take(cell) {
    const found = cellOf(this.figure, cell);
    if (!this.#printed || !found) return;
    this.wake({touched: false});
    this.#move(this.#course.jump(change(this.figure, this.#printed.state, this.figure.take(found, this.#course.state))));
  }

  /** @returns {Printed|null} */
  #readPrinted() {
    const block = this.querySelector(':scope > script[type="application/json"]');
    if (!block) return null; // not printed by the book: nothing to wake
    const printed = /** @type {Printed} */ (JSON.parse(block.textContent ?? ''));
    this.#course.state = printed.state;
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

  #load() {
    if (this.#loading) return;
    this.#loading = true;
    stopWaiting(this);
    session().addEventListener('change', this);
    void this.#answer();
  }

  #followLink() {
    if (!this.#printed) return;
    const asked = this.#follower.asks(this.figure.options, this.id);
    if (asked === null) return;
    this.wake({touched: true});
    this.#move(this.#course.jump(change(this.figure, this.#printed.state, asked)));
    this.#follower.untouched = true;
    if (arrives()) leadTo(this);
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

  /** @param {State|null} shown  what the course leads to; null when the model must be asked */
  #move(shown) {
    this.#follower.untouched = false;
    if (shown) {
      this.#show(shown);
    } else {
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
      asked = this.#course.aim;
      take = await this.#ask(asked);
    } while (!computesSame(this.figure, asked, this.#course.aim));
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
    this.#changed ||= this.#status !== 'live' || this.#course.wanted !== null;
    this.#setStatus('live');
    this.#take(computed, this.#showsPrinted(this.#course.aim) ? difference(this.figure, computed, this.#printed?.data ?? {}) : undefined);
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#message = error instanceof Error ? error.message : String(error);
    this.#setStatus('failed');
    this.#schedule();
    // The printed text needs no model: its numbers came with the page.
    if (this.#printed && this.#course.wanted && this.#showsPrinted(this.#course.wanted)) this.#take(this.#printed.data, undefined);
  }

  /**
   * @param {Record<string, any>} computed  the answer to what is wanted now
   * @param {number|undefined} difference
   */
  #take(computed, difference) {
    const wanted = this.#course.aim;
    this.#course.wanted = null;
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

  /** @param {State} wanted  answered by what is computed */
  #show(wanted) {
    const state = this.figure.prepare(wanted, this.#computed, {strict: false});
    this.#changed ||= Object.keys(state).some((name) => state[name] !== this.#course.state[name]);
    this.#course.state = state;
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
    render(this.figure.view(this.#data, {...this.#course.state}, (some) => this.#move(this.#course.wish(some, {ofAwaited: false})), this.#life()), this);
  }

  #drawn() {
    if (!this.#changed) return;
    this.#changed = false;
    this.dispatchEvent(new CustomEvent('figurechange', {bubbles: true, detail: copied(this.state, this.#data)}));
  }

  /** @returns {Life} */
  #life() {
    const loading = this.#loading && session().status === 'loading' ? session() : undefined;
    return {
      status: this.#status,
      busy: this.#loading && this.#status !== 'failed' && (this.#status === 'awake' || this.#course.wanted !== null),
      received: loading?.received ?? 0,
      total: loading?.total ?? 0,
      message: this.#message,
      retry: this.retry,
      difference: this.#difference,
      lit: this.#showsPrinted(this.#course.state) ? cellOf(this.figure, this.#lit) : null, // its text must be shown
      wanted: this.#course.wanted,
      stepped: this.#course.taken,
      printed: this.#printed?.state ?? null,
      undo: this.#course.canUndo ? this.undo : null,
      reset: this.#printed && differ(this.#course.aim, this.#printed.state) ? this.reset : null,
      link: writeLink(this.figure.options, this.id, this.#course.state),
    };
  }
}

/**
 * What a listener gets: copies of its own, made when it looks at them. (Of a long text the copy takes longer than the drawing.)
 * @param {State} state
 * @param {Data} data
 * @returns {Printed}
 */
function copied(state, data) {
  /** @type {Data|undefined} */ let copy;
  return {
    state,
    get data() {
      return (copy ??= structuredClone(data));
    },
  };
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
