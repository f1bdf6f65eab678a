/** One step: its title, what is done, the table, and the same with the numbers of the picked pair. */
import {html, nothing} from 'lit';
import {signed} from './rounding.js';

/**
 * @param {object} step
 * @param {string} [step.title]
 * @param {unknown} step.does
 * @param {unknown} step.shows
 * @param {unknown} [step.before]  between what is done and the table
 * @param {unknown[]} step.spells  lines
 * @param {boolean} step.exact  nothing in it was rounded
 * @param {number} [step.shifted]  how many numbers were not rounded to the nearest, so that sums hold as shown
 * @param {string} [step.kind]
 */
export function step({title, does, before, shows, spells, exact, shifted = 0, kind = ''}) {
  return html`<div class=${`trace-step ${kind}`.trim()}>
    <div class="trace-says">
      ${title ? html`<p class="trace-title">${title}</p>` : nothing}
      <p>${does}</p>
      ${before ?? nothing}
    </div>
    <div class="trace-shows">${shows}</div>
    <div class="trace-ends">
      ${spells.map((line) => html`<p>${line}</p>`)}
      ${exact ? nothing : html`<p class="quiet">${rounded(shifted)}</p>`}
    </div>
  </div>`;
}

/** @param {number} shifted */
function rounded(shifted) {
  if (shifted === 0) return 'Shown rounded; worked out with all digits.';
  return `Shown rounded, and ${shifted === 1 ? 'one last digit' : `${shifted} last digits`} moved by one so that what is shown adds up; worked out with all digits.`;
}

/**
 * A sum; a line breaks before a sign, and nowhere else.
 * @param {string[]} terms
 * @param {string} [first]  the sign before the first: '=', or none
 */
export function joined(terms, first = '') {
  return terms.map((term, index) => {
    const [sign, text] = index > 0 ? signed(term) : [first, term];
    return html`${index > 0 ? ' ' : ''}<span class="trace-term">${sign ? `${sign} ` : ''}${text}</span>`;
  });
}

/**
 * e to a power, as it is written and as it is read aloud.
 * @param {unknown} power
 */
export function eTo(power) {
  return html`<span class="trace-power"><i>e</i><span class="visually-hidden"> to the power of </span><sup>${power}</sup></span>`;
}
