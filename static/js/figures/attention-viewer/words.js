/** What the viewer says: the row as one sentence, and what would otherwise look like a fault. Pure, so that it can be tested alone. */
import {count, names, percent} from '../../lib/words.js';

/** @typedef {import('../../lib/figure.js').Token} Token */

/** A part of a sentence: words, or a share with the token that it is given to. @typedef {string|{share: string, key: number, name: string}} Part */

/** @typedef {{layer: number, head: number, query: number}} Place  layer and head from 1 */

/**
 * One row as one sentence. Each share is rounded by itself, so that it reads the same here, under its token and in the prose;
 * where the rounded ones do not add up to 100%, the sentence says that they are rounded.
 * @param {{tokens: Token[], row: number[]}} data
 * @param {Place} place
 * @returns {Part[]}
 */
export function told({tokens, row}, {layer, head, query}) {
  if (tokens.length === 0) return ['There is no text yet, so nothing asks and nothing is asked.'];
  const called = names(tokens);
  const weights = row.slice(0, query + 1);
  const place = `In layer ${layer}, head ${head}, ${called[query]} `;
  if (query === 0) return [`${place}has only itself to look at, as the first token always has: it keeps 100%.`];
  if (Math.max(...weights) - Math.min(...weights) < 1e-6) {
    return [`${place}gives the same share, ${percent(weights[0])}, to each of ${weights.length} tokens, itself among them.`];
  }
  const {named, others} = split(weights);
  const name = (/** @type {number} */ index) => (index === query ? 'itself' : called[index]);
  const gift = (/** @type {number} */ key) => [{share: percent(weights[key]), key, name: name(key)}, ` to ${name(key)}`];
  const gifts = named.map(gift);
  const left = others.reduce((sum, index) => sum + weights[index], 0);
  const some = left >= 0.0005; // less would be told as 0
  if (some && others.length === 1) gifts.push(gift(others[0]));
  else if (others.length > 0) gifts.push([`${some ? percent(left) : 'next to nothing'} to ${rest(others.map(name))}${some ? ' together' : ''}`]);
  const sum = [...named.map((index) => weights[index]), some ? left : 0].reduce((all, share) => all + parseFloat(percent(share)), 0);
  return [`${place}gives `, ...list(gifts), `${Math.abs(sum - 100) > 1e-6 ? ' (rounded)' : ''}.`];
}

/** @param {string[]} called */
function rest(called) {
  return called.length === 1 ? called[0] : `the other ${called.length}`;
}

/**
 * The same in plain words, to be spoken.
 * @param {Part[]} parts
 */
export function plain(parts) {
  return parts.map((part) => (typeof part === 'string' ? part : part.share)).join('');
}

/**
 * Which shares to name: the greatest three, as long as they are 5% or more.
 * @param {number[]} weights
 * @returns {{named: number[], others: number[]}} indices
 */
function split(weights) {
  const order = weights.map((_, index) => index).sort((a, b) => weights[b] - weights[a] || a - b);
  const most = order.findIndex((index, rank) => rank > 0 && (rank === 3 || !(weights[index] >= 0.05)));
  return most < 0 ? {named: order, others: []} : {named: order.slice(0, most), others: order.slice(most)};
}

/**
 * Parts with commas between them, and «and» before the last.
 * @param {Part[][]} items
 * @returns {Part[]}
 */
function list(items) {
  return items.flatMap((item, index) => [index === 0 ? '' : index === items.length - 1 ? ' and ' : ', ', ...item]);
}

/** From this share on the first token's is worth a word; only where it is the greatest. */
const SINK = 0.3;

/**
 * What is special about this text or this token and would otherwise look like a fault.
 * @param {{tokens: Token[], row: number[], dropped: number, context: number}} data
 * @param {number} query
 * @returns {string[]} sentences
 */
export function notes({tokens, row, dropped, context}, query) {
  if (tokens.length === 0) return [];
  return [ofLength(tokens, dropped, context), ofSpace(tokens), ofFirst(row, query), ofLast(tokens, query)].filter((note) => note !== '');
}

/**
 * @param {Token[]} tokens
 * @param {number} dropped
 * @param {number} context
 */
function ofLength(tokens, dropped, context) {
  if (dropped > 0) {
    const all = tokens.length + dropped;
    return `This text makes ${count(all)}, and the model can hold ${context}: the last ${dropped === 1 ? 'one was' : `${dropped.toLocaleString('en')} were`} left out.`;
  }
  return tokens.length === context ? `This text makes ${count(context)}, exactly as many as the model can hold.` : '';
}

/** @param {Token[]} tokens */
function ofSpace(tokens) {
  if (tokens.every((token) => /^\p{White_Space}+$/u.test(token.text))) return 'This text is nothing but white space; a model reads that as tokens too.';
  const ends = /^ +$/.test(tokens[tokens.length - 1].text);
  return ends ? 'The text ends in a space, which is a token of its own here. A word typed after it takes the space with it, and the tokens change.' : '';
}

/**
 * @param {number[]} row
 * @param {number} query
 */
function ofFirst(row, query) {
  const most = query > 1 && row[0] >= SINK && row.every((weight) => weight <= row[0]);
  return most
    ? 'The first token gets most. In many models that happens whatever the word is. Put another word first, and you will see whether the word matters.'
    : '';
}

/**
 * @param {Token[]} tokens
 * @param {number} query
 */
function ofLast(tokens, query) {
  return query === tokens.length - 1 ? `${names(tokens)[query]} is the last token: from its vector the model will guess what comes next.` : '';
}
