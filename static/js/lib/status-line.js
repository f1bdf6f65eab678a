/** The one quiet line about the model: loading, computed, failed. */
import {html} from 'lit';
import {percent} from './words.js';

/** @typedef {import('./figure.js').Life} Life */

/** @param {Life} life */
export function statusLine(life) {
  return html`<div class="viewer-status" tabindex="-1">${statusOf(life)}</div>`;
}

/**
 * The button goes when it is pressed; the focus stays here, beside the words about what follows.
 * @param {Event} event
 * @param {() => void} retry
 */
function again(event, retry) {
  if (event.currentTarget instanceof Element) /** @type {HTMLElement|null} */ (event.currentTarget.closest('.viewer-status'))?.focus({preventScroll: true});
  retry();
}

/** @param {Life} life */
function statusOf({status, busy, received, total, message, retry, difference, wanted}) {
  if (status === 'failed') {
    return html`<p role="alert">The model could not answer: ${sentence(message)} What is shown still works.</p>
      <button type="button" class="quiet-button" @click=${(/** @type {Event} */ event) => again(event, retry)}>Try again</button>`;
  }
  if (status === 'live') {
    if (wanted && busy) return html`<p>Computing…</p>`;
    return html`<p>${agreement(difference)}</p>`;
  }
  if (!busy || total === 0) return html`<p>${busy ? 'Loading the model…' : 'Computed when this page was made.'}</p>`;
  if (received >= total) return html`<p>The model is here, and computes…</p>`;
  return html`<p>Loading the model: ${progress(received, total)}</p>
    <progress max=${total} value=${received} aria-label="Loading the model"></progress>`;
}

/** @param {string} message  as errors have it, without a full stop */
function sentence(message) {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/**
 * @param {number} bytes
 * @param {number} total
 * @returns {string} in the unit that suits the total: «1.2 of 16.4 MB»
 */
export function progress(bytes, total) {
  const [unit, size, digits] = total < 1e6 ? ['KB', 1e3, 0] : ['MB', 1e6, 1];
  return `${(bytes / Number(size)).toFixed(Number(digits))} of ${(total / Number(size)).toFixed(Number(digits))} ${unit}`;
}

/** How far numbers may be apart that were computed by the same model in two places. */
const SAME = 1e-5;

/**
 * @param {number|undefined} difference  the greatest, between the printed and the live numbers; undefined for a text that was not printed
 * @returns {string} sentences
 */
export function agreement(difference) {
  if (difference === undefined) return 'Computed in your tab.';
  if (difference === 0) return 'Computed in your tab; agrees exactly with the printed numbers.';
  if (difference <= SAME) return `Computed in your tab; differs from the printed numbers by at most ${atMost(difference)}.`;
  const how = difference <= 1 ? `its weights differ from the printed ones by up to ${percent(difference)}` : 'its answer cannot even be compared with the printed one';
  return `This page and its model do not match: ${how}. The picture shows the model’s own numbers, and what the page says of it may be wrong.`;
}

/**
 * An upper bound of a small number, to one digit, without an exponent: 2.6e-7 is «0.0000003».
 * @param {number} difference  0 to 1
 * @returns {string}
 */
export function atMost(difference) {
  if (!(difference > 0)) return '0';
  const places = Math.max(0, -Math.floor(Math.log10(difference)));
  const digit = Math.ceil(difference * 10 ** places - 1e-9);
  return digit === 10 ? (10 ** (1 - places)).toFixed(places - 1) : (digit * 10 ** -places).toFixed(places);
}
