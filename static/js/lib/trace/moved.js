/** Marks the numbers that an edit has moved, so that cause and effect can be seen. */
import {Directive, directive} from 'lit/directive.js';

class Moved extends Directive {
  /** @type {string|undefined} */ #text;
  /** @type {string|null} */ #view = null;

  /** Printed, nothing has moved. @param {string} _text @param {string|null} _view */
  render(_text, _view) {}

  /**
   * @param {import('lit/directive.js').ElementPart} part
   * @param {[string, string|null]} now
   */
  update({element}, [text, view]) {
    const known = this.#text !== undefined && view !== null && view === this.#view;
    element.toggleAttribute('data-moved', known && text !== this.#text);
    this.#text = text;
    this.#view = view;
  }
}

/**
 * `<td ${moved(text, view)}>`: has the attribute `data-moved` when its text is another than before while the same view is
 * looked at; until the next change.
 */
export const moved = directive(Moved);
