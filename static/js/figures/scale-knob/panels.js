/** Two columns, without and with the divisor, and in each the same keys three times: their dot products or scores, shares and slopes. */
import {html, nothing, svg} from 'lit';
import {live} from 'lit/directives/live.js';
import {hundredths} from '../../lib/bar.js';
import {greatest} from '../../lib/shares.js';
import {level} from '../../lib/weight-scale.js';
import {percent} from '../../lib/words.js';
import {NUDGE} from './rows.js';
import {factor, plain} from './words.js';

/** @typedef {import('./rows.js').Side} Side */
/** @typedef {import('./rows.js').Compared} Compared */
/** @typedef {{dk: number, keys: number, nudge: number}} State */
/** @typedef {Record<string, number>|null} Lit */

/** No slope is greater: w(1 − w) at w = ½. */
const STEEPEST = 0.25;

/**
 * @param {Compared} data
 * @param {State} state
 * @param {Lit} lit
 * @param {(nudge: number) => void} choose  a key, from 1, or none
 */
export function panels({raw, scaled, limit}, {dk, keys, nudge}, lit, choose) {
  const root = plain(Math.sqrt(dk));
  const shines = (/** @type {number} */ part, /** @type {number} */ side) => (lit?.part === part && lit.scaled === side ? 'knob-lit' : nothing);
  /** @param {(side: Side, place: number) => unknown} draw */
  const both = (draw) => [raw, scaled].map((side, place) => html`<div class="knob-cell">${draw(side, place)}</div>`);
  return html`<div class="knob-panels" @click=${(/** @type {MouseEvent} */ event) => pick(event, nudge, choose)}>
    <p class="knob-title knob-across"><b>One query asks ${keys} keys</b>, twice</p>
    <p class="knob-head">undivided</p>
    <p class="knob-head">divided by √${dk} = ${root}</p>

    <p class="knob-part">Dot products and scores, −${limit} to ${limit}, and the lead of the best</p>
    ${both((side) => html`${scores(side, limit, nudge)}<p class="knob-numbers">lead <b>${plain(side.lead)}</b></p>`)}

    <p class="knob-part">Shares of the budget, 0 to 100%</p>
    ${both((side, place) => html`${shares(side, nudge)}<p class="knob-numbers knob-factor"><span class=${shines(1, place)}>key ${greatest(side.weights) + 1}: <b>${percent(Math.max(...side.weights))}</b></span>
      <span><i>e</i><sup>${plain(side.lead)}</sup> ≈ <b>${factor(side.lead)}</b> times the next</span></p>`)}

    <p class="knob-part">Slopes, 0 to ¼: how fast a share moves when its key is nudged</p>
    ${both((side, place) => html`${slopes(side, nudge)}<p class="knob-numbers"><span class=${shines(2, place)}>at most <b>${plain(Math.max(...side.slopes))}</b></span></p>`)}

    ${nudging({raw, scaled}, keys, nudge, choose)}
  </div>`;
}

/**
 * A key that is pressed is nudged, and pressed again let go; the second click of a double click takes nothing back.
 * @param {MouseEvent} event
 * @param {number} nudge
 * @param {(nudge: number) => void} choose
 */
function pick({target, detail}, nudge, choose) {
  const slot = target instanceof Element ? target.closest('[data-key]') : null;
  if (!(slot instanceof SVGElement) || detail > 1) return;
  const key = Number(slot.dataset.key);
  choose(key === nudge ? 0 : key);
}

/**
 * A picture of one number a key; each key has a slot of the full height, which can be pressed.
 * @param {string} name  of the class
 * @param {number[]} numbers
 * @param {number} nudge
 * @param {(number: number, index: number, place: {x: string, width: string}) => unknown} draw
 */
function bars(name, numbers, nudge, draw) {
  const slot = 100 / numbers.length;
  return html`<svg class=${`knob-bars ${name}`} aria-hidden="true">${numbers.map((number, index) => {
    const place = {x: `${hundredths((index + 0.14) * slot)}%`, width: `${hundredths(0.72 * slot)}%`};
    return svg`<rect class=${`knob-slot${nudge === index + 1 ? ' knob-nudged' : ''}`} data-key=${index + 1} x=${`${hundredths(index * slot)}%`} width=${`${hundredths(slot)}%`} height="100%"></rect>${draw(number, index, place)}`;
  })}${name === 'knob-scores' ? svg`<line class="knob-zero" x2="100%" y1="50%" y2="50%"></line>` : nothing}</svg>`;
}

/**
 * A bar that stands on the floor of its picture.
 * @param {string} name
 * @param {number} share  of the height
 * @param {{x: string, width: string}} place
 */
function standing(name, share, {x, width}) {
  return svg`<rect class=${name} x=${x} width=${width} y=${`${hundredths((1 - share) * 100)}%`} height=${`${hundredths(share * 100)}%`}></rect>`;
}

/**
 * @param {Side} side
 * @param {number} limit
 * @param {number} nudge
 */
function scores({scores: numbers}, limit, nudge) {
  const reach = (/** @type {number} */ score) => hundredths((Math.abs(score) / limit) * 50);
  return bars('knob-scores', numbers, nudge, (score, index, {x, width}) => {
    const high = nudge === index + 1 ? score + NUDGE : score;
    return svg`<rect class="knob-bar" x=${x} width=${width} y=${`${high > 0 ? hundredths(50 - reach(high)) : 50}%`} height=${`${reach(high)}%`}></rect>`;
  });
}

/**
 * After a nudge: the new share, and what it was as an outline.
 * @param {Side} side
 * @param {number} nudge
 */
function shares({weights, moved}, nudge) {
  return bars('knob-shares', weights, nudge, (before, index, place) => {
    const now = moved ? moved[index] : before;
    return svg`${standing(`ramp-${level(now)}`, now, place)}${moved ? standing('knob-before', before, place) : nothing}`;
  });
}

/**
 * @param {Side} side
 * @param {number} nudge
 */
function slopes({slopes: numbers}, nudge) {
  return bars('knob-slopes', numbers, nudge, (slope, _, place) => standing('knob-bar', slope / STEEPEST, place));
}

/**
 * @param {{raw: Side, scaled: Side}} data
 * @param {number} keys
 * @param {number} nudge
 * @param {(nudge: number) => void} choose
 */
function nudging({raw, scaled}, keys, nudge, choose) {
  const change = (/** @type {Event} */ {target}) => choose(Number(/** @type {HTMLSelectElement} */ (target).value));
  const way = (/** @type {Side} */ {weights, moved}) => html`<p class="knob-numbers">${percent(weights[nudge - 1])} → <b>${percent((moved ?? weights)[nudge - 1])}</b></p>`;
  return html`<label class="knob-nudge"><span>Nudge one key up by ${NUDGE}:</span>
      <select class="field" autocomplete="off" .selectedIndex=${live(nudge)} @change=${change}>
        ${Array.from({length: keys + 1}, (_, key) => html`<option value=${key} ?selected=${key === nudge}>${key === 0 ? 'none' : `key ${key}`}</option>`)}
      </select></label>
    ${nudge > 0 ? [raw, scaled].map((side) => html`<div class="knob-cell">${way(side)}</div>`) : nothing}`;
}
