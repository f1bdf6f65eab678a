/**
 * What a figure is. A figure is a plain object, written once and used in three places: `print.js` runs it in Node when
 * pages are made, `figure-element.js` makes a custom element of it in the page, and `link.js` makes its share links.
 * `figure({...})` checks such an object; the typedefs below are the whole contract.
 *
 * How an author's options, or a reader's wishes, become a picture:
 *
 *     wanted ── compute(wanted, model) ──▶ computed ── prepare(wanted, computed) ──▶ state
 *                                             └──────────── derive(state, computed) ──▶ data ── view(data, state, …)
 *
 * `data` must hold everything that `computed` holds (derive adds to it): then the printed data, which travels with the
 * page, is enough to answer every wish that needs no model. What is too much to travel, `carries` leaves out; the view then
 * has to do without it until the model has answered.
 */

/**
 * A token of a text. `start` and `end` are UTF-16 offsets of the whole characters that its bytes touch; `text` is that slice.
 * @typedef {{id: number, text: string, start: number, end: number}} Token
 */

/**
 * What a head was measured to do: the mean share of its budget that goes where its role says, beside that of an even spread and
 * that of an untrained head; `text` is what it was measured on.
 * @typedef {{role: string, share: number, even: number, untrained: number, text: string}} Habit
 */

/**
 * The shape of the model, all counts; and the habit of each head, (L, H), null where no role was found.
 * @typedef {{layers: number, heads: number, width: number, headSize: number, vocabulary: number, context: number, habits?: (Habit|null)[][]}} Config
 */

/**
 * What to run. Only `tokens` is required; the model's own positions, scale and masks are the defaults.
 * @typedef {object} Feeds
 * @property {number[]} tokens  ids, (T,)
 * @property {number[]} [positions]  (T,)
 * @property {number} [positionScale]  1, or 0 to switch positions off
 * @property {number[][]} [headMask]  (L, H): 1 keeps a head, 0 silences it
 * @property {number[]} [mlpMask]  (L,)
 */

/** @typedef {{dims: number[], data: Float32Array}} Tensor */

/**
 * The model as figures see it: the session in the page, a line to Python in the printer.
 * @typedef {object} Model
 * @property {Config} config
 * @property {(text: string, limit?: number) => Promise<{tokens: Token[], count: number}>} encode  at most `limit` tokens; `count`
 *   is how many the whole text has (a pasted book has too many to hand over)
 * @property {(feeds: Feeds, outputs: string[]) => Promise<Record<string, Tensor>>} run
 */

/** @typedef {Record<string, any>} State  keys are the figure's options, as settled by `prepare` */
/** @typedef {Record<string, any>} Data   what the figure shows: its public face and its JSON export */

/**
 * One thing an author may choose; also one parameter of the share link.
 * @typedef {object} Option
 * @property {'string'|'integer'|'number'|'boolean'|'choice'} type
 * @property {string} help  one sentence for the author
 * @property {boolean} [required]
 * @property {string|number|boolean} [default]
 * @property {number} [min]
 * @property {number} [max]
 * @property {string[]} [choices]
 * @property {string} [follows]  another option: when that changes and this is not given, this starts anew from its default
 */

/** @typedef {'share'|'count'|'number'|'tokens'|'nats'|'bits'|'text'} Unit */

/**
 * What prose, claims and challenges may ask. `cell` names the place in the picture where the value stands
 * (the figure's `cell` keys joined by dots, layers and heads from 1, tokens from 0), or is null.
 * @typedef {object} Quantity
 * @property {Unit} unit
 * @property {string} help
 * @property {string[]} [parameters]  names of positional arguments, all required
 * @property {string[]} [keywords]  names of optional keyword arguments
 * @property {(data: Data, state: State, args: any[], keywords: Record<string, any>) => {value: number|string, cell?: string|null}} value
 */

/**
 * What a view may know about the life of its element besides data and state.
 * @typedef {object} Life
 * @property {'printed'|'awake'|'live'|'failed'} status
 * @property {boolean} busy  an answer of the model is awaited
 * @property {number} received  bytes of the model's download so far
 * @property {number} total  bytes to come in all; 0 while nothing loads
 * @property {string} message  why the figure failed, for the reader; '' otherwise
 * @property {() => void} retry  starts the model anew
 * @property {number|undefined} difference  greatest deviation of the live from the printed numbers, while the printed text is shown
 * @property {Record<string, number>|null} lit  the cell to light up, by the figure's `cell` keys
 * @property {State|null} wanted  what the reader asked for and the model has not answered yet
 * @property {boolean} stepped  whether the reader has changed anything yet
 * @property {State|null} printed  what the figure opened with; null while it is printed
 * @property {(() => void)|null} undo  takes back the reader's last step; null when there is none
 * @property {(() => void)|null} reset  back to what was printed; null when that is what is shown
 * @property {string} link  `#id?…`, the hash that reopens exactly this view
 */

