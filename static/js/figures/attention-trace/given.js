/** What everything starts from: the vectors and the three matrices, to be edited, and the queries, keys and values they make. */
import {html, nothing} from 'lit';
import {inGrid, onArrow} from '../../lib/keys.js';
import {aligned, decimals, drawFace, drawName, pressed} from '../../lib/trace/tables.js';
import {moved} from '../../lib/trace/moved.js';
import {enclosed, equals, isExact, written} from '../../lib/trace/rounding.js';
import {joined, step} from '../../lib/trace/step.js';
import {editable} from './entries.js';
import {format} from './matrix.js';
import {notice} from './notice.js';
import {told} from './words.js';

/** @typedef {import('../../lib/trace/tables.js').Scene} Scene */
/** @typedef {import('./words.js').Outcome} Outcome */
/**
 * @typedef {object} Hand
 * @property {(some: Record<string, string>) => void} edit
 * @property {(some: {dimension: number, key?: number}) => void} pick
 * @property {boolean} live  whether there is a script to hear of an edit
 * @property {string} state  names all that is chosen
 */

/**
 * One of the three: what its matrix makes of which tokens' vectors.
 * @typedef {object} Projection
 * @property {'wq'|'wk'|'wv'} option
 * @property {string} letter
 * @property {string} noun
 * @property {number[]} tokens  whose vectors it is shown to work on
 * @property {number} of  the token that is spelled out
 * @property {number[][]} made  (T, n)
 * @property {string} hint
 */

/**
 * @param {any} data
 * @param {Scene} scene
 * @param {Outcome} result
 * @param {Hand} hand
 */
export function given(data, scene, result, hand) {
  const {names, query, key} = scene;
  const all = names.map((_, index) => index);
  /** @type {Projection[]} */
  const projections = [
    {option: 'wq', letter: 'Q', noun: 'query', tokens: [query], of: query, made: data.queries, hint: `Change it, and ${names[query]} asks for something else.`},
    {option: 'wk', letter: 'K', noun: 'key', tokens: all, of: key, made: data.keys, hint: 'Change it, and the labels change: the weights move, the values stay.'},
    {option: 'wv', letter: 'V', noun: 'value', tokens: all, of: key, made: data.values, hint: 'Change it, and the contents change: the blend moves, the weights stay.'},
  ];
  return html`<div class="trace-steps trace-before">
    ${vectors(data, scene, result, hand)}
    ${projections.map((projection) => project(data, projection, scene, result, hand))}
  </div>`;
}

/** So many numbers beside each other leave room for the vectors to stand in the equation. */
const ROOM = 12;

/** How long a vector is. */
const COUNTS = ['one number', 'two numbers', 'three numbers', 'four numbers', 'five numbers', 'six numbers'];

/**
 * @param {any} data
 * @param {Scene} scene
 * @param {Outcome} result
 * @param {Hand} hand
 */
function vectors({x}, {names, faces}, result, hand) {
  const entry = (/** @type {number} */ row, /** @type {number} */ column) => `x of ${names[row]}, number ${column + 1}`;
  return step({
    kind: 'trace-block',
    title: 'The vectors',
    does: html`Each token is a vector <i>x</i>, here of ${COUNTS[x[0].length - 1]}. <span class="trace-hand">Change any of them.</span>`,
    shows: editable({values: x, label: 'The vectors x', entry, heads: faces, chosen: null, live: hand.live}, (values) => hand.edit({x: format(values)})),
    spells: [said(format(x), result, hand, 'From its vector a token makes all three: what it asks, how it is found, what it hands over.')],
    exact: true,
  });
}

/**
 * What an edit here has done, or at first what it will do; and what was wrong with it.
 * @param {string} own
 * @param {Outcome} result
 * @param {Hand} hand
 * @param {string} hint
 */
function said(own, result, {state}, hint) {
  return html`<span class="trace-hand">${told(own, result, hint)}</span> <span class="trace-notice" role="status" ${notice(state)}></span>`;
}

/**
 * @param {any} data
 * @param {Projection} projection
 * @param {Scene} scene
 * @param {Outcome} result
 * @param {Hand} hand
 */
