/** Bars of weights: under a token its thickness tells, in a table its length. */
import {html, nothing, svg} from 'lit';
import {THICK, level, thickness} from './weight-scale.js';

/** @param {number} weight */
export function bar(weight) {
  const height = thickness(weight);
  return html`<svg class="bar" viewBox=${`0 0 1 ${THICK}`} height=${THICK} preserveAspectRatio="none" aria-hidden="true">${
    height > 0 ? svg`<rect class=${`ramp-${level(weight)}`} width="1" height=${hundredths(height)}></rect>` : nothing
  }</svg>`;
}

/** A tenth of a per cent is seen here, as it is in the number beside it. @param {number} weight */
export function tableBar(weight) {
  const length = Math.round(weight * 1000) / 10;
  return html`<svg viewBox="0 0 100 1" height=${THICK} preserveAspectRatio="none" aria-hidden="true">${
    length > 0 ? svg`<rect class=${`ramp-${Math.max(1, level(weight))}`} width=${length} height="1"></rect>` : nothing
  }</svg>`;
}

/**
 * A length as it stands in the page: more digits would be bytes that nobody sees.
 * @param {number} length
 */
export function hundredths(length) {
  return Math.round(length * 100) / 100;
}
