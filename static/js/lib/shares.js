/** Rows of numbers and the shares that are made of them. Pure. */

/**
 * The index of the greatest, the first of equals.
 * @param {number[]} numbers
 */
export function greatest(numbers) {
  return numbers.indexOf(Math.max(...numbers));
}

/**
 * Shares in proportion to e^score. exp overflows from 710 on, and is 0 for all below −745: what is taken from each score
 * changes no share, since it divides every exp, and so their total, by the same number.
 * @param {number[]} scores  (S,) −∞ for what gets nothing
 * @param {number} [shift]  what is taken from each; default: the greatest
 * @returns {{exps: number[], total: number, shares: number[]}} (S,), their sum, (S,)
 */
export function softmax(scores, shift = Math.max(...scores)) {
  const exps = scores.map((score) => Math.exp(score - shift));
  const total = exps.reduce((sum, exp) => sum + exp, 0);
  return {exps, total, shares: exps.map((exp) => exp / total)};
}

/**
 * How spread out a row is, in bits: 0 when all goes to one, log2 of n when n get the same.
 * @param {number[]} shares
 */
export function entropy(shares) {
  return shares.reduce((bits, share) => (share > 0 ? bits - share * Math.log2(share) : bits), 0);
}

/**
 * Integers that add up to a total, by the largest remainder: each number is rounded down, and what is missing goes, one each,
 * to those that lost most (the earlier of equals).
 * @param {number[]} numbers
 * @param {number} total  an integer, not less than the numbers rounded down
 * @param {(number: number) => number} [noise]  by how much arithmetic in binary may have missed an integer
 * @returns {number[]}
 */
export function apportion(numbers, total, noise = () => 0) {
  const whole = numbers.map((number) => Math.floor(number + noise(number)));
  const missing = total - whole.reduce((sum, part) => sum + part, 0);
  const lost = numbers.map((number, index) => number - whole[index]);
  const byLoss = lost.map((_, index) => index).sort((a, b) => lost[b] - lost[a] || a - b);
  for (const index of byLoss.slice(0, Math.max(0, missing))) whole[index] += 1;
  return whole;
}
