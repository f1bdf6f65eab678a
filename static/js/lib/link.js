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

/**
 * Whether the reader comes to the address of this page for the first time. Going back to it, or loading it again, is none:
 * then the browser itself restores the place on the page. (A history entry keeps its mark in both.) In a frame nobody arrives:
 * scrolling there would move the page around it.
 * @returns {boolean}
 */
export function arrives() {
  if (window.parent !== window || history.state?.arrived) return false;
  history.replaceState({...history.state, arrived: true}, '');
  return true;
}
