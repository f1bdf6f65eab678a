/** A matrix of numbers that can be edited: one tab stop, the arrows left and right lead on, up and down turn the number. */
import {html, nothing} from 'lit';
import {Directive, directive} from 'lit/directive.js';
import {brief} from '../../lib/trace/cells.js';
import {inLines, onArrow} from '../../lib/keys.js';
import {BOUND, bounded, entries, number, withEntries} from './matrix.js';

/**
 * @typedef {object} Editable
 * @property {number[][]} values
 * @property {string} label  what a screen reader calls it
 * @property {(row: number, column: number) => string} entry  what it calls an entry
 * @property {string[]} [heads]  a name for each row
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
    @focusout=${(/** @type {Event} */ event) => restore(event, values)}
    @input=${(/** @type {Event} */ event) => typed(event, hand)}
    @paste=${(/** @type {ClipboardEvent} */ event) => pasted(event, hand)}
    @wheel=${{handleEvent: letScroll, passive: true}}
    @keydown=${(/** @type {KeyboardEvent} */ event) => onArrow(event, 'input', sideways, (input) => input instanceof HTMLInputElement && input.select())}
  ><tbody>${values.map((line, row) => html`<tr role="presentation">
    ${heads ? html`<th role="presentation" class="trace-token">${brief(heads[row])}</th>` : nothing}
    ${line.map((value, column) => html`<td role="presentation" class=${column === chosen ? 'trace-chosen' : nothing}><input
      class="trace-entry"
      type="number"
      min=${-BOUND}
      max=${BOUND}
      step="any"
      autocomplete="off"
      value=${value}
      ?readonly=${!live}
      data-row=${row}
      data-column=${column}
      tabindex=${row === 0 && column === 0 ? 0 : -1}
      aria-label=${entry(row, column)}
      ${holds(value)}
    ></td>`)}
  </tr>`)}</tbody></table>`;
}

/** Up and down are left to the field, which turns its number by one. @type {typeof inLines} */
function sideways(key, place) {
  return key === 'ArrowUp' || key === 'ArrowDown' ? null : inLines(key, place);
}

/** The entry that has the focus is the tab stop, its number ready to be written over. @param {FocusEvent} event */
function settle({target, currentTarget}) {
  if (!(target instanceof HTMLInputElement) || !(currentTarget instanceof HTMLElement)) return;
  for (const input of currentTarget.querySelectorAll('input')) input.tabIndex = input === target ? 0 : -1;
  target.select();
}

/** Over a field with the focus a wheel would turn the number instead of the page. @param {Event} event */
function letScroll({target}) {
  if (target instanceof HTMLInputElement && target === document.activeElement) target.blur();
}

/**
 * What was left half typed becomes again the number that is reckoned with.
 * @param {Event} event
 * @param {number[][]} values
 */
function restore({target}, values) {
  if (target instanceof HTMLInputElement) target.value = String(values[Number(target.dataset.row)][Number(target.dataset.column)]);
}

/**
 * @typedef {{values: number[][], edit: (values: number[][]) => void}} Hand
 * @param {Event} event
 * @param {Hand} hand
 */
function typed({target}, hand) {
  if (!(target instanceof HTMLInputElement)) return;
  const raw = number(target.value); // of «−» or «1e» the browser says ''
  if (Number.isNaN(raw)) return;
  fill(target, [[raw]], hand);
}

/**
 * Pasted numbers fill the matrix from here on, to the right and down.
 * @param {ClipboardEvent} event
 * @param {Hand} hand
 */
function pasted(event, hand) {
  const {target, clipboardData} = event;
  const text = clipboardData?.getData('text').trim() ?? '';
  if (!(target instanceof HTMLInputElement) || text === '') return;
  event.preventDefault();
  const rows = entries(text.replace(/[\r\n]+/g, ';').replace(/[[\](){}|]/g, ' ')).map((row) => row.map(number));
  if (rows.some((row) => row.some(Number.isNaN))) {
    say(target, `«${text.length > 24 ? `${text.slice(0, 24)}…` : text}» cannot be read as numbers.`);
    return;
  }
  target.value = String(bounded(rows[0][0]));
  fill(target, rows, hand);
}

/**
 * @param {HTMLInputElement} input
 * @param {number[][]} rows  of numbers to put in, as they were given
 * @param {Hand} hand
 */
function fill(input, rows, {values, edit}) {
  const row = Number(input.dataset.row);
  const column = Number(input.dataset.column);
  const odd = rows.flat().find((entry) => bounded(entry) !== entry);
  say(input, odd === undefined ? '' : changed(odd));
  edit(withEntries(values, row, column, rows.map((line) => line.map(bounded))));
}

/** @param {number} entry  that cannot be taken as it is */
function changed(entry) {
  const taken = String(bounded(entry)).replace('-', '−');
  return Math.abs(entry) > BOUND ? `Numbers go from −${BOUND} to ${BOUND}: ${taken} is taken.` : `Three decimals are kept: ${taken} is taken.`;
}

/**
 * Beside the matrix, and aloud.
 * @param {Element} input
 * @param {string} words
 */
function say(input, words) {
  const place = input.closest('.trace-block')?.querySelector('.trace-bounds');
  if (place) place.textContent = words;
}

class Holds extends Directive {
  /** @param {number} _value */
  render(_value) {}

  /**
   * A field that is being written in is left alone as long as what stands there means the value, or nothing yet.
   * @param {import('lit/directive.js').ElementPart} part
   * @param {[number]} now
   */
  update({element}, [value]) {
    if (!(element instanceof HTMLInputElement)) return;
    const meant = number(element.value);
    const writing = element === document.activeElement && (Number.isNaN(meant) || bounded(meant) === value);
    if (!writing && element.value !== String(value)) element.value = String(value);
  }
}

const holds = directive(Holds);
