/**
 * The reader's course through a figure: what is shown, what is awaited of the model, and the steps that led there, so that
 * they can be taken back. Knows neither the page nor the model.
 *
 * What leads on returns the state to show, or null: then the model must be asked for what is `wanted`.
 */
import {change, computesSame, readWishes} from './wishes.js';

/** @typedef {import('./figure.js').Figure} Figure */
/** @typedef {import('./figure.js').State} State */
/** @typedef {{state: State, wanted: State|null}} Place */

/** Wishes for the same options within so many ms are one step: a word typed, a walk along the tokens. */
const PAUSE = 1000;
const MOST = 200;

export class Course {
  #figure;
  #now;
  /** @type {Place[]} where each step came from, the latest last */ #before = [];
  #names = '';
  #at = -Infinity;

  /** What is shown; set by whoever shows it. @type {State} */ state;
  /** What is awaited. @type {State|null} */ wanted = null;
  /** Whether there ever was a step. */ taken = false;

  /**
   * @param {Figure} figure
   * @param {State} state  at first
   * @param {() => number} [now]  in ms
   */
  constructor(figure, state, now = () => performance.now()) {
    this.#figure = figure;
    this.#now = now;
    this.state = state;
  }

  /** Where it is, or is on its way to. */
  get aim() {
    return this.wanted ?? this.state;
  }

  /**
   * Wishes for some of the options. While the model is awaited, what is shown still answers to those that do not need it. Those
   * about a text's tokens are meant of the text that the reader sees, or, when a script wishes, of the one it asked for before.
   * @param {any} some
   * @param {{ofAwaited: boolean}} how
   * @returns {State|null}
   */
  wish(some, {ofAwaited}) {
    const {computes, options} = this.#figure;
    const wishes = readWishes(options, some);
    const wanted = change(this.#figure, this.aim, wishes);
    if (differ(wanted, this.aim) || this.wanted) this.#record(Object.keys(wishes).sort().join());
    if (!this.wanted || computes.some((name) => name in wishes)) return this.#go(wanted);
    const ofBoth = Object.fromEntries(Object.entries(wishes).filter(([name]) => options[name].follows === undefined));
    this.wanted = {...this.wanted, ...(ofAwaited ? wishes : ofBoth)};
    return change(this.#figure, this.state, ofAwaited ? ofBoth : wishes);
  }

  /**
   * To a whole state at once, a step of its own however soon it comes: a link, what was printed, the place of a number.
   * @param {State} wanted
   * @returns {State|null}
   */
  jump(wanted) {
    if (differ(wanted, this.aim)) this.#record('');
    return this.#go(wanted);
  }

  /** Whether there is a step to take back. */
  get canUndo() {
    return this.#before.some((place) => this.#leadsElsewhere(place));
  }

  /**
   * Takes the last step back, and those after it that led nowhere.
   * @returns {State|null}
   */
  undo() {
    this.#names = '';
    const back = this.#before.findLastIndex((place) => this.#leadsElsewhere(place));
    if (back < 0) return this.state;
    const [{state, wanted}] = this.#before.splice(back);
    if (wanted === null) return this.#go(state);
    if (!this.wanted || !computesSame(this.#figure, wanted, this.wanted)) return this.#go(wanted);
    this.wanted = wanted;
    return state;
  }

  /**
   * @param {State} wanted
   * @returns {State|null}
   */
  #go(wanted) {
    const known = computesSame(this.#figure, wanted, this.state);
    this.wanted = known ? null : wanted;
    return known ? wanted : null;
  }

  /** @param {string} names  of the options that are wished for; '' for a step that is never one with another */
  #record(names) {
    const now = this.#now();
    const same = names !== '' && names === this.#names && now - this.#at < PAUSE;
    [this.#names, this.#at, this.taken] = [names, now, true];
    if (same) return;
    this.#before.push({state: this.state, wanted: this.wanted});
    if (this.#before.length > MOST) this.#before.shift();
  }

  /**
   * What was awaited then and has come since is where we are, whatever token of it is chosen now.
   * @param {Place} place
   */
  #leadsElsewhere({state, wanted}) {
    if (wanted === null) return this.wanted !== null || differ(state, this.state);
    if (this.wanted === null) return !computesSame(this.#figure, wanted, this.state);
    return differ(state, this.state) || differ(wanted, this.wanted);
  }
}

/**
 * @param {State} a
 * @param {State} b
 */
export function differ(a, b) {
  return Object.keys({...a, ...b}).some((name) => !Object.is(a[name] ?? null, b[name] ?? null));
}

/** Fields that undo for themselves what is typed into them. */
const TYPED = 'textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=button], [data-undo=figure])';

/**
 * Ctrl-Z or ⌘Z, but not where one types. A field whose value a figure has set has nothing of its own to undo, and says so by
 * `data-undo="figure"`.
 * @param {KeyboardEvent} event
 */
export function isUndo(event) {
  const {key, ctrlKey, metaKey, shiftKey, altKey, target} = event;
  if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return false;
  if (target instanceof Element && target.closest(TYPED)) return false;
  event.preventDefault();
  return true;
}
