/** Matrices: eight small ones that are the switch of layer and head, and the shown one, large, with its axes in words. */
import {html, nothing, svg} from 'lit';
import {hundredths} from '../../lib/bar.js';
import {reveal} from './why.js';
import {inGrid, onArrow} from '../../lib/keys.js';
import {level} from '../../lib/weight-scale.js';
import {visible} from '../../lib/words.js';

/** @typedef {import('../../lib/figure.js').Token} Token */
/** @typedef {{layer: number, head: number, query: number}} Place  layer and head from 1 */

/**
 * A matrix as one path for each level of the ramp, neighbours of a level joined: few nodes, whatever the size.
 * @param {number[][]} matrix  (T, S)
 * @returns {{level: number, d: string}[]} one unit a cell, x the key, y the query; level 0 is the ground and not drawn
 */
export function paths(matrix) {
  const known = drawn.get(matrix);
  if (known) return known;
  /** @type {string[]} */
  const byLevel = [];
  matrix.forEach((row, query) => {
    for (let key = 0, end = 0; key <= query; key = end) {
      const step = level(row[key]);
      end = key + 1;
      while (end <= query && level(row[end]) === step) end += 1;
      if (step > 0) byLevel[step] = `${byLevel[step] ?? ''}M${key} ${query}h${end - key}v1h${key - end}z`;
    }
  });
  const found = byLevel.flatMap((d, step) => (d ? [{level: step, d}] : []));
  drawn.set(matrix, found);
  return found;
}

/** @type {WeakMap<number[][], {level: number, d: string}[]>} */
const drawn = new WeakMap();

/** @param {number[][]} matrix */
function fill(matrix) {
  return paths(matrix).map((path) => svg`<path class=${`ramp-${path.level}`} d=${path.d}></path>`);
}

/**
 * The half below the diagonal: what a causal model can see. Its edge is a staircase.
 * @param {number} size  T
 */
function ground(size) {
  const stairs = Array.from({length: size}, (_, index) => `H${index + 1}V${index + 1}`).join('');
  return svg`<path class="matrix-ground" d=${`M0 0${stairs}H0z`}></path>`;
}

/**
 * @param {number[][][][]} pattern  (L, H, T, T)
 * @param {Place} place
 * @param {(place: {layer: number, head: number}) => void} choose
 * @param {() => void} release  the chosen one is pressed again
 */
export function stamps(pattern, {layer, head, query}, choose, release) {
  const go = (/** @type {HTMLElement} */ button) => choose({layer: Number(button.dataset.layer), head: Number(button.dataset.head)});
  return html`<div
    class="viewer-stamps"
    role="radiogroup"
    aria-label="Layer and head. In each small matrix a row asks and a column is asked."
    @click=${(/** @type {MouseEvent} */ event) => {
      const button = event.target instanceof Element ? event.target.closest('.stamp') : null;
      if (!(button instanceof HTMLElement) || event.detail > 1) return; // the second click of a double click takes nothing back
      if (button.ariaChecked === 'true') release();
      else go(button);
    }}
    @keydown=${(/** @type {KeyboardEvent} */ event) => onArrow(event, '.stamp', inGrid, go)}
  >
    ${pattern.map(
      (heads, l) => html`<div class="stamp-layer" role="presentation">
        <span class="stamp-title">Layer ${l + 1}</span>
        ${heads.map((matrix, h) => stamp(matrix, {layer: l + 1, head: h + 1, query}, layer === l + 1 && head === h + 1))}
      </div>`,
    )}
    <p class="stamp-axes">A row asks, a column is asked.</p>
  </div>`;
}

/**
 * @param {number[][]} matrix
 * @param {Place} place
 * @param {boolean} chosen
 */
