/** The sentence, large, as the picture: the asking token boxed, a bar by weight under each token that it looks at. */
import {html, nothing} from 'lit';
import {bar} from '../../lib/bar.js';
import {cells, direction, parts, runs, spell} from '../../lib/cells.js';
import {inLines, onArrow} from '../../lib/keys.js';
import {brief, names} from '../../lib/words.js';
import {reveal} from './why.js';

/** @typedef {import('../../lib/figure.js').Token} Token */
/** @typedef {import('../../lib/cells.js').Cell} Cell */
/** @typedef {import('../../lib/cells.js').Run} Run */
/** @typedef {import('../../lib/cells.js').Direction} Direction */
/** @typedef {{tokens: Token[], row: number[]}} Shown */
/** @typedef {{query: number, lit: number|null, name: string[]} & Shown} Scene  what every token needs to draw itself */

/**
 * @typedef {object} Acts
 * @property {(query: number) => void} choose
 * @property {() => void} release  the asking token is pressed again, or the ground between the tokens
 * @property {(key: number) => void} open  the number under a token is pressed
 */

/** From this many tokens on the sentence is set smaller, so that it can be seen at once. */
const LONG = 28;

/**
 * @param {Shown} data
 * @param {number} query
 * @param {number|null} lit  the token asked by the value that is pointed at
 * @param {Acts} acts
 */
export function sentence(data, query, lit, acts) {
  if (data.tokens.length === 0) return html`<p class="viewer-sentence viewer-empty">Nothing to look back at yet: type a few words.</p>`;
  const {dir, lines} = layout(data.tokens);
  const scene = {...data, query, lit, name: names(data.tokens)};
  return html`<div
    class=${`viewer-sentence${data.tokens.length > LONG ? ' viewer-long' : ''}`}
    role="toolbar"
    aria-label="The tokens of the sentence: choose the one that asks"
    dir=${dir}
    translate="no"
    @click=${(/** @type {MouseEvent} */ event) => pick(event, acts)}
    @keydown=${(/** @type {KeyboardEvent} */ event) => onArrow(event, '[data-token]', inLines, (button) => acts.choose(tokenOf(button)))}
  >${lines.map((line) => html`<div class="viewer-line">${line.map((run) => drawRun(run, scene))}</div>`)}</div>`;
}

/**
 * A number that is pressed is asked why. Else a token, or, of a character that several tokens make, the last: the one that completes it.
 * @param {MouseEvent} event
 * @param {Acts} acts
 */
function pick(event, {choose, release, open}) {
  if (!(event.target instanceof Element) || event.detail > 1) return; // the second click of a double click takes nothing back
  const button = event.target.closest('[data-token]') ?? event.target.closest('.cell-shared')?.querySelector('[data-token]:last-child');
  if (button instanceof HTMLElement && event.target.closest('.token-share') && !button.matches('.token-later')) {
    open(tokenOf(button));
    reveal(event);
  } else if (!(button instanceof HTMLElement) || button.ariaPressed === 'true') release();
  else choose(tokenOf(button));
}

/** @param {HTMLElement} button */
function tokenOf(button) {
  return Number(button.dataset.token);
}

/** @type {WeakMap<Token[], {dir: string, lines: Run[][]}>} */
const layouts = new WeakMap();

/**
 * Lines as typed, each of runs of one direction. Remembered: it depends on the text alone.
 * @param {Token[]} tokens
 */
function layout(tokens) {
  const known = layouts.get(tokens);
  if (known) return known;
  /** @type {Cell[][]} */
  const lines = [[]];
  for (const cell of cells(tokens)) {
    lines.at(-1)?.push(cell);
    if (/[\r\n]$/.test(cell.text)) lines.push([]);
  }
  const found = {dir: direction(spell(tokens)) ?? 'ltr', lines: lines.filter((line) => line.length > 0).map(runs)};
  layouts.set(tokens, found);
  return found;
}

/**
 * @param {Run} run
 * @param {Scene} scene
 */
function drawRun({dir, words}, scene) {
  // No white space between these tags but the gaps that were typed: it would show. Elsewhere a line may end without one.
  return html`<span class="viewer-run" dir=${dir}>${words.map(
    (word) => html`${word[0].gap ? ' ' : html`<wbr>`}<span class="viewer-word">${drawWord(word, dir, scene)}</span>`,
  )}</span>`;
}

/**
 * @param {Cell[]} word
 * @param {Direction} dir
 * @param {Scene} scene
 */
function drawWord(word, dir, scene) {
  return parts(word, dir).map((part) => {
    const drawn = part.cells.map((cell) => drawCell(cell, part.dir, scene));
    return part.dir === dir ? drawn : html`<span class="viewer-part" dir=${part.dir}>${drawn}</span>`;
  });
}

/**
 * @param {Cell} cell
 * @param {Direction} dir
 * @param {Scene} scene
 */
function drawCell(cell, dir, scene) {
  // A bracket has no direction of its own, and is turned where it is read from right to left.
  const face = cell.pieces.map(({text, name}) => (name === null ? html`<bdi dir=${dir === 'rtl' && !direction(text) ? dir : nothing}>${text}</bdi>` : html`<span class="sign">${text}</span>`));
  if (cell.tokens.length === 1) return button(cell.tokens[0], html`<span class="token-text">${face}</span>`, scene);
  const roles = cell.tokens.map((index) => role(index, scene.query));
  const shared = roles.every((each) => each === 'token-later') ? ' token-later' : '';
  return html`<span class=${`cell-shared${shared}`}><span class="token-text" aria-hidden="true">${face}</span><span class="cell-parts"
    >${cell.tokens.map((index, part) => button(index, html`<span class="token-text token-part">${part + 1}</span>`, scene))}</span></span>`;
}

/**
 * @param {number} index
 * @param {number} query
 */
function role(index, query) {
  if (index === query) return 'token-asks';
  return index < query ? 'token-seen' : 'token-later';
}

/**
 * @param {number} index
 * @param {unknown} face
 * @param {Scene} scene
 */
function button(index, face, {row, query, lit, name}) {
  const asks = index === query;
  const later = index > query;
  const weight = later ? 0 : row[index];
  const share = later ? 'not yet' : brief(weight);
  return html`<button
    type="button"
    class=${`token ${role(index, query)}${lit === index ? ' token-lit' : ''}`}
    data-token=${index}
    tabindex=${asks ? 0 : -1}
    aria-pressed=${asks ? 'true' : 'false'}
    aria-label=${label(name[index], share, index - query)}
  >${face}${later ? nothing : bar(weight)}<span class=${`token-share${later ? '' : emphasis(weight)}`}> ${share}</span></button>`;
}

/** Which numbers stand there unasked: on screen the strong ones, on paper all but the slight. @param {number} weight */
function emphasis(weight) {
  if (weight >= 0.1) return ' token-share-strong';
  return weight < 0.01 ? ' token-share-slight' : '';
}

/**
 * What a screen reader says of a token. It begins with what is seen, the text and the number, for those who speak to their
 * computer; a screen reader need not read the quotation marks.
 * @param {string} name
 * @param {string} share
 * @param {number} distance  from the asking token; below 0 earlier
 */
function label(name, share, distance) {
  const [, called, which] = /^(.*?)( \(token \d+\))?$/s.exec(name) ?? [];
  const text = called.replace(/^«(.*)»( part \d+)?$/s, (_, bare, part = '') => `${bare}${part}`);
  if (distance > 0) return `${text}${which ?? ''}, comes later`;
  return `${text} ${share}${distance === 0 ? ', asks' : ''}${which ?? ''}`;
}
