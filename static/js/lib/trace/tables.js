/** The parts that the tables of a trace are made of: numbers that line up, and the tokens that can be picked. */
import {html, nothing} from 'lit';
import {inGrid, onArrow} from '../keys.js';
import {inWindow} from './in-window.js';
import {moved} from './moved.js';
import {signed} from './rounding.js';

/** @typedef {import('../words.js').Face} Face */

/**
 * What every table of a trace is drawn with.
 * @typedef {object} Scene
 * @property {string[]} names  (S,) what each token is called in a sentence
 * @property {Face[]} faces  (S,) the same where there is little room
 * @property {number} query  which token asks
 * @property {number} key  which asked token is spelled out
 * @property {boolean} picked  whether the reader has picked it, rather than that it gets most
 * @property {number} dimension  which number of a vector is spelled out, from 0
 * @property {string|null} view  names what is looked at, apart from the numbers: numbers that differ under the same name have
 *   moved, and are marked. null: none are ever marked
 * @property {number|null} lit  the asked token that the prose points at
 * @property {(key: number) => void} choose
 * @property {(() => void)|null} release  lets go of the picked one; null: one always is picked
 * @property {((dimension: number) => void)|null} chooseDimension  null: nothing to choose
 */

/**
 * A token as a table calls it, no longer than there is room. Only its letters may run from right to left.
 * @param {Face} face
 */
export function drawFace({letters, part, number}) {
  return html`<bdi class="trace-brief" translate="no" title=${Array.from(letters).length > 8 ? letters : nothing}>${letters}</bdi>${part === null ? nothing : html`<span class="trace-part"> part ${part}</span>`}${number === null ? nothing : html`<sub>${number}</sub>`}`;
}

/** A token's name in a sentence, in which its letters are isolated already. @param {string} name */
export function drawName(name) {
  return html`<span translate="no">${name}</span>`;
}

/**
 * @param {string[]} texts  of one column
 * @returns {number} the most decimals that one of them has
 */
export function decimals(texts) {
  return Math.max(0, ...texts.map(own));
}

/** @param {string} text */
function own(text) {
  const digits = /\.(\d+)/.exec(text)?.[1];
  return digits ? digits.length : 0;
}

/**
 * A number and the room of the decimals that it lacks, so that the points of a column stand below each other. What keeps the
 * room cannot be seen, heard or copied.
 * @param {string} text
 * @param {number} most  decimals in its column
 */
export function aligned(text, most) {
  const lacks = most - own(text);
  if (lacks <= 0 || text === '') return text;
  return html`${text}<span class="trace-room" aria-hidden="true">${own(text) === 0 ? '.' : ''}${'0'.repeat(lacks)}</span>`;
}

/**
 * @param {string} text
 * @param {Scene} scene
 * @param {{most?: number, sign?: string, unit?: string, kind?: string}} [how]  sign: what stands before it, «+» or «=»; to add
 *   a negative number is to subtract
 */
export function cell(text, {view}, {most = 0, sign = '', unit = '', kind = ''} = {}) {
  const [before, number] = sign === '+' ? signed(text) : [sign, text];
  return html`<td class=${`number ${kind}`.trim()} ${moved(text, view)}>${before ? html`<span class="trace-sign">${before}</span> ` : nothing}${aligned(number, most)}${unit}</td>`;
}

/**
 * The head of a token's row: pressed, the token is the one that is spelled out.
 * @param {number} index
 * @param {Scene} scene
 * @param {string} [what]  which of its vectors stands in the row
 */
export function tokenHead(index, {faces, key, picked}, what = '') {
  return html`<th scope="row" class="trace-token">
    <button type="button" class="trace-name" data-key=${index} tabindex=${index === key ? 0 : -1} aria-pressed=${picked && index === key ? 'true' : 'false'}>${drawFace(faces[index])}</button>${what ? html` <span class="trace-label">${what}</span>` : nothing}
  </th>`;
}

/**
 * @param {number} index
 * @param {Scene} scene
 */
export function rowKind(index, {key, lit}) {
  return `${index === key ? 'trace-picked' : ''}${index === lit ? ' trace-lit' : ''}`.trim() || nothing;
}

/**
 * The heads of columns that are the numbers of a vector, each above its column's units.
 * @param {number[]} most  decimals of each column
 * @param {Scene} scene
 * @param {boolean} [pick]  whether they choose the number that is spelled out
 */
export function dimensionHeads(most, {dimension, chooseDimension}, pick = false) {
  return most.map((places, index) => {
    const face = aligned(String(index + 1), places);
    if (!pick || chooseDimension === null) return html`<th scope="col" class="number">${face}</th>`;
    const chosen = index === dimension;
    return html`<th scope="col" class=${`number${chosen ? ' trace-chosen' : ''}`}><button type="button" class="trace-dimension" data-dimension=${index} tabindex=${chosen ? 0 : -1} aria-pressed=${chosen ? 'true' : 'false'} aria-label=${`number ${index + 1}`}>${face}</button></th>`;
  });
}

/**
 * A table that scrolls alone, and whose buttons can be pressed and walked; the picked token pressed again is let go.
 * @param {string} label
 * @param {Scene} scene
 * @param {unknown} rows
 * @param {{kind?: string}} [how]
 */
export function table(label, {key, choose, release, chooseDimension}, rows, {kind = ''} = {}) {
  const pick = (/** @type {HTMLElement} */ button) => {
    if (button.dataset.key !== undefined) choose(Number(button.dataset.key));
    else chooseDimension?.(Number(button.dataset.dimension));
  };
  const click = (/** @type {MouseEvent} */ event) => {
    const button = pressed(event);
    if (button?.dataset.key !== undefined && button.ariaPressed === 'true') release?.();
    else if (button) pick(button);
  };
  const walk = (/** @type {KeyboardEvent} */ event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button) onArrow(event, button.dataset.key === undefined ? '.trace-dimension' : '.trace-name', inGrid, pick);
  };
  return html`<div class=${`table-scroll trace-scroll ${kind}`.trim()} role="group" aria-label=${label} tabindex="0" @click=${click} @keydown=${walk} ${inWindow(key)}>
    <table class="trace-table"><caption class="visually-hidden">${label}</caption>${rows}</table>
  </div>`;
}

/**
 * @param {MouseEvent} event
 * @returns {HTMLElement|null} the button; the second click of a double click presses none, or it would take back the first
 */
export function pressed({target, detail}) {
  return detail <= 1 && target instanceof Element ? target.closest('button') : null;
}
