/** Numbers that can be asked why: a share that is pressed opens the sum that made it. */
import {html, nothing} from 'lit';
import {steps} from '../../lib/trace/steps.js';
import {weigh} from '../../lib/trace/weigh.js';
import {faces, names, percent} from '../../lib/words.js';

/** @typedef {import('../../lib/figure.js').Life} Life */
/** @typedef {import('./panels.js').Data} Data */
/** @typedef {import('./panels.js').State} State */
/** @typedef {(some: Record<string, any>) => void} Act */

/**
 * A share in running text or in a table. Printed it is plain: without script it could answer nothing.
 * @param {{share: string, key: number, name: string}} part
 * @param {(key: number) => void} open
 * @param {Life} life
 * @param {number} [tabindex]
 */
export function why({share, key, name}, open, life, tabindex = 0) {
  if (life.status === 'printed') return share;
  return html`<button type="button" class="why" tabindex=${tabindex} data-key=${key} aria-label=${`${share} to ${name}: why?`} @click=${(/** @type {Event} */ event) => {
    open(key);
    reveal(event);
  }}>${share}</button>`;
}

/**
 * Leads to what was opened, once it is drawn: the focus, and with it the eye.
 * @param {Event} event
 */
export function reveal({target}) {
  const viewer = target instanceof Element ? target.closest('.viewer') : null;
  requestAnimationFrame(() => {
    const head = viewer?.querySelector('.viewer-why > .why-head');
    if (head instanceof HTMLElement) head.focus({preventScroll: true});
    viewer?.querySelector('.viewer-why')?.scrollIntoView({block: 'nearest'});
  });
}

/**
 * The sum behind one weight, from the model's own q, k and v.
 * @param {Data} data
 * @param {State} state
 * @param {Act} act
 * @param {Life} life
 */
export function trace(data, state, act, life) {
  const {layer, head, query, key} = state;
  if (key === null || data.tokens.length === 0) return nothing;
  const called = names(data.tokens);
  const whom = key === query ? 'itself' : called[key];
  return html`<section class="viewer-why" aria-label="Why this weight">
    <p class="why-head" tabindex="-1">Why ${called[query]} gives ${percent(data.row[key])} to ${whom} in layer ${layer}, head ${head}</p>
    ${life.status === 'printed' ? nothing : html`<button type="button" class="tool why-close" @click=${() => act({key: null})}>Close</button>`}
    ${sums(data, state, act, life, called)}
  </section>`;
}

/**
 * @param {Data} data
 * @param {State} state
 * @param {Act} act
 * @param {Life} life
 * @param {string[]} called
 */
function sums(data, {layer, head, query, key}, act, life, called) {
  const vectors = data.vectors[layer - 1][head - 1];
  if (!vectors) {
    return html`<p class="quiet">${life.status === 'failed' ? 'This sum needs the model, and the model did not answer.' : 'The vectors for this sum come with the model, which is on its way …'}</p>`;
  }
  const seen = query + 1; // later tokens are behind the mask
  const numbers = weigh({q: vectors.q[query], k: vectors.k.slice(0, seen), v: vectors.v.slice(0, seen)});
  return steps(numbers, {names: called.slice(0, seen), faces: faces(data.tokens).slice(0, seen), query, key: key ?? query, choose: (/** @type {number} */ other) => act({key: other})});
}
