/** Focus does not get lost when what had it is drawn no more, as a token that a shorter text does not have. */
import {Directive, directive} from 'lit/directive.js';

class KeepFocus extends Directive {
  render() {}

  /** Lit comes here before it draws what is inside. @param {import('lit/directive.js').ElementPart} part */
  update({element}) {
    const focused = document.activeElement;
    if (!focused || focused === element || !element.contains(focused)) return;
    /** @type {Element[]} */
    const around = [];
    for (let part = focused.parentElement; part && element.contains(part); part = part.parentElement) around.push(part);
    queueMicrotask(() => {
      if (document.activeElement === document.body) heir(around)?.focus({preventScroll: true});
    });
  }
}

/**
 * @param {Element[]} around  the parts that the lost one stood in, from the smallest
 * @returns {HTMLElement|undefined} what takes the focus in the smallest that is still there
 */
function heir(around) {
  for (const part of around) {
    const found = part.isConnected ? part.querySelector('[tabindex="0"]') : null;
    if (found instanceof HTMLElement) return found;
  }
}

/** `<div ${keepFocus()}>…</div>`: if what had the focus within is gone once all is drawn, the nearest thing that takes it has it. */
export const keepFocus = directive(KeepFocus);
