/** A matrix of numbers that can be edited: one tab stop, the arrows left and right lead on, up and down turn the number. */
import {html, nothing} from 'lit';
import {holds, put} from '../../lib/holds.js';
import {inLines, onArrow} from '../../lib/keys.js';
import {written} from '../../lib/trace/rounding.js';
import {drawFace} from '../../lib/trace/tables.js';
import {BOUND, bounded, entries, isBegun, number, withEntries} from './matrix.js';
import {tell} from './notice.js';

/** Digits and a point are enough, but the keyboard that iPhones show for these has no minus. */
const KEYBOARD = /iPhone/.test(globalThis.navigator?.userAgent ?? '') ? 'text' : 'decimal';

/**
 * @typedef {object} Editable
 * @property {number[][]} values
 * @property {string} label  what a screen reader calls it
 * @property {(row: number, column: number) => string} entry  what it calls an entry
 * @property {import('../../lib/words.js').Face[]} [heads]  a token for each row
 * @property {number|null} chosen  the column that is spelled out
 * @property {boolean} live  whether there is a script to hear of an edit
 */

/**
 * @param {Editable} matrix
 * @param {(values: number[][]) => void} edit
 */
export function editable({values, label, entry, heads, chosen, live}, edit) {
  const hand = {values, edit};
  return html`<table
    class="trace-matrix trace-entries"
    role="group"
    aria-label=${`${label}: ${values.length} × ${values[0].length} numbers from −${BOUND} to ${BOUND}; the arrows left and right lead from one to the next`}
    @focusin=${settle}
    @focusout=${(/** @type {FocusEvent} */ event) => leave(event, values)}
    @input=${(/** @type {Event} */ event) => typed(event, hand)}
    @paste=${(/** @type {ClipboardEvent} */ event) => pasted(event, hand)}
    @keydown=${(/** @type {KeyboardEvent} */ event) => walk(event, hand)}
  ><tbody>${values.map((line, row) => html`<tr role="presentation">
    ${heads ? html`<th role="presentation" class="trace-token">${drawFace(heads[row])}</th>` : nothing}
    ${line.map((value, column) => html`<td role="presentation" class=${column === chosen ? 'trace-chosen' : nothing}><input
      class="trace-entry"
      type="text"
      role="spinbutton"
      aria-valuenow=${value}
      aria-valuemin=${-BOUND}
      aria-valuemax=${BOUND}
      inputmode=${KEYBOARD}
      autocomplete="off"
      data-undo="figure"
      value=${written(value)}
      ?readonly=${!live}
      data-row=${row}
      data-column=${column}
      tabindex=${row === 0 && column === 0 ? 0 : -1}
      aria-label=${entry(row, column)}
      ${holds(written(value), meant)}
    ></td>`)}
  </tr>`)}</tbody></table>`;
}

/** @param {string} text @returns {string|null} the entry that what is typed stands for, or null */
function meant(text) {
  const entry = number(text);
  return Number.isNaN(entry) ? null : written(bounded(entry));
}

/** The entry that has the focus is the tab stop, its number ready to be written over. @param {FocusEvent} event */
function settle({target, currentTarget}) {
  if (!(target instanceof HTMLInputElement) || !(currentTarget instanceof HTMLElement)) return;
  for (const input of currentTarget.querySelectorAll('input')) input.tabIndex = input === target ? 0 : -1;
  target.select();
}

/**
 * What was left half typed becomes again the number that is reckoned with; and what was said of an entry goes with the matrix.
 * @param {FocusEvent} event
 * @param {number[][]} values
 */
function leave({target, currentTarget, relatedTarget}, values) {
  if (!(target instanceof HTMLInputElement) || !(currentTarget instanceof HTMLElement)) return;
  const [row, column] = placeOf(target);
  put(target, written(values[row][column]));
  if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) tell(target, '');
}

/** @param {HTMLInputElement} field */
function placeOf({dataset}) {
  return [Number(dataset.row), Number(dataset.column)];
}

/**
 * @typedef {{values: number[][], edit: (values: number[][]) => void}} Hand
 * @param {Event} event
 * @param {Hand} hand
 */
function typed({target}, hand) {
  if (!(target instanceof HTMLInputElement)) return;
  const entry = number(target.value);
  if (!Number.isNaN(entry)) fill(target, [[entry]], hand);
  else tell(target, isBegun(target.value) ? '' : `${quoted(target.value)} is no number: write one like −1.5.`);
}

/**
 * Up and down turn the number by one, the other arrows lead on.
 * @param {KeyboardEvent} event
 * @param {Hand} hand
 */
function walk(event, hand) {
  const {key, target, altKey, ctrlKey, metaKey, shiftKey} = event;
  const turn = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0;
  if (turn === 0) onArrow(event, 'input', inLines, (input) => input instanceof HTMLInputElement && input.select());
  if (turn === 0 || altKey || ctrlKey || metaKey || shiftKey || !(target instanceof HTMLInputElement) || target.readOnly) return;
  event.preventDefault();
  const [row, column] = placeOf(target);
  const entry = hand.values[row][column] + turn;
  put(target, written(bounded(entry)));
  target.select();
  fill(target, [[entry]], hand);
}

/**
 * Pasted numbers fill the matrix from here on, to the right and down. A comma alone in one number is a decimal one.
 * @param {ClipboardEvent} event
 * @param {Hand} hand
 */
function pasted(event, hand) {
  const {target, clipboardData} = event;
  const text = clipboardData?.getData('text').trim() ?? '';
  if (!(target instanceof HTMLInputElement) || target.readOnly || text === '') return;
  event.preventDefault();
  const rows = Number.isNaN(number(text)) ? entries(text.replace(/[\r\n]+/g, ';').replace(/[[\](){}|]/g, ' ')).map((row) => row.map(number)) : [[number(text)]];
  const full = rows.filter((row) => row.length > 0);
  if (full.length === 0 || full.flat().some(Number.isNaN)) {
    tell(target, `${quoted(text)} cannot be read as numbers: write them like −1.5, with spaces between.`);
    return;
  }
  put(target, written(bounded(full[0][0])));
  fill(target, full, hand);
}

/** @param {string} text */
function quoted(text) {
  const letters = Array.from(text);
  return `«\u2068${letters.slice(0, 24).join('')}${letters.length > 24 ? '…' : ''}\u2069»`;
}

/**
 * @param {HTMLInputElement} field
 * @param {number[][]} rows  of numbers to put in, as they were given
 * @param {Hand} hand
 */
function fill(field, rows, {values, edit}) {
  const [row, column] = placeOf(field);
  const odd = rows.flat().find((entry) => bounded(entry) !== entry);
  tell(field, odd === undefined ? '' : changed(odd), {edited: true});
  edit(withEntries(values, row, column, rows.map((line) => line.map(bounded))));
}

/** @param {number} entry  that cannot be taken as it is */
function changed(entry) {
  const taken = written(bounded(entry));
  return Math.abs(entry) > BOUND ? `Numbers go from −${BOUND} to ${BOUND}: ${taken} is taken.` : `Three decimals are kept: ${taken} is taken.`;
}
