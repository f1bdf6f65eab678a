/** The row in numbers: every dot product or score, share and slope. */
import {html} from 'lit';
import {percentages} from '../../lib/weight-scale.js';
import {plain} from './words.js';

/** @typedef {import('./rows.js').Side} Side */
/** @typedef {import('./rows.js').Compared} Compared */

/**
 * @param {Compared} data
 * @param {{dk: number, seed: number}} state
 */
export function drawer({raw, scaled}, {dk, seed}) {
  const columns = [raw, scaled].map(({scores, weights, slopes}) => ({scores, slopes, shares: percentages(weights, 1)}));
  const heads = (/** @type {string} */ given) => html`<th scope="col" class="number">${given}</th><th scope="col" class="number">Share</th><th scope="col" class="number">Slope</th>`;
  const together = html`<td></td><td class="number">100.0%</td><td></td>`;
  return html`<details class="knob-drawer">
    <summary>The row in numbers</summary>
    <div class="table-scroll" role="group" aria-label="The row in numbers" tabindex="0">
      <table class="knob-table">
        <caption>Draw ${seed}, <i>d</i><sub>k</sub> = ${dk}. Shares are rounded so that they add up.</caption>
        <thead>
          <tr><td></td><th scope="colgroup" colspan="3" class="number">Undivided</th><th scope="colgroup" colspan="3" class="number">Divided by ${plain(Math.sqrt(dk))}</th></tr>
          <tr><th scope="col">Key</th>${heads('Dot product')}${heads('Score')}</tr>
        </thead>
        <tbody>${raw.scores.map((_, index) => html`<tr><th scope="row">${index + 1}</th>${columns.map(
          ({scores, shares, slopes}) => html`<td class="number">${fixed(scores[index])}</td><td class="number">${shares[index].toFixed(1)}%</td><td class="number">${slopes[index].toFixed(3)}</td>`,
        )}</tr>`)}</tbody>
        <tfoot><tr><th scope="row">All</th>${together}${together}</tr></tfoot>
      </table>
    </div>
  </details>`;
}

/** @param {number} score @returns {string} two decimals, with a true minus */
function fixed(score) {
  return score.toFixed(2).replace('-', '−');
}
