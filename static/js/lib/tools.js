/** What every figure offers about itself: a step back, the printed state, a link to exactly this view. */
import {html, nothing} from 'lit';

/** @typedef {import('./figure.js').Life} Life */

/** A longer link is cut by browsers and by those who pass it on. */
const LONGEST = 100_000;

/** How long the answer to a click stands, in ms. */
const MOMENT = 5000;

/**
 * At first there is but the link; a step back comes with the first step.
 * @param {Life} life
 */
export function tools({stepped, undo, reset, link}) {
  return html`<div class="figure-tools" role="group" aria-label="This view">
    ${stepped ? html`${button('Undo', 'Undo the last step (Ctrl+Z)', undo)}${button('Reset', 'Back to the figure as it was printed', reset)}` : nothing}
    ${link.length > LONGEST
      ? html`<button type="button" class="tool" tabindex="0" @click=${(/** @type {Event} */ event) => say(event.currentTarget, 'This text is too long for a link.')}>Link to this view</button>`
      : html`<a class="tool" tabindex="0" href=${link} @click=${(/** @type {MouseEvent} */ event) => void copy(event)}>Link to this view</a>`}
    <span class="tool-said" role="status"></span>
  </div>`;
}

/**
 * What cannot be done now stays focusable, so that the focus is not lost with the last step.
 * @param {string} name
 * @param {string} title
 * @param {(() => void)|null} action
 */
function button(name, title, action) {
  return html`<button type="button" class="tool" title=${title} aria-disabled=${action ? 'false' : 'true'} @click=${() => action?.()}>${name}</button>`;
}

/**
 * Copies the link that was clicked; where that is not allowed it is followed, and stands in the address bar.
 * @param {MouseEvent} event
 */
async function copy(event) {
  const link = event.currentTarget;
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab is meant
  if (!navigator.clipboard) return say(link, 'The link is in the address bar.');
  event.preventDefault();
  try {
    await navigator.clipboard.writeText(link.href);
    say(link, 'Link copied.');
  } catch {
    location.href = link.href;
    say(link, 'The link is in the address bar.');
  }
}

/**
 * @param {EventTarget|null} tool  beside which it is said
 * @param {string} words
 */
function say(tool, words) {
  const place = tool instanceof Element ? tool.parentElement?.querySelector('.tool-said') : null;
  if (!place) return;
  place.textContent = words;
  setTimeout(() => {
    if (place.textContent === words) place.textContent = '';
  }, MOMENT);
}
