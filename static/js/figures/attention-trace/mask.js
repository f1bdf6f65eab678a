/** The switch of the causal mask, and what it does to the row that is shown. */
import {html} from 'lit';
import {Directive, directive} from 'lit/directive.js';
import {told} from './words.js';

class Checks extends Directive {
  /** @param {boolean} _checked */
  render(_checked) {}

  /**
   * @param {import('lit/directive.js').ElementPart} part
   * @param {[boolean]} now
   */
  update({element}, [checked]) {
    if (element instanceof HTMLInputElement) element.checked = checked;
  }
}

/** The box shows the state, whatever the browser remembers of it; the printer would read a property as an attribute. */
const checks = directive(Checks);

/**
 * @param {boolean} causal
 * @param {{names: string[], query: number, result: import('./words.js').Outcome}} shown
 * @param {(causal: boolean) => void} choose
 */
export function maskSwitch(causal, {names, query, result}, choose) {
  const change = (/** @type {Event} */ event) => {
    if (event.target instanceof HTMLInputElement) choose(event.target.checked);
  };
  return html`<div class="trace-mask">
    <label class="trace-switch"><input type="checkbox" ?checked=${causal} ${checks(causal)} @change=${change}> <span>Causal mask: nobody asks a later token</span></label>
    <p class="quiet"><span class="trace-hand">${told(String(causal), result, '')}</span> ${causal ? because(names, query) : ''}</p>
  </div>`;
}

/**
 * @param {string[]} names
 * @param {number} query
 */
function because(names, query) {
  if (names.length === 1) return 'A single token has nobody to ask but itself, mask or no mask.';
  if (query === names.length - 1) return `Nothing comes after ${names[query]}: in the last row the mask hides nobody.`;
  if (query === 0) return `Everything comes after ${names[0]}: it has only itself to ask.`;
  return '';
}
