/** What is picked in a long table stands in its window, without the page being moved. */
import {Directive, directive} from 'lit/directive.js';

class InWindow extends Directive {
  /** @type {number|undefined} */ #key;

  /** Printed, nothing scrolls. @param {number} _key */
  render(_key) {}

  /**
   * @param {import('lit/directive.js').ElementPart} part
   * @param {[number]} now
   */
  update({element}, [key]) {
    if (key === this.#key) return; // where the reader has scrolled to, it stays
    this.#key = key;
    queueMicrotask(() => show(element)); // lit draws what is inside after this
  }
}

/** @param {Element} box */
function show(box) {
  const row = box.querySelector('.trace-picked')?.getBoundingClientRect();
  const window = box.getBoundingClientRect();
  if (!row || box.scrollHeight <= box.clientHeight) return;
  const [head, foot] = ['thead', 'tfoot'].map((part) => box.querySelector(part)?.getBoundingClientRect().height ?? 0);
  const [top, bottom] = [window.top + head, window.bottom - foot];
  if (row.top < top || row.bottom > bottom) box.scrollTop += (row.top + row.bottom - top - bottom) / 2;
}

/** `<div ${inWindow(key)}>`: a box that scrolls shows its row of class `trace-picked` whenever another key is picked. */
export const inWindow = directive(InWindow);
