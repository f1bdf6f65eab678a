/** One step: its title, what is done, the table, and the same with the numbers of the picked pair. */
import {html, nothing} from 'lit';

/**
 * @param {object} step
 * @param {string} step.title
 * @param {unknown} step.does
 * @param {unknown} step.shows
 * @param {unknown} [step.before]  between what is done and the table
 * @param {unknown[]} step.spells  lines
 * @param {boolean} step.exact  nothing in it was rounded
 */
export function step({title, does, before, shows, spells, exact}) {
  return html`<li class="trace-step">
    <p class="trace-title">${title}</p>
    <p class="trace-does">${does}</p>
    ${before ?? nothing}
    ${shows}
    ${spells.map((line) => html`<p class="trace-spelled">${line}</p>`)}
    ${exact ? nothing : html`<p class="trace-rounded quiet">Shown rounded, so that what is shown adds up; the arithmetic goes on with all digits.</p>`}
  </li>`;
}

/**
 * e to a power, as it is written and as it is read aloud.
 * @param {unknown} power
 */
export function eTo(power) {
  return html`<span class="trace-power"><i>e</i><span class="visually-hidden"> to the power of </span><sup>${power}</sup></span>`;
}
