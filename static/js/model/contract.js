/**
 * The model's contract as the browser needs it: the names of its tensors, the same as in Python's `model/manifest.py`, and
 * what may be asked of it. Pure; all that is wrong is said in words a reader understands.
 */

/** @typedef {import('../lib/figure.js').Config} Config */
/** @typedef {import('../lib/figure.js').Feeds} Feeds */

export const INPUTS = ['tokens', 'positions', 'position_scale', 'head_mask', 'mlp_mask', 'past_k', 'past_v'];

export const OUTPUTS = [
  'pattern', 'scores', 'q', 'k', 'v', 'residual', 'logits', 'token_embedding', 'position_embedding', 'final_norm',
];

/**
 * @param {readonly string[]} inputs
 * @param {readonly string[]} outputs
 * @throws {Error} naming what the model file lacks
 */
export function checkNames(inputs, outputs) {
  const lacking = [
    ...INPUTS.filter((name) => !inputs.includes(name)).map((name) => `the input '${name}'`),
    ...OUTPUTS.filter((name) => !outputs.includes(name)).map((name) => `the output '${name}'`),
  ];
  const foreign = inputs.filter((name) => !INPUTS.includes(name)).map((name) => `it wants an unknown input '${name}'`);
  const problems = [...(lacking.length ? [`it lacks ${lacking.join(', ')}`] : []), ...foreign];
  if (problems.length) throw new Error(`the model file is not the one this page was made for: ${problems.join('; ')}`);
}

/** What was asked cannot be run; the model itself is well. */
export class RequestError extends RangeError {}

/**
 * @param {Feeds} feeds
 * @param {string[]} outputs
 * @param {Config} config
 * @throws {RequestError} when they cannot be run
 */
export function checkRequest({tokens, positions, headMask, mlpMask}, outputs, config) {
  const {layers, heads, vocabulary, context} = config;
  const length = tokens.length;
  if (length === 0) throw new RequestError('there is no token to run the model on');
  if (length > context) throw new RequestError(`the model reads at most ${context} tokens, and this text has ${length}`);
  const badId = tokens.find((id) => !isBelow(id, vocabulary));
  if (badId !== undefined) throw new RequestError(`the model knows tokens 0 to ${vocabulary - 1}, not ${badId}`);
  if (positions) {
    if (positions.length !== length) throw new RequestError(`${length} tokens need ${length} positions, not ${positions.length}`);
    const bad = positions.find((position) => !isBelow(position, context));
    if (bad !== undefined) throw new RequestError(`the model knows positions 0 to ${context - 1}, not ${bad}`);
  }
  if (headMask && (headMask.length !== layers || headMask.some((row) => row.length !== heads))) {
    throw new RequestError(`the mask of heads must be ${layers} × ${heads}`);
  }
  if (mlpMask && mlpMask.length !== layers) throw new RequestError(`the mask of feed-forward halves must have ${layers} numbers`);
  const unknown = outputs.find((name) => !OUTPUTS.includes(name));
  if (unknown !== undefined || outputs.length === 0) {
    throw new RequestError(`the model has no output '${unknown ?? ''}'; it has ${OUTPUTS.join(', ')}`);
  }
}

/**
 * @param {number} value
 * @param {number} limit
 */
function isBelow(value, limit) {
  return Number.isInteger(value) && value >= 0 && value < limit;
}

/**
 * A failure as the reader is told it. Engines say "out of memory" in many ways; the rest is said as it came.
 * @param {unknown} error
 * @returns {string}
 */
export function explain(error) {
  const message = error instanceof Error ? error.message : String(error);
  if (/out of memory|could not allocate|allocation failed|bad_alloc|cannot enlarge memory|memory access out of bounds/i.test(message)) {
    return `this device did not have enough memory for the model (${message})`;
  }
  return message;
}