function stamp(matrix, {layer, head, query}, chosen) {
  const size = matrix.length;
  return html`<button
    type="button"
    class="stamp"
    role="radio"
    data-layer=${layer}
    data-head=${head}
    tabindex=${chosen ? 0 : -1}
    aria-checked=${chosen ? 'true' : 'false'}
    aria-label=${`Layer ${layer}, head ${head}`}
  >
    <svg class="stamp-matrix" viewBox=${`0 0 ${size || 1} ${size || 1}`} preserveAspectRatio="none" aria-hidden="true">
      ${ground(size)}${fill(matrix)}${size > 1 ? rowMark(query) : nothing}
    </svg>
    <span class="stamp-name">Head ${head}</span>
  </button>`;
}

/** The frame around the asking token's row. @param {number} query */
function rowMark(query) {
  return svg`<rect class="matrix-row" x="0" y=${query} width=${query + 1} height="1"></rect>`;
}

/** Up to this many tokens a row and a column bear their token; beyond, their number, one in so many. */
const NAMED = 16;
const CELL = 22;
/** Room for the names of rows and columns, and for the words of the axes. */
const MARGIN = 84;
const SIDE = 384;

/**
 * The whole matrix of the chosen head.
 * @param {Token[]} tokens
 * @param {number[][]} matrix  (T, T)
 * @param {Place} place
 * @param {(cell: {query: number, key: number}) => void} open  a cell that is pressed
 */
export function largeMatrix(tokens, matrix, {layer, head, query}, open) {
  const size = matrix.length;
  if (size === 0) return nothing;
  const side = size > NAMED ? SIDE : size * CELL;
  const unit = side / size;
  const every = size > NAMED ? 10 : 1;
  const marked = tokens.map((_, index) => index).filter((index) => index % every === 0);
  const called = (/** @type {number} */ index) => (size > NAMED ? String(index) : shorten(visible(tokens[index].text)));
  const middle = MARGIN + side / 2;
  return html`<svg
    class="viewer-matrix"
    viewBox=${`0 0 ${MARGIN + side + 8} ${MARGIN + side + 8}`}
    width=${MARGIN + side + 8}
    role="img"
    aria-label=${`All weights of layer ${layer}, head ${head}: a row asks, a column is asked. The table gives the same numbers, a row at a time.`}
  >
    <text class="axis" x=${middle} y="14" text-anchor="middle">a column is asked</text>
    <text class="axis" transform=${`translate(14 ${middle}) rotate(-90)`} text-anchor="middle">a row asks</text>
    ${marked.map((index) => svg`<text class=${`tick${index === query ? ' tick-asks' : ''}`} translate="no" x=${MARGIN - 8} y=${hundredths(MARGIN + (index + 0.5) * unit + 4)} text-anchor="end">${called(index)}</text>
      <text class="tick" translate="no" transform=${`translate(${hundredths(MARGIN + (index + 0.5) * unit + 4)} ${MARGIN - 8}) rotate(-90)`}>${called(index)}</text>`)}
    <svg class="matrix-cells" @click=${(/** @type {MouseEvent} */ event) => press(event, size, open)} x=${MARGIN} y=${MARGIN} width=${side} height=${side} viewBox=${`0 0 ${size} ${size}`}>${ground(size)}${fill(matrix)}${rowMark(query)}</svg>
  </svg>`;
}

/**
 * @param {MouseEvent} event
 * @param {number} size  T
 * @param {(cell: {query: number, key: number}) => void} open
 */
function press(event, size, open) {
  if (!(event.currentTarget instanceof Element)) return;
  const {left, top, width, height} = event.currentTarget.getBoundingClientRect();
  const at = (/** @type {number} */ share) => Math.min(size - 1, Math.max(0, Math.floor(share * size)));
  const [key, query] = [at((event.clientX - left) / width), at((event.clientY - top) / height)];
  if (key > query) return; // not yet
  open({query, key});
  reveal(event);
}

/** @param {string} text */
function shorten(text) {
  const characters = Array.from(text);
  return characters.length > 9 ? `${characters.slice(0, 8).join('')}…` : text;
}
