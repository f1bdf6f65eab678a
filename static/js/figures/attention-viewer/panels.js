/** What opens beneath the picture: the row as a table, the reader's own text; and the one quiet line about the model. */
import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';
import {html as printed, unsafeStatic} from 'lit/static-html.js';
import {tableBar} from '../../lib/bar.js';
import {inGrid, onArrow} from '../../lib/keys.js';
import {percentages} from '../../lib/weight-scale.js';
import {count, names, visible} from '../../lib/words.js';
import {largeMatrix} from './matrices.js';
import {why} from './why.js';

/** @typedef {import('../../lib/figure.js').Life} Life */
/** @typedef {import('../../lib/figure.js').Token} Token */
/** @typedef {{layer: number, head: number, query: number, key: number|null, text: string}} State */
/** @typedef {{q: number[][], k: number[][], v: number[][]}} Vectors  of one head, each (T, Dh) */
/**
 * @typedef {object} Data
 * @property {Token[]} tokens
 * @property {number[][][][]} pattern  (L, H, T, T)
 * @property {(Vectors|null)[][]} vectors  (L, H); null where they did not travel with the page
 * @property {number[]} row  (T,)
 * @property {number} dropped  tokens that did not fit
 * @property {number} context
 * @property {(import('../../lib/figure.js').Habit|null)[][]} [habits]  (L, H)
 * @property {number} [difference]
 */

/** @typedef {(some: Record<string, any>) => void} Act */
/** @typedef {{act: Act, open: (key: number) => void}} Acts  `open` shows the sum behind what the asking token gives to `key` */

/**
 * @param {Data} data
 * @param {State} state
 * @param {Acts} acts
 * @param {Life} life
 */
export function drawer(data, state, acts, life) {
  return html`<details class="viewer-drawer">
    <summary>The row in numbers, and the whole matrix</summary>
    <div class="drawer-body">
      ${data.tokens.length > 0 ? table(data, state, acts.open, life) : html`<p>There are no numbers before there is a text.</p>`}
      ${largeMatrix(data.tokens, data.pattern[state.layer - 1]?.[state.head - 1] ?? [], state, acts.act)}
    </div>
  </details>`;
}

/**
 * @param {Data} data
 * @param {State} state
 * @param {Acts['open']} open
 * @param {Life} life
 */
function table({tokens, row}, {layer, head, query, key}, open, life) {
  const called = names(tokens);
  const shares = percentages(row.slice(0, query + 1), 1);
  const later = tokens.length - 1 - query;
  return html`<div class="table-scroll" role="group" aria-label="The row in numbers" tabindex="0" @keydown=${(/** @type {KeyboardEvent} */ event) => onArrow(event, '.why', inGrid, () => {})}>
    <table class="viewer-table">
      <caption>What ${called[query]} gives in layer ${layer}, head ${head}</caption>
      <thead><tr><th scope="col">No.</th><th scope="col">Token asked</th><th scope="col" class="number">Weight</th><td></td></tr></thead>
      <tbody>${shares.map((share, index) => {
        const asked = {share: `${share.toFixed(1)}%`, key: index, name: index === query ? 'itself' : called[index]};
        return line(tokens[index], index, row[index], index === query, why(asked, open, life, index === (key ?? query) ? 0 : -1));
      })}</tbody>
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
 * @param {number} weight
 * @param {boolean} asks
 * @param {unknown} share  per cents, rounded so that the column adds up to 100
 */
function line(token, index, weight, asks, share) {
  return html`<tr class=${asks ? 'row-asks' : nothing}>
    <td class="number">${index}</td>
    <th scope="row"><bdi translate="no">${visible(token.text)}</bdi>${asks ? html` <span class="quiet">itself</span>` : nothing}</th>
    <td class="number">${share}</td>
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
