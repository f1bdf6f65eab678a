/**
 * Wishes: values for some of a figure's options, by whomever they are wished: an embedder's script, a link, the reader's hand.
 * The table of what may be wished is the figure's own `options`: whatever an author may write, a link may carry and a script
 * may assign, and all are read by one rule.
 */

/** @typedef {import('./figure.js').Figure} Figure */
/** @typedef {import('./figure.js').Option} Option */
/** @typedef {import('./figure.js').State} State */

/**
 * What is asked for: only options of the figure, only values of their type. Anything else is left out, since a link may be
 * old, or written by hand, and a script may assign anything. null takes back an option that can be left out.
 * @param {Record<string, Option>} options
 * @param {any} some
 * @returns {State}
 */
export function readWishes(options, some) {
  const wanted = /** @type {State} */ ({});
  for (const [name, option] of Object.entries(options)) {
    const spared = some?.[name] === null && !option.required && option.default === undefined;
    const value = spared ? null : readValue(option, some?.[name]);
    if (value !== undefined) wanted[name] = value;
  }
  return wanted;
}

/**
 * A string, number or boolean is read as a link would write it.
 * @param {Option} option
 * @param {unknown} raw
 * @returns {string|number|boolean|undefined} undefined when `raw` is no value of the option's type
 */
function readValue({type, min = -Infinity, max = Infinity, choices = []}, raw) {
  if (!['string', 'number', 'boolean'].includes(typeof raw)) return undefined;
  const text = String(raw).toWellFormed();
  if (type === 'string') return text;
  if (type === 'choice') return choices.includes(text) ? text : undefined;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type === 'integer' && !/^\s*[+-]?\d+\s*$/.test(text)) return undefined;
  const number = Number(text.trim() || NaN);
  return Number.isFinite(number) ? Math.min(max, Math.max(min, number)) : undefined;
}

/**
 * Wishes laid over a state. An option that follows another starts anew when that one changes and it is not given itself:
 * a new text forgets which token of the old one was asking.
 * @param {Figure} figure
 * @param {State} state
 * @param {any} some
 * @returns {State}
 */
export function change(figure, state, some) {
  const wanted = {...state};
  const wishes = readWishes(figure.options, some);
  for (const [name, {follows, default: initial}] of Object.entries(figure.options)) {
    if (name in wishes) wanted[name] = wishes[name];
    else if (follows && follows in wishes && wishes[follows] !== state[follows]) wanted[name] = initial;
  }
  return wanted;
}

/**
 * @param {Figure} figure
 * @param {State} a
 * @param {State} b
 * @returns {boolean} whether one answer of the model serves both
 */
export function computesSame(figure, a, b) {
  return figure.computes.every((name) => a[name] === b[name]);
}
