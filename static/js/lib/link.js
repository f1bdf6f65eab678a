/**
 * Share links: `#queen?text=The+Queen&layer=2` reopens exactly that view. What the reader typed stays behind the `#`, so that
 * it is in no request and in no referrer. What may stand there, `wishes.js` says.
 */
import {readWishes} from './wishes.js';

/** @typedef {import('./figure.js').Option} Option */
/** @typedef {import('./figure.js').State} State */

const ID = /^[a-z][a-z0-9_]*$/;

/**
 * Splits the hash of an address.
 * @param {string} hash  `#queen?layer=1`
 * @returns {{id: string, query: string}|null} null when it names no view of a figure (a plain anchor, another's hash)
 */
export function parseHash(hash) {
  const mark = hash.indexOf('?');
  if (mark < 0) return null;
  const id = hash.slice(1, mark);
  return ID.test(id) ? {id, query: hash.slice(mark + 1)} : null;
}

/**
 * What a link asks for.
 * @param {Record<string, Option>} options
 * @param {string} query
 * @returns {State}
 */
export function readLink(options, query) {
  return readWishes(options, Object.fromEntries(new URLSearchParams(query)));
}

/**
 * The hash that reopens a state.
 * @param {Record<string, Option>} options
 * @param {string} id
 * @param {State} state
 * @returns {string} `#id?…`
 */
export function writeLink(options, id, state) {
  const params = new URLSearchParams();
  for (const name of Object.keys(options)) {
    if (state[name] !== undefined && state[name] !== null) params.set(name, String(state[name]).toWellFormed());
  }
  return `#${id}?${params}`;
}

/** What the address asks of one figure, as it changes. */
export class Follower {
  /** @type {string|null} */ #query = null;
  #hash = '';

  /** Whether the figure still is as the link made it. */
  untouched = false;

  /**
   * Going back to the link that was followed last asks nothing: what the reader has done since stays. Going back to before it
   * undoes it, unless the reader has gone on from there.
   * @param {Record<string, Option>} options
   * @param {string} id
   * @returns {State|null} what to change of the printed state; null for nothing new
   */
  asks(options, id) {
    const link = parseHash(location.hash);
    const moved = location.hash !== this.#hash; // else the same link was followed again, which may leave the entry its mark
    this.#hash = location.hash;
    if (link?.id === id) {
      if (moved && !isNew() && link.query === this.#query) return null;
      this.#query = link.query;
      return readLink(options, link.query);
    }
    if (this.#query === null || location.hash !== '') return null;
    this.#query = null;
    return this.untouched ? {} : null;
  }
}

/** What must be seen of a figure, in px from its top. */
const GLANCE = 200;

/** @param {Element} figure */
export function inSight(figure) {
  const {top} = figure.getBoundingClientRect();
  return top >= 0 && top + GLANCE <= innerHeight;
}

/** Brings a figure into sight that is not; one that is stays where it is. @param {Element} figure */
export function leadTo(figure) {
  if (!inSight(figure)) (figure.closest('figure') ?? figure).scrollIntoView({block: 'start'});
}

/**
 * Whether this address has just been come to, by a link or a typed address, rather than gone back to or loaded again. (A
 * history entry keeps its mark in both.)
 * @returns {boolean}
 */
export function isNew() {
  return !history.state?.arrived;
}

/**
 * Whether the reader comes to the address of this page for the first time, and shall be led to the figure. Going back or
 * loading again, the browser itself restores the place on the page. In a frame nobody arrives: scrolling there would move the
 * page around it.
 * @returns {boolean}
 */
export function arrives() {
  if (!isNew()) return false;
  history.replaceState({...history.state, arrived: true}, '');
  return window.parent === window;
}
