/** The words as the viewer shows a sentence: the one that asks is boxed, under each asked one a bar of its weight. */
import {html, nothing} from 'lit';
import {bar} from '../../lib/bar.js';
import {cells, direction, runs} from '../../lib/cells.js';
import {inLines, onArrow} from '../../lib/keys.js';
import {pressed} from '../../lib/trace/tables.js';
import {visible} from '../../lib/words.js';
import {outcome} from './words.js';

/** @typedef {import('../../lib/trace/weigh.js').Weighed} Weighed */
/** @typedef {import('../../lib/words.js').Face} Face */

/**
 * @param {import('../../lib/figure.js').Token[]} tokens
 * @param {Weighed} numbers
 * @param {{faces: Face[], query: number, lit: number[]}} scene  lit: the pair that a number of the text is about
 * @param {(query: number) => void} choose
 * @param {() => void} release  the asking token is pressed again
 */
export function sentence(tokens, numbers, {faces, query, lit}, choose, release) {
  const {weights} = outcome(numbers, query);
  const draw = (/** @type {number} */ index) => {
    const asks = index === query;
    const later = numbers.masked[index];
    const share = weights[index];
    return html`<button
      type="button"
      class=${`token ${asks ? 'token-asks' : later ? 'token-later' : 'token-seen'}${lit.includes(index) ? ' token-lit' : ''}`}
      data-token=${index}
      tabindex=${asks ? 0 : -1}
      aria-pressed=${asks ? 'true' : 'false'}
      aria-label=${label(faces[index], `${share}${asks ? ', asks' : later ? ', comes later' : ''}`)}
    ><span class="token-text"><bdi>${visible(tokens[index].text.trim())}</bdi></span>${bar(numbers.weights[index])}<span class="token-share token-share-strong"> ${share}</span></button>`;
  };
  const ask = (/** @type {HTMLElement} */ button) => choose(Number(button.dataset.token));
  return html`<div
    class="viewer-sentence trace-sentence"
    role="toolbar"
    aria-label="The tokens: choose the one that asks"
    dir=${direction(tokens.map((token) => token.text).join('')) ?? 'ltr'}
    translate="no"
    @click=${(/** @type {MouseEvent} */ event) => {
      const button = pressed(event);
      if (button?.ariaPressed === 'true') release();
      else if (button) ask(button);
    }}
    @keydown=${(/** @type {KeyboardEvent} */ event) => onArrow(event, '[data-token]', inLines, ask)}
  >${runs(cells(tokens)).map(({dir, words}, place) => {
    const indices = words.flat().flatMap((cell) => cell.tokens);
    return html`${place > 0 ? ' ' : nothing}<span dir=${dir}>${indices.map((index, rank) => html`${rank > 0 ? ' ' : nothing}${draw(index)}`)}</span>`;
  })}</div>`;
}

/**
 * What a screen reader says of a token; it need not read quotation marks.
 * @param {Face} face
 * @param {string} rest
 */
function label({letters, part, number}, rest) {
  return `${letters}${part === null ? '' : ` part ${part}`}${number === null ? '' : ` (token ${number})`} ${rest}`;
}
