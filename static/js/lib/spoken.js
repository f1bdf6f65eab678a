/** Words for a live region. */
import {Directive, directive} from 'lit/directive.js';

/** Long enough that typing and walking are over, short enough to belong to what was done, in ms. */
const PAUSE = 600;

class Spoken extends Directive {
  /** @type {string|undefined} */ #last;
  /** @type {ReturnType<typeof setTimeout>|undefined} */ #timer;

  /** Printed, the region is empty: the sentence stands beside it, and nothing has changed yet. @param {string} _words */
  render(_words) {}

  /**
   * @param {import('lit/directive.js').ElementPart} part
   * @param {[string]} words
   */
  update({element}, [words]) {
    const before = this.#last;
    this.#last = words;
    if (before === undefined || before === words) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      element.textContent = words;
    }, PAUSE);
  }
}

/**
 * `<p aria-live="polite" ${spoken(words)}></p>`: words that have changed are put into the element once they rest, so that a
 * screen reader tells the last of many changes and not each.
 */
export const spoken = directive(Spoken);
