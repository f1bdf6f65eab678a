/**
 * Share links: `#queen?text=The+Queen&layer=2` reopens exactly that view. What the reader typed stays behind the `#`, so that
 * it is in no request and in no referrer. The table of what may stand there is the figure's own `options`: whatever an
 * author may write, a link may carry.
 */

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
 * What a link asks for: only options of the figure, only values of their type. Anything else is left out, since a link may
 * be old, or written by hand.
 * @param {Record<string, Option>} options
 * @param {string} query
 * @returns {State}
 */
export function readLink(options, query) {
  const params = new URLSearchParams(query);
  const wanted = /** @type {State} */ ({});
  for (const [name, option] of Object.entries(options)) {
    const raw = params.get(name);
    const value = raw === null ? undefined : readValue(option, raw);
    if (value !== undefined) wanted[name] = value;
  }
  return wanted;
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
 * @param {Option} option
 * @param {string} raw
 * @returns {string|number|boolean|undefined} undefined when `raw` is no value of the option's type
 */
function readValue({type, min = -Infinity, max = Infinity, choices = []}, raw) {
  if (type === 'string') return raw;
  if (type === 'choice') return choices.includes(raw) ? raw : undefined;
  if (type === 'boolean') return raw === 'true' ? true : raw === 'false' ? false : undefined;
  const number = type === 'integer' ? readInteger(raw) : Number(raw.trim() || NaN);
  return Number.isFinite(number) ? Math.min(max, Math.max(min, number)) : undefined;
}

/** @param {string} raw */
function readInteger(raw) {
  return /^\s*[+-]?\d+\s*$/.test(raw) ? Number(raw) : NaN;
}
