/** The words as the viewer shows a sentence: the one that asks is boxed, under each asked one a bar of its weight. */
import {html, nothing} from 'lit';
import {bar} from '../../lib/bar.js';
import {direction} from '../../lib/cells.js';
import {inLines, onArrow} from '../../lib/keys.js';
import {visible} from '../../lib/words.js';
import {outcome} from './words.js';

/** @typedef {import('../../lib/trace/weigh.js').Weighed} Weighed */

/**
 * @param {import('../../lib/figure.js').Token[]} tokens
 * @param {Weighed} numbers
 * @param {{names: string[], query: number, lit: number[]}} scene  lit: the pair that a number of the text is about
 * @param {(query: number) => void} choose
 */
export function sentence(tokens, numbers, {names, query, lit}, choose) {
  const {weights} = outcome(numbers, query);
  const asking = (/** @type {Element} */ button) => choose(Number(button instanceof HTMLElement ? button.dataset.token : NaN));
  return html`<div
    class="viewer-sentence trace-sentence"
    role="toolbar"
    aria-label="The tokens: choose the one that asks"
    dir=${direction(tokens.map((token) => token.text).join('')) ?? 'ltr'}
    translate="no"
    @click=${(/** @type {Event} */ event) => {
      const button = event.target instanceof Element ? event.target.closest('[data-token]') : null;
      if (button) asking(button);
    }}
    @keydown=${(/** @type {KeyboardEvent} */ event) => onArrow(event, '[data-token]', inLines, asking)}
  >${tokens.map((token, index) => {
    const asks = index === query;
    const later = numbers.masked[index];
    const share = weights[index];
    return html`${index > 0 ? ' ' : nothing}<button
      type="button"
      class=${`token ${asks ? 'token-asks' : later ? 'token-later' : 'token-seen'}${lit.includes(index) ? ' token-lit' : ''}`}
      data-token=${index}
      tabindex=${asks ? 0 : -1}
      aria-pressed=${asks ? 'true' : 'false'}
      aria-label=${`${names[index].replace(/[«»]/g, '')} ${share}${asks ? ', asks' : later ? ', comes later' : ''}`}
    ><span class="token-text"><bdi>${visible(token.text.trim())}</bdi></span>${bar(numbers.weights[index])}<span class="token-share token-share-strong"> ${share}</span></button>`;
  })}</div>`;
}
