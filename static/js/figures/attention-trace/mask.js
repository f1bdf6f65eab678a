/** The switch of the causal mask, and what it does to the row that is shown. */
import {html} from 'lit';
import {live} from 'lit/directives/live.js';
import {told} from './words.js';

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
    <label class="trace-switch"><input type="checkbox" ?checked=${causal} .checked=${live(causal)} @change=${change}> <span>Causal mask: nobody asks a later token</span></label>
    <p class="quiet trace-told">${told(String(causal), result, '')} ${causal ? because(names, query) : ''}</p>
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
