/** What is said beside a matrix of an entry that could not be taken as it was: until something else is done, or the matrix is left. */
import {Directive, directive} from 'lit/directive.js';

class Notice extends Directive {
  /** @type {string|undefined} */ #state;

  /** @param {string} _state */
  render(_state) {}

  /**
   * @param {import('lit/directive.js').ElementPart} part
   * @param {[string]} now
   */
  update({element}, [state]) {
    if (state !== this.#state && !element.hasAttribute('data-new')) element.textContent = '';
    element.removeAttribute('data-new');
    this.#state = state;
  }
}

/** `<span class="trace-notice" role="status" ${notice(state)}></span>`: what `tell` says stands until `state` is another. */
export const notice = directive(Notice);

/**
 * @param {Element} field  beside whose matrix it is said, and aloud
 * @param {string} words
 * @param {{edited?: boolean}} [how]  edited: what is said is of a change that is about to be drawn
 */
export function tell(field, words, {edited = false} = {}) {
  const place = field.closest('.trace-block')?.querySelector('.trace-notice');
  if (!place) return;
  place.textContent = words;
  place.toggleAttribute('data-new', edited);
}
