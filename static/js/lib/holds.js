/** What is half typed is the reader's, until the field is left; and a value that a script has set, Ctrl-Z in the field cannot take back. */
import {Directive, directive} from 'lit/directive.js';

class Holds extends Directive {
  #listens = false;

  /** Printed, a field has its attribute `value`. @param {string} _text @param {(typed: string) => string|null} _means */
  render(_text, _means) {}

  /**
   * @param {import('lit/directive.js').ElementPart} part
   * @param {[string, (typed: string) => string|null]} now
   */
  update({element}, [text, means]) {
    if (!(element instanceof HTMLInputElement)) return;
    if (!this.#listens) element.addEventListener('input', heard);
    this.#listens = true;
    const meant = means(element.value);
    const writing = element === document.activeElement && (meant === null || meant === text);
    if (!writing) put(element, text);
  }
}

/** An arrow that turns a number is no typing, and the browser does not remember it. @param {Event} event */
function heard(event) {
  if (!(event.target instanceof HTMLInputElement)) return;
  if (event instanceof InputEvent && event.inputType !== '') delete event.target.dataset.undo;
  else event.target.dataset.undo = 'figure';
}

/**
 * Writes into a field, whose own memory of what was typed ends with it: the figure's undo has to take that back.
 * @param {HTMLInputElement} field
 * @param {string} text
 */
export function put(field, text) {
  if (field.value === text) return;
  field.value = text;
  field.dataset.undo = 'figure';
}

/**
 * `<input value=${text} data-undo="figure" ${holds(text, means)}>` shows `text`, but while it is written in it is left alone as
 * long as what stands there means that too, or nothing yet.
 * @param {string} text
 * @param {(typed: string) => string|null} means  null: nothing yet
 */
export const holds = directive(Holds);
