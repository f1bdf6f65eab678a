/** One question to all heads: what the asking token does in each, side by side. */
import {html, nothing, svg} from 'lit';
import {hundredths} from '../../lib/bar.js';
import {entropy, greatest} from '../../lib/shares.js';
import {clampWeight, level} from '../../lib/weight-scale.js';
import {names, percent} from '../../lib/words.js';

/** @typedef {import('./panels.js').Data} Data */
/** @typedef {import('./panels.js').State} State */

/** Height of a head's small picture, and the width of all tokens together. */
const HIGH = 24;
const WIDE = 168;

/**
 * @param {Data} data
 * @param {State} state
 * @param {(some: {layer: number, head: number}) => void} act
 */
export function heads(data, state, act) {
  if (data.tokens.length === 0) return nothing;
  const called = names(data.tokens);
  return html`<details class="viewer-heads">
    <summary>All ${data.pattern.length * data.pattern[0].length} heads side by side</summary>
    <div class="table-scroll" role="group" aria-label="All heads side by side" tabindex="0">
      <table class="viewer-table heads-table">
        <caption>What ${called[state.query]} does in each head. A bar for each token of the text, in its order; the spread says among how many tokens an even budget would be just as spread. A role is what a head does in text it has not read, with the share that tokens spend on it which can.</caption>
        <thead><tr><th scope="col" colspan="2">Head</th><th scope="col">Looks most at</th><th scope="col" class="number">Weight</th><th scope="col" class="number">Spread, in tokens</th><th scope="col">Measured role</th></tr></thead>
        <tbody>${data.pattern.map((layer, l) => layer.map((matrix, h) => line(matrix[state.query], {layer: l + 1, head: h + 1}, called, state, act, data.habits?.[l]?.[h])))}</tbody>
      </table>
    </div>
  </details>`;
}

/** @type {Record<string, string>} what a role's name means, after “looks at”: the names are those of the model's manifest */
export const LOOKS_AT = {
  'previous token': 'the token just before',
  'first token': 'the very first token',
  'same token': 'earlier copies of the same token',
  punctuation: 'punctuation',
  'sentence start': 'first words of sentences',
  person: 'names and pronouns',
  induction: 'what came next, the last time the same token was read',
};

/**
 * What the chosen head does beyond this text, as it was measured when the model was made.
 * @param {Pick<Data, 'habits'>} data
 * @param {{layer: number, head: number}} place  from 1
 */
export function habit({habits}, {layer, head}) {
  if (!habits?.length) return '';
  const known = habits[layer - 1]?.[head - 1];
  const where = `Layer ${layer}, head ${head}`;
  if (!known) return `${where}, measured: no role found.`;
  const {role, share, even, untrained, text} = known;
  return `${where}, measured: looks at ${LOOKS_AT[role] ?? role}. That gets ${percent(share)} of what a token spends, on average over those that have such a token before them, in ${text}; an even spread would give ${percent(even)}, an untrained head ${percent(untrained)}.`;
}

/**
 * The longest of what is said of any head: its room is kept, so that nothing below moves when another head is looked at.
 * @param {Pick<Data, 'habits'>} data
 */
export function longestHabit({habits}) {
  const places = (habits ?? []).flatMap((heads, layer) => heads.map((_, head) => ({layer: layer + 1, head: head + 1})));
  return places.map((place) => habit({habits}, place)).reduce((a, b) => (b.length > a.length ? b : a), '');
}

/**
 * @param {number[]} row
 * @param {{layer: number, head: number}} place  from 1
 * @param {string[]} called
 * @param {State} state
 * @param {(some: {layer: number, head: number}) => void} act
 * @param {import('../../lib/figure.js').Habit|null|undefined} known
 */
function line(row, place, called, state, act, known) {
  const most = greatest(row);
  const chosen = place.layer === state.layer && place.head === state.head;
  return html`<tr class=${chosen ? 'row-asks' : nothing}>
    <th scope="row"><button type="button" class="tool" aria-pressed=${chosen ? 'true' : 'false'} aria-label=${`${place.layer}.${place.head}: layer ${place.layer}, head ${place.head}`} @click=${() => act(place)}>${place.layer}.${place.head}</button></th>
    <td class="heads-row">${picture(row, state.query)}</td>
    <td translate="no">${most === state.query ? 'itself' : called[most]}</td>
    <td class="number">${percent(row[most])}</td>
    <td class="number">${shared(row).toFixed(1)}</td>
    <td>${known ? `${known.role}, ${percent(known.share)}` : known === null ? 'none found' : nothing}</td>
  </tr>`;
}

/**
 * Among how many tokens the budget would be shared evenly, to be as spread out as it is: 2 to the power of the entropy in bits.
 * @param {number[]} row
 */
export function shared(row) {
  return 2 ** entropy(row);
}

/**
 * @param {number[]} row
 * @param {number} query
 */
function picture(row, query) {
  const unit = WIDE / row.length;
  const bars = row.slice(0, query + 1).map((weight, index) => {
    const high = hundredths(clampWeight(weight) * HIGH);
    return high > 0.1 ? svg`<rect class=${`ramp-${Math.max(1, level(weight))}`} x=${hundredths(index * unit)} y=${hundredths(HIGH - high)} width=${hundredths(unit * 0.85)} height=${high}></rect>` : nothing;
  });
  return html`<svg viewBox=${`0 0 ${WIDE} ${HIGH}`} height=${HIGH} preserveAspectRatio="none" aria-hidden="true"><path class="heads-ground" d=${`M0 ${HIGH}H${hundredths((query + 1) * unit)}`}></path>${bars}</svg>`;
}