/**
 * @typedef {object} Figure
 * @property {string} tag  the name of the element and of the directive, with a hyphen
 * @property {string} summary  one sentence for the author
 * @property {Record<string, Option>} options
 * @property {string[]} computes  the options whose change needs the model; any other change only derives
 * @property {string[]} compares  keys of data that, live, must equal what was printed; default none
 * @property {string[]} cell  the names of a cell's numbers, in order; default none
 * @property {(wanted: State, model: Model) => Promise<Record<string, any>>} compute  pure but for the model; JSON-able
 * @property {(wanted: State, computed: Record<string, any>, how: {strict: boolean}) => State} prepare
 *   a legal state out of wishes: clamps, and finds the token that is meant by a text. When `strict` (an author wrote the
 *   wishes) it throws AuthorError instead of guessing; otherwise it never throws. Default: the wishes as they are
 * @property {(state: State, computed: Record<string, any>) => Data} derive  pure; contains `computed`
 * @property {(data: Data, state: State) => Data} carries  what of the data travels with the page; default all
 * @property {(cell: Record<string, number>, state: State) => State} take  what the reader chooses by pressing a number of the text
 *   that stands in `cell`; default the options that a cell's numbers are named after
 * @property {(data: Data, state: State, act: (some: State) => void, life: Life) => unknown} view  a lit template; pure
 * @property {Record<string, Quantity>} quantities
 */

/** @typedef {Pick<Figure, 'tag'|'summary'|'options'|'compute'|'view'> & Partial<Figure>} Declaration */

/** An author's mistake: says what is wrong, what to do (`hint`) and which option holds it. */
export class AuthorError extends Error {
  /**
   * @param {string} message
   * @param {{hint?: string|null, option?: string|null}} [where]
   */
  constructor(message, {hint = null, option = null} = {}) {
    super(message);
    this.name = 'AuthorError';
    this.hint = hint;
    this.option = option;
  }
}

const TYPES = ['string', 'integer', 'number', 'boolean', 'choice'];
const UNITS = ['share', 'count', 'number', 'tokens', 'nats', 'bits', 'text'];
const TAG = /^[a-z][a-z0-9]*(-[a-z0-9]+)+$/;
const NAME = /^[a-z][A-Za-z0-9_]*$/;

/**
 * Checks a declaration and fills in what it left out.
 * @param {Declaration} declaration
 * @returns {Readonly<Figure>}
 * @throws {TypeError} naming the figure and the part that is wrong
 */
export function figure(declaration) {
  const checked = {
    computes: [],
    compares: [],
    cell: [],
    quantities: {},
    prepare: (/** @type {State} */ wanted) => wanted,
    derive: (/** @type {State} */ _state, /** @type {Record<string, any>} */ computed) => computed,
    carries: (/** @type {Data} */ data) => data,
    take: (/** @type {Record<string, number>} */ cell) => cell,
    ...declaration,
  };
  const say = complain(checked.tag);
  if (!TAG.test(checked.tag ?? '')) say(`tag must be lower case with a hyphen, like 'attention-viewer'`);
  if (!checked.summary) say('summary is missing');
  for (const name of ['compute', 'prepare', 'derive', 'carries', 'take', 'view']) {
    if (typeof Reflect.get(checked, name) !== 'function') say(`${name} must be a function`);
  }
  for (const [name, option] of Object.entries(checked.options ?? {})) checkOption(name, option, checked.options, say);
  for (const name of checked.computes) {
    if (!(name in checked.options)) say(`computes names '${name}', which is no option`);
  }
  for (const [name, quantity] of Object.entries(checked.quantities)) checkQuantity(name, quantity, say);
  return Object.freeze(checked);
}

/**
 * @param {string} tag
 * @returns {(problem: string) => never}
 */
function complain(tag) {
  return (problem) => {
    throw new TypeError(`figure '${tag}': ${problem}`);
  };
}

/**
 * @param {string} name
 * @param {Option} option
 * @param {Record<string, Option>} options
 * @param {(problem: string) => never} say
 */
