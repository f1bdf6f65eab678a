/** What opens beneath the picture: the row as a table, the reader's own text; and the one quiet line about the model. */
import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';
import {html as printed, unsafeStatic} from 'lit/static-html.js';
import {tableBar} from '../../lib/bar.js';
import {percentages} from '../../lib/weight-scale.js';
import {count, names, visible} from '../../lib/words.js';
import {largeMatrix} from './matrices.js';

/** @typedef {import('../../lib/figure.js').Life} Life */
/** @typedef {import('../../lib/figure.js').Token} Token */
/** @typedef {{layer: number, head: number, query: number, text: string}} State */
/** @typedef {{tokens: Token[], pattern: number[][][][], row: number[], dropped: number, context: number, difference?: number}} Data */

/**
 * @param {Data} data
 * @param {State} state
 */
export function drawer(data, state) {
  return html`<details class="viewer-drawer">
    <summary>The row in numbers, and the whole matrix</summary>
    <div class="drawer-body">
      ${data.tokens.length > 0 ? table(data, state) : html`<p>There are no numbers before there is a text.</p>`}
      ${largeMatrix(data.tokens, data.pattern[state.layer - 1]?.[state.head - 1] ?? [], state)}
    </div>
  </details>`;
}

/**
 * @param {Data} data
 * @param {State} state
 */
function table({tokens, row}, {layer, head, query}) {
  const shares = percentages(row.slice(0, query + 1), 1);
  const later = tokens.length - 1 - query;
  return html`<div class="table-scroll" role="group" aria-label="The row in numbers" tabindex="0">
    <table class="viewer-table">
      <caption>What ${names(tokens)[query]} gives in layer ${layer}, head ${head}</caption>
      <thead><tr><th scope="col">No.</th><th scope="col">Token asked</th><th scope="col" class="number">Weight</th><td></td></tr></thead>
      <tbody>${shares.map((share, index) => line(tokens[index], index, share, row[index], index === query))}</tbody>
      <tfoot>
        <tr><td></td><th scope="row">All together</th><td class="number">100.0%</td><td></td></tr>
        ${later > 0 ? html`<tr class="token-later"><td></td><td colspan="3">${later === 1 ? '1 later token' : `${later} later tokens`}: not yet</td></tr>` : nothing}
      </tfoot>
    </table>
  </div>`;
}

/**
 * @param {Token} token
 * @param {number} index
 * @param {number} share  per cents, rounded so that the column adds up to 100
 * @param {number} weight
 * @param {boolean} asks
 */
function line(token, index, share, weight, asks) {
  return html`<tr class=${asks ? 'row-asks' : nothing}>
    <td class="number">${index}</td>
    <th scope="row"><bdi translate="no">${visible(token.text)}</bdi>${asks ? html` <span class="quiet">itself</span>` : nothing}</th>
    <td class="number">${share.toFixed(1)}%</td>
    <td class="table-bar">${tableBar(weight)}</td>
  </tr>`;
}

/**
 * @param {Data} data
 * @param {State} state
 * @param {(some: {text: string}) => void} act
 * @param {Life} life
 */
export function typing(data, state, act, life) {
  const text = String(life.wanted?.text ?? state.text);
  const type = (/** @type {Event} */ event) => {
    if (event.target instanceof HTMLTextAreaElement) act({text: event.target.value});
  };
  return html`<details class="viewer-typing">
    <summary>Type your own text</summary>
    <label><span class="label">Your text: nothing that you type leaves this tab</span>
      ${life.status === 'printed' ? printedField(text) : html`<textarea class="field" rows="3" dir="auto" spellcheck="false" autocapitalize="off" autocomplete="off" .value=${live(text)} @input=${type}></textarea>`}</label>
    <p class="quiet">${typed(data, life)}</p>
  </details>`;
}

/**
 * The field as it comes with the page. Its text is its content there, where no template can have an expression.
 * @param {string} text
 */
function printedField(text) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return printed`<textarea class="field" rows="3" dir="auto" spellcheck="false" autocapitalize="off" autocomplete="off">\n${unsafeStatic(escaped)}</textarea>`;
}

/**
 * What became of the typed text.
 * @param {Data} data
 * @param {Life} life
 */
function typed(data, life) {
  if (!life.wanted) return `${count(data.tokens.length)} of at most ${data.context}`;
  return life.status === 'failed' ? 'Not computed: the model did not answer.' : 'Waiting for the model…';
}
