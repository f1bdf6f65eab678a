/** What opens beneath the picture: the row as a table, the reader's own text; and the one quiet line about the model. */
import {html, nothing, svg} from 'lit';
import {live} from 'lit/directives/live.js';
import {level, percentages} from '../../lib/weight-scale.js';
import {largeMatrix} from './matrices.js';
import {atMost, count, names, progress, visible} from './words.js';

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
  const length = Math.round(weight * 1000) / 10;
  return html`<tr class=${asks ? 'row-asks' : nothing}>
    <td class="number">${index}</td>
    <th scope="row"><bdi>${visible(token.text)}</bdi>${asks ? html` <span class="quiet">itself</span>` : nothing}</th>
    <td class="number">${share.toFixed(1)}%</td>
    <td class="table-bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${
      length > 0 ? svg`<rect class=${`ramp-${Math.max(1, level(weight))}`} width=${length} height="10"></rect>` : nothing
    }</svg></td>
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
      <textarea class="field" rows="3" dir="auto" spellcheck="false" autocapitalize="off" autocomplete="off" .value=${live(text)} @input=${type}></textarea></label>
    <p class="quiet">${typed(data, life)}</p>
  </details>`;
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

/** @param {Life} life */
export function statusLine(life) {
  return html`<div class="viewer-status">${statusOf(life)}</div>`;
}

/** @param {Life} life */
function statusOf({status, busy, received, total, message, retry, difference, wanted}) {
  if (status === 'failed') {
    return html`<p role="alert">The model could not answer: ${sentence(message)} What is shown still works.</p>
      <button type="button" class="quiet-button" @click=${retry}>Try again</button>`;
  }
  if (status === 'live') {
    if (wanted && busy) return html`<p>Computing…</p>`;
    if (difference === undefined) return html`<p>Computed in your tab.</p>`;
    return html`<p>Computed in your tab; ${
      difference > 0 ? `differs from the printed numbers by at most ${atMost(difference)}` : 'agrees exactly with the printed numbers'
    }.</p>`;
  }
  if (!busy || total === 0) return html`<p>${busy ? 'Loading the model…' : 'Computed when this page was made.'}</p>`;
  return html`<p>Loading the model: ${progress(received, total)}</p>
    <progress max=${total} value=${received} aria-label="Loading the model"></progress>`;
}

/** @param {string} message  as errors have it, without a full stop */
function sentence(message) {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
