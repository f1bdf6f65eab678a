/** What the viewer says: names of tokens, percentages, and the row as one sentence. Pure, so that it can be tested alone. */
import {cells, direction, pieces} from './cells.js';

/** @typedef {import('../../lib/figure.js').Token} Token */

/**
 * A share for people, as prose prints it: whole per cents, and near 0 and 100 one digit more.
 * @param {number} share  0 to 1
 * @returns {string}
 */
export function percent(share) {
  const hundred = share * 100;
  if (hundred === 0) return '0%';
  if (hundred < 0.05) return '<0.1%';
  if (hundred > 99.95 && hundred < 100) return '>99.9%';
  return hundred < 0.95 || (hundred > 99.5 && hundred < 100) ? `${hundred.toFixed(1)}%` : `${Math.round(hundred)}%`;
}

/**
 * A share where there is room for three signs: under a token.
 * @param {number} share  0 to 1
 * @returns {string}
 */
export function brief(share) {
  return share > 0 && share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`;
}

/**
 * A token's text with signs for what cannot be seen, leading spaces included: «␠said».
 * @param {string} text
 * @returns {string}
 */
export function visible(text) {
  return pieces(text).map((piece) => piece.text).join('');
}

/**
 * What each token is called in a sentence: «said»; «the» (token 4) where the text has several; «日» part 2; a space.
 * @param {Token[]} tokens
 * @returns {string[]} (T,)
 */
export function names(tokens) {
  const known = named.get(tokens);
  if (known) return known;
  const found = new Array(tokens.length).fill('');
  for (const cell of cells(tokens)) {
    const called = call(cell.text);
    cell.tokens.forEach((index, part) => {
      found[index] = cell.tokens.length === 1 ? called : `${called} part ${part + 1}`;
    });
  }
  const times = new Map();
  for (const name of found) times.set(name, (times.get(name) ?? 0) + 1);
  const told = found.map((name, index) => (times.get(name) > 1 ? `${name} (token ${index})` : name));
  named.set(tokens, told);
  return told;
}

/** @type {WeakMap<Token[], string[]>} */
const named = new WeakMap();

/** @param {string} text */
function call(text) {
  const bare = text.replace(/^ (?=\P{White_Space})/u, '');
  const parts = pieces(bare);
  if (parts.length === 1 && parts[0].name) return `a ${parts[0].name}`;
  if (parts.every((part) => part.name !== null)) return `${parts.length} blanks (${parts.map((part) => part.name).join(', ')})`;
  return `«${isolate(parts.map((part) => part.text).join(''))}»`;
}

/**
 * Text that is read from right to left, kept from reordering the English sentence that it stands in.
 * @param {string} text
 */
function isolate(text) {
  return direction(text) === 'rtl' ? `\u2068${text}\u2069` : text;
}

/**
 * One row as one sentence. Each share is rounded by itself, so that it reads the same here, under its token and in the prose;
 * where the rounded ones do not add up to 100%, the sentence says that they are rounded.
 * @param {{tokens: Token[], row: number[]}} data
 * @param {{layer: number, head: number, query: number}} state
 * @returns {string}
 */
export function describe({tokens, row}, {layer, head, query}) {
  if (tokens.length === 0) return 'There is no text yet, so nothing asks and nothing is asked.';
  const called = names(tokens);
  const weights = row.slice(0, query + 1);
  const place = `In layer ${layer}, head ${head}, `;
  if (query === 0) return `${place}${called[0]} has only itself to look at, as the first token always has: it keeps 100%.`;
  if (Math.max(...weights) - Math.min(...weights) < 1e-6) {
    return `${place}${called[query]} gives the same share, ${percent(weights[0])}, to each of ${weights.length} tokens, itself among them.`;
  }
  const name = (/** @type {number} */ index) => (index === query ? 'itself' : called[index]);
  const {told, others} = split(weights);
  const left = others.reduce((sum, index) => sum + weights[index], 0);
  const some = left >= 0.0005; // less would be told as 0
  const gifts = told.map((index) => `${percent(weights[index])} to ${name(index)}`);
  const more = others.length > 1 ? `the other ${others.length}${some ? ' together' : ''}` : others.map(name).join('');
  if (more) gifts.push(`${some ? percent(left) : 'next to nothing'} to ${more}`);
  const sum = [...told.map((index) => weights[index]), some ? left : 0].reduce((all, share) => all + parseFloat(percent(share)), 0);
  return `${place}${called[query]} gives ${list(gifts)}${Math.abs(sum - 100) > 1e-6 ? ' (rounded)' : ''}.`;
}

/**
 * Which shares to name: the greatest three, as long as they are 5% or more.
 * @param {number[]} weights
 * @returns {{told: number[], others: number[]}} indices
 */
function split(weights) {
  const order = weights.map((_, index) => index).sort((a, b) => weights[b] - weights[a] || a - b);
  const most = order.findIndex((index, rank) => rank > 0 && (rank === 3 || !(weights[index] >= 0.05)));
  return most < 0 ? {told: order, others: []} : {told: order.slice(0, most), others: order.slice(most)};
}

/** @param {string[]} items */
function list(items) {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/**
 * What is special about this text or this token and would otherwise look like a fault.
 * @param {{tokens: Token[], dropped: number, context: number}} data
 * @returns {string[]} sentences
 */
export function notes({tokens, dropped, context}) {
  const said = [];
  if (dropped > 0) {
    const all = tokens.length + dropped;
    said.push(`This text makes ${count(all)}, and the model can hold ${context}: the last ${dropped === 1 ? 'one was' : `${dropped.toLocaleString('en')} were`} left out.`);
  } else if (tokens.length === context) {
    said.push(`This text makes ${count(context)}, exactly as many as the model can hold.`);
  }
  if (tokens.length > 0 && tokens.every((token) => /^\p{White_Space}+$/u.test(token.text))) {
    said.push('This text is nothing but white space; a model reads that as tokens too.');
  }
  return said;
}

/** @param {number} tokens */
export function count(tokens) {
  return tokens === 1 ? '1 token' : `${tokens.toLocaleString('en')} tokens`;
}

/**
 * @param {number} bytes
 * @param {number} total
 * @returns {string} in the unit that suits the total: «1.2 of 16.4 MB»
 */
export function progress(bytes, total) {
  const [unit, size, digits] = total < 1e6 ? ['KB', 1e3, 0] : ['MB', 1e6, 1];
  return `${(bytes / Number(size)).toFixed(Number(digits))} of ${(total / Number(size)).toFixed(Number(digits))} ${unit}`;
}

/** How far numbers may be apart that were computed by the same model in two places. */
const SAME = 1e-5;

/**
 * @param {number|undefined} difference  the greatest, between the printed and the live numbers; undefined for a text that was not printed
 * @returns {string} sentences
 */
export function agreement(difference) {
  if (difference === undefined) return 'Computed in your tab.';
  if (difference === 0) return 'Computed in your tab; agrees exactly with the printed numbers.';
  if (difference <= SAME) return `Computed in your tab; differs from the printed numbers by at most ${atMost(difference)}.`;
  const how = difference <= 1 ? `its weights differ from the printed ones by up to ${percent(difference)}` : 'its answer cannot even be compared with the printed one';
  return `This page and its model do not match: ${how}. The picture shows the model’s own numbers, and what the page says of it may be wrong.`;
}

/**
 * An upper bound of a small number, to one digit, without an exponent: 2.6e-7 is «0.0000003».
 * @param {number} difference  0 to 1
 * @returns {string}
 */
export function atMost(difference) {
  if (!(difference > 0)) return '0';
  const places = Math.max(0, -Math.floor(Math.log10(difference)));
  const digit = Math.ceil(difference * 10 ** places - 1e-9);
  return digit === 10 ? (10 ** (1 - places)).toFixed(places - 1) : (digit * 10 ** -places).toFixed(places);
}
