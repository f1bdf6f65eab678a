/** The spread of the dot products for every d_k: as measured, beside √d_k, and divided by it. */
import {html, nothing, svg} from 'lit';
import {hundredths} from '../../lib/bar.js';
import {PAIRS, WIDEST} from './draws.js';
import {plain} from './words.js';

/** @typedef {Record<string, number>|null} Lit */

const TOP = 26; // above √512 = 22.6, and above what chance adds to it
const WIDTHS = [64, 256, 512];
const HEIGHTS = [8, 16, 24];

/** Where a d_k stands from the left, and a spread from above, in per cents of the picture. */
const across = (/** @type {number} */ dk) => hundredths((dk / WIDEST) * 100);
const down = (/** @type {number} */ spread) => hundredths((1 - spread / TOP) * 100);

/** Where the curves have their points: at every d_k while they are steep, then at every fourth, which is three pixels. */
const POINTS = Array.from({length: WIDEST}, (_, index) => index + 1).filter((dk) => dk <= 32 || dk % 4 === 0);

/**
 * @param {(dk: number) => number} of
 * @returns {string} a path
 */
function curve(of) {
  return `M${POINTS.map((dk) => `${across(dk)} ${down(of(dk))}`).join('L')}`;
}

const LAW = curve(Math.sqrt);

/** @type {WeakMap<number[], unknown>} */
const drawn = new WeakMap();

/**
 * The curves stay as they are while the knob turns.
 * @param {number[]} spread  (WIDEST,)
 */
function curves(spread) {
  const known = drawn.get(spread);
  if (known) return known;
  const found = svg`<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">
    <path class="knob-measured" d=${curve((dk) => spread[dk - 1])}></path>
    <path class="knob-law" d=${LAW}></path>
    <path class="knob-measured knob-divided" d=${curve((dk) => spread[dk - 1] / Math.sqrt(dk))}></path>
  </svg>`;
  drawn.set(spread, found);
  return found;
}

/**
 * @param {number[]} spread  (WIDEST,)
 * @param {number} dk
 * @param {Lit} lit
 */
export function chart(spread, dk, lit) {
  const [raw, scaled] = [spread[dk - 1], spread[dk - 1] / Math.sqrt(dk)];
  const shines = (/** @type {number} */ side) => (lit?.part === 0 && lit.scaled === side ? 'knob-lit' : nothing);
  const dot = (/** @type {number} */ height) => svg`<circle class="knob-dot" cx=${`${across(dk)}%`} cy=${`${down(height)}%`} r="4"></circle>`;
  return html`<div class="knob-spread">
    <p class="knob-title"><b>Spread of ${PAIRS.toLocaleString('en')} dot products</b> (standard deviation), for every <i>d</i><sub>k</sub></p>
    <svg class="knob-chart" aria-hidden="true">
      ${HEIGHTS.map((height) => svg`<line class="knob-grid" x2="100%" y1=${`${down(height)}%`} y2=${`${down(height)}%`}></line>
        <text class="knob-tick knob-tick-left" x="0" y=${`${down(height)}%`} dx="-6" dy="4">${height}</text>`)}
      ${WIDTHS.map((width) => svg`<line class="knob-grid" x1=${`${across(width)}%`} x2=${`${across(width)}%`} y2="100%"></line>
        <text class=${`knob-tick${width === WIDEST ? ' knob-tick-left' : ' knob-tick-middle'}`} x=${`${across(width)}%`} y="100%" dy="16">${width}</text>`)}
      <text class="knob-tick" x="0" y="100%" dy="16">1</text>
      <line class="knob-marker" x1=${`${across(dk)}%`} x2=${`${across(dk)}%`} y2="100%"></line>
      ${curves(spread)}
      ${dot(raw)}${dot(scaled)}
      <text class="knob-name knob-tick-left" x="99%" y=${`${down(14.5)}%`}>undivided</text>
      <text class="knob-name knob-tick-left" x="99%" y=${`${down(3)}%`}>divided</text>
    </svg>
    <p class="knob-numbers"><span>at ${dk}:</span> <span class=${shines(0)}>undivided <b>${plain(raw)}</b></span>
      <span>√${dk} = <b>${plain(Math.sqrt(dk))}</b> (dashed)</span> <span class=${shines(1)}>divided <b>${plain(scaled)}</b></span></p>
  </div>`;
}