function project(data, {option, letter, noun, tokens, of, made, hint}, scene, result, hand) {
  const {names, faces} = scene;
  const small = letter.toLowerCase();
  const column = Math.min(scene.dimension, made[0].length - 1);
  const w = data[option]; // (d, n)
  const entry = (/** @type {number} */ row, /** @type {number} */ c) => `W ${letter}, row ${row + 1}, column ${c + 1}`;
  return step({
    kind: `trace-block${option === 'wq' ? '' : ' trace-goes-on'}`,
    title: option === 'wq' ? 'Query, keys, values' : '',
    does: html`<b>${noun[0].toUpperCase()}${noun.slice(1)}${tokens.length > 1 ? 's' : ''}</b>: <i>${small}</i> = <i>x</i> <i>W</i><sub><i>${letter}</i></sub>, ${option === 'wq' ? html`for ${names[scene.query]}, which asks.` : names.length > 1 ? 'for every token.' : 'of the only token.'}`,
    shows: html`<div class="trace-equation">
      <span class="trace-factor">${w.length + 2 * w[0].length <= ROOM ? again(tokens.map((index) => data.x[index]), tokens.map((index) => faces[index]), tokens.indexOf(of)) : nothing}<i class="trace-symbol">x</i><span class="trace-sign">×</span></span>
      ${editable({values: w, label: `The matrix W ${letter}`, entry, chosen: column, live: hand.live}, (values) => hand.edit({[option]: format(values)}))}
      <span class="trace-factor"><span class="trace-sign">=</span>${results(made, {noun, tokens, of, column}, scene, hand.pick)}</span>
    </div>`,
    spells: [
      html`Number ${column + 1} of <i>${small}</i> of ${drawName(names[of])}: ${joined(data.x[of].map((/** @type {number} */ number, /** @type {number} */ i) => `${enclosed(written(number))} × ${enclosed(written(w[i][column]))}`))} ${joined([written(made[of][column])], equals(isExact(made[of][column])))}`,
      said(format(w), result, hand, hint),
    ],
    exact: tokens.every((index) => made[index].every((number) => isExact(number))),
  });
}

/**
 * The vectors once more, so that a row and a column can be multiplied at sight; where there is no room they stand above.
 * @param {number[][]} rows
 * @param {import('../../lib/words.js').Face[]} heads
 * @param {number} chosen  row
 */
function again(rows, heads, chosen) {
  return html`<table class="trace-matrix trace-again" aria-hidden="true"><tbody>${rows.map((row, index) => html`<tr class=${index === chosen ? 'trace-chosen' : ''}><th class="trace-token">${drawFace(heads[index])}</th>${row.map((number) => html`<td class="number">${written(number)}</td>`)}</tr>`)}</tbody></table>`;
}

/**
 * The vectors that were made; a number that is pressed is spelled out, and pressed again lets its token go.
 * @param {number[][]} made  (T, n)
 * @param {{noun: string, tokens: number[], of: number, column: number}} what
 * @param {Scene} scene
 * @param {Hand['pick']} pick
 */
function results(made, {noun, tokens, of, column}, {names, faces, picked, release, view}, pick) {
  const texts = tokens.map((index) => made[index].map((number) => written(number)));
  const most = texts[0].map((_, i) => decimals(texts.map((row) => row[i])));
  const choose = (/** @type {HTMLElement} */ button) => {
    const dimension = Number(button.dataset.column);
    pick(noun === 'query' ? {dimension} : {dimension, key: Number(button.dataset.row)});
  };
  const click = (/** @type {MouseEvent} */ event) => {
    const button = pressed(event);
    if (noun !== 'query' && button?.ariaPressed === 'true') release?.();
    else if (button) choose(button);
  };
  return html`<table class="trace-matrix" role="group" aria-label=${`The ${noun}${tokens.length > 1 ? 's' : ''}: choose the number that is spelled out`} @click=${click} @keydown=${(/** @type {KeyboardEvent} */ event) => onArrow(event, 'button', inGrid, choose)}><tbody>${tokens.map((index, row) => html`<tr role="presentation">
    <th role="presentation" class="trace-token trace-name-again">${drawFace(faces[index])}</th>
    ${texts[row].map((text, i) => {
      const here = index === of && i === column;
      return html`<td role="presentation" ${moved(text, view)}><button type="button" class="trace-number" data-row=${index} data-column=${i} tabindex=${here ? 0 : -1} aria-pressed=${here && (picked || noun === 'query') ? 'true' : 'false'} aria-label=${`${text}, ${noun} of ${names[index]}, number ${i + 1}`}>${aligned(text, most[i])}</button></td>`;
    })}
  </tr>`)}</tbody></table>`;
}
