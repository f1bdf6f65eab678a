/** What the reader did to a figure, so that it can be undone: the states before each step, the latest last. */

/** @typedef {import('./figure.js').State} State */

/** Changes of the same options within so many ms are one step: a word typed, a walk along the tokens. */
const PAUSE = 1000;
const MOST = 200;

export class UndoStack {
  /** @type {State[]} */ #before = [];
  #names = '';
  #at = -Infinity;

  /** Whether there ever was a step. */
  taken = false;

  /**
   * @param {State} before  the state that the step leaves
   * @param {string[]} names  the options that it changes
   * @param {number} now  in ms
   */
  record(before, names, now) {
    const same = names.join() === this.#names && now - this.#at < PAUSE;
    [this.#names, this.#at, this.taken] = [names.join(), now, true];
    if (same) return;
    this.#before.push(before);
    if (this.#before.length > MOST) this.#before.shift();
  }

  /** The next step is one of its own. */
  pause() {
    this.#names = '';
  }

  /**
   * Where the last step that made a difference came from.
   * @param {State} now
   * @returns {State|undefined}
   */
  last(now) {
    return this.#before.findLast((state) => !equal(state, now));
  }

  /**
   * Takes that step back, and those after it that made none.
   * @param {State} now
   * @returns {State|undefined}
   */
  back(now) {
    const found = this.last(now);
    if (found) this.#before.length = this.#before.lastIndexOf(found);
    this.pause();
    return found;
  }
}

/**
 * @param {State} a
 * @param {State} b
 */
export function equal(a, b) {
  return Object.keys({...a, ...b}).every((name) => Object.is(a[name] ?? null, b[name] ?? null));
}

/**
 * Ctrl-Z or ⌘Z, but not where one types: a field undoes its own.
 * @param {KeyboardEvent} event
 */
export function isUndo(event) {
  const {key, ctrlKey, metaKey, shiftKey, altKey, target} = event;
  if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return false;
  if (target instanceof Element && target.closest('input, textarea, [contenteditable]')) return false;
  event.preventDefault();
  return true;
}