function checkOption(name, option, options, say) {
  if (!NAME.test(name)) say(`option '${name}' is not a plain name`);
  if (!TYPES.includes(option.type)) say(`option '${name}' has type '${option.type}'; known are ${TYPES.join(', ')}`);
  if (!option.help) say(`option '${name}' has no help`);
  if (option.type === 'choice' && !option.choices?.length) say(`option '${name}' is a choice without choices`);
  if (option.required && option.default !== undefined) say(`option '${name}' is required and has a default`);
  if (option.follows !== undefined && !(option.follows in options)) say(`option '${name}' follows '${option.follows}', which is no option`);
}

/**
 * @param {string} name
 * @param {Quantity} quantity
 * @param {(problem: string) => never} say
 */
function checkQuantity(name, quantity, say) {
  if (!NAME.test(name)) say(`quantity '${name}' is not a plain name`);
  if (!UNITS.includes(quantity.unit)) say(`quantity '${name}' has unit '${quantity.unit}'; known are ${UNITS.join(', ')}`);
  if (!quantity.help) say(`quantity '${name}' has no help`);
  if (typeof quantity.value !== 'function') say(`quantity '${name}' has no function 'value'`);
}

/**
 * The options with their defaults: the wishes of an author.
 * @param {Figure} figure
 * @param {State} options
 * @returns {State}
 */
export function withDefaults(figure, options) {
  const wanted = /** @type {State} */ ({});
  for (const [name, option] of Object.entries(figure.options)) wanted[name] = options[name] ?? option.default;
  return wanted;
}

/**
 * Asks a figure for one of its quantities.
 * @param {Figure} figure
 * @param {string} name
 * @param {{data: Data, state: State}} shown
 * @param {any[]} args
 * @param {Record<string, any>} keywords
 * @returns {{value: number|string, unit: Unit, cell: string|null}}
 * @throws {AuthorError} for an unknown name, or arguments that do not fit
 */
export function ask(figure, name, {data, state}, args, keywords) {
  const quantity = Object.hasOwn(figure.quantities, name) ? figure.quantities[name] : undefined;
  if (!quantity) {
    const known = Object.keys(figure.quantities).join(', ') || 'none';
    throw new AuthorError(`${figure.tag} has no quantity '${name}'`, {hint: `it has: ${known}`});
  }
  const {parameters = [], keywords: allowed = []} = quantity;
  const signature = `${name}(${[...parameters, ...allowed.map((key) => `${key}=…`)].join(', ')})`;
  if (args.length !== parameters.length) {
    throw new AuthorError(`${name} takes ${parameters.length} arguments, not ${args.length}`, {hint: signature});
  }
  const unknown = Object.keys(keywords).find((key) => !allowed.includes(key));
  if (unknown !== undefined) throw new AuthorError(`${name} has no argument '${unknown}'`, {hint: signature});
  const {value, cell = null} = quantity.value(data, state, args, keywords);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new AuthorError(`${name} has no finite value here`, {hint: signature});
  return {value, unit: quantity.unit, cell};
}

/**
 * A cell by the names of its numbers.
 * @param {Figure} figure
 * @param {string|null} cell  `2.3.11.9`
 * @returns {Record<string, number>|null} null for what is no cell of this figure
 */
export function cellOf({cell: names}, cell) {
  const numbers = cell?.split('.').map(Number) ?? [];
  if (names.length === 0 || numbers.length !== names.length || !numbers.every(Number.isInteger)) return null;
  return Object.fromEntries(names.map((name, index) => [name, numbers[index]]));
}

/**
 * The greatest absolute difference between the numbers of two nested arrays; Infinity when their shapes differ.
 * @param {any} a
 * @param {any} b
 * @returns {number}
 */
export function deviation(a, b) {
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return Infinity;
    return a.reduce((most, item, index) => Math.max(most, deviation(item, b[index])), 0);
  }
  if (typeof a === 'number' && typeof b === 'number') return Number.isNaN(a - b) ? Infinity : Math.abs(a - b);
  return Infinity;
}

/**
 * @param {Figure} figure
 * @param {Record<string, any>} live
 * @param {Record<string, any>} printed
 * @returns {number} how far the live numbers deviate at most from the printed ones, in what the figure compares
 */
export function difference({compares}, live, printed) {
  return Math.max(0, ...compares.map((name) => deviation(live[name], printed[name])));
}
