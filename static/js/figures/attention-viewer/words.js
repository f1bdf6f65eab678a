/** What the viewer says: the row as one sentence, and what would otherwise look like a fault. Pure, so that it can be tested alone. */
import {count, names, percent} from '../../lib/words.js';

/** @typedef {import('../../lib/figure.js').Token} Token */

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
