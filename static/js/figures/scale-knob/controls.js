/** The knob itself, its exact number, and another draw. */
import {html} from 'lit';
import {live} from 'lit/directives/live.js';
import {holds, put} from '../../lib/holds.js';
import {WIDEST} from './draws.js';

/** Where the knob stops: each number about half as large again as the one before. */
export const STOPS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

/**
 * @param {number} dk
 * @returns {number} the stop nearest to it, by ratio
 */
export function nearestStop(dk) {
  const away = STOPS.map((stop) => Math.abs(Math.log(stop / dk)));
  return away.indexOf(Math.min(...away));
}

/**
 * @param {{dk: number, seed: number}} state
 * @param {(some: {dk?: number, seed?: number}) => void} act
 */
export function controls({dk, seed}, act) {
  const turn = (/** @type {Event} */ event) => act({dk: STOPS[Number(field(event).value)]});
  return html`<div class="knob-controls">
    <label class="knob-turn"><span class="label">Numbers in a query, <i>d</i><sub>k</sub></span>
      <input type="range" min="0" max=${STOPS.length - 1} step="1" autocomplete="off" aria-valuetext=${dk} .value=${live(String(nearestStop(dk)))} @input=${turn}></label>
    <label class="knob-exact"><span class="label">1 to ${WIDEST}</span>
      <input class="field" type="number" min="1" max=${WIDEST} step="1" inputmode="numeric" aria-label=${`Numbers in a query, exactly: 1 to ${WIDEST}`} autocomplete="off" data-undo="figure" value=${dk} ${holds(String(dk), meant)}
        @input=${(/** @type {Event} */ event) => type(field(event), act)} @change=${(/** @type {Event} */ event) => settle(field(event), dk, act)}></label>
    <button type="button" class="quiet-button" @click=${() => act({seed: (seed + 1) % 1_000_000})}>Draw again</button>
  </div>`;
}

/** @param {Event} event */
function field({target}) {
  return /** @type {HTMLInputElement} */ (target);
}

/** @param {string} typed @returns {string|null} the d_k that it stands for, or null while it is none */
function meant(typed) {
  const dk = Number(typed);
  return Number.isInteger(dk) && dk >= 1 && dk <= WIDEST ? String(dk) : null;
}

/**
 * While one types, what fits is shown at once and what does not fit yet is left alone.
 * @param {HTMLInputElement} input
 * @param {(some: {dk: number}) => void} act
 */
function type({value}, act) {
  const dk = meant(value);
  if (dk !== null) act({dk: Number(dk)});
}

/**
 * Once the field is left it holds what is shown: the nearest number that fits, or, where there is none, the one before.
 * @param {HTMLInputElement} input
 * @param {number} dk
 * @param {(some: {dk: number}) => void} act
 */
function settle(input, dk, act) {
  const wanted = Number.isFinite(input.valueAsNumber) ? Math.min(WIDEST, Math.max(1, Math.round(input.valueAsNumber))) : dk;
  put(input, String(wanted));
  act({dk: wanted});
}
