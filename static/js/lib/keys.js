/** Arrow keys among buttons that wrap over lines or stand in a grid. */

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

/**
 * Moves focus to the button that an arrow key, Home or End leads to, and chooses it.
 * @param {KeyboardEvent} event  from within a group of buttons, whose element listens
 * @param {string} selector  of the buttons
 * @param {typeof inLines|typeof inGrid} way
 * @param {(button: HTMLElement) => void} choose
 */
export function onArrow(event, selector, way, choose) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const group = event.currentTarget;
  const from = event.target instanceof Element ? event.target.closest(selector) : null;
  if (!(group instanceof HTMLElement) || !(from instanceof HTMLElement)) return;
  const buttons = /** @type {HTMLElement[]} */ ([...group.querySelectorAll(selector)]);
  const here = buttons.indexOf(from);
  const boxes = () => buttons.map((button) => button.getBoundingClientRect());
  const there = way(event.key, {here, count: buttons.length, boxes, rightToLeft: getComputedStyle(group).direction === 'rtl'});
  if (there === null) return;
  event.preventDefault(); // arrows would scroll the page
  if (there === here) return;
  buttons[there].focus();
  choose(buttons[there]);
}

/**
 * @typedef {object} Place
 * @property {number} here  index
 * @property {number} count
 * @property {() => Box[]} boxes  in the order of the document; asked for only when the way depends on where buttons stand
 * @property {boolean} rightToLeft
 */

/**
 * Among the words of a text: left and right follow the order of reading, on to the next line; up and down go to the nearest
 * button of the next line.
 * @param {string} key
 * @param {Place} place
 * @returns {number|null} an index, `here` itself at an edge; null for a key that means nothing here
 */
export function inLines(key, {here, count, boxes, rightToLeft}) {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowRight': {
      const step = (key === 'ArrowRight') === rightToLeft ? -1 : 1;
      return Math.min(count - 1, Math.max(0, here + step));
    }
    default:
      return inGrid(key, {here, count, boxes, rightToLeft});
  }
}

/**
 * Among buttons in rows and columns, whichever of the two the document goes through first: every arrow goes where it points.
 * @param {string} key
 * @param {Place} place
 * @returns {number|null} as above
 */
export function inGrid(key, {here, count, boxes}) {
  switch (key) {
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'ArrowLeft':
      return beyond(boxes().map(turned), here, -1);
    case 'ArrowRight':
      return beyond(boxes().map(turned), here, 1);
    case 'ArrowUp':
      return beyond(boxes(), here, -1);
    case 'ArrowDown':
      return beyond(boxes(), here, 1);
    default:
      return null;
  }
}

/** Across becomes down. @param {Box} box @returns {Box} */
function turned({left, right, top, bottom}) {
  return {left: top, right: bottom, top: left, bottom: right};
}

/**
 * Of the boxes that lie further down (or up) than half a box: the nearest line, and in it the box nearest across.
 * @param {Box[]} boxes
 * @param {number} here
 * @param {1|-1} sense  1 down, -1 up
 */
function beyond(boxes, here, sense) {
  const from = boxes[here];
  const line = (from.bottom - from.top) / 2;
  const centre = (from.left + from.right) / 2;
  let best = here;
  let least = Infinity;
  boxes.forEach((box, index) => {
    const distance = sense * (box.top - from.top);
    if (distance < line) return;
    const cost = Math.round(distance / line) * 1e4 + Math.abs((box.left + box.right) / 2 - centre);
    if (cost < least) [best, least] = [index, cost];
  });
  return best;
}
