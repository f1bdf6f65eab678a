/** Arrow keys among buttons that wrap over lines or stand in a grid. */

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

/**
 * Moves focus to the button that an arrow key, Home or End leads to, and chooses it.
 * @param {KeyboardEvent} event  from within a group of buttons, whose element listens
 * @param {string} selector  of the buttons
 * @param {(button: HTMLElement) => void} choose
 */
export function onArrow(event, selector, choose) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const group = event.currentTarget;
  const from = event.target instanceof Element ? event.target.closest(selector) : null;
  if (!(group instanceof HTMLElement) || !(from instanceof HTMLElement)) return;
  const buttons = /** @type {HTMLElement[]} */ ([...group.querySelectorAll(selector)]);
  const here = buttons.indexOf(from);
  const there = target(event.key, here, () => buttons.map((button) => button.getBoundingClientRect()), getComputedStyle(group).direction === 'rtl');
  if (there === null) return;
  event.preventDefault(); // arrows would scroll the page
  if (there === here) return;
  buttons[there].focus();
  choose(buttons[there]);
}

/**
 * Left and right follow the order of reading, on to the next line; up and down go to the nearest button of the next line.
 * @param {string} key
 * @param {number} here  index
 * @param {() => Box[]} boxes  in the order of reading; asked for only when the way depends on where buttons stand
 * @param {boolean} rightToLeft
 * @returns {number|null} an index, `here` itself at an edge; null for a key that means nothing here
 */
export function target(key, here, boxes, rightToLeft) {
  const last = boxes().length - 1;
  switch (key) {
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'ArrowLeft':
    case 'ArrowRight': {
      const step = (key === 'ArrowRight') === rightToLeft ? -1 : 1;
      return Math.min(last, Math.max(0, here + step));
    }
    case 'ArrowUp':
      return beyond(boxes(), here, (box, from) => from.top - box.top);
    case 'ArrowDown':
      return beyond(boxes(), here, (box, from) => box.top - from.top);
    default:
      return null;
  }
}

/**
 * Of the boxes that lie further along than half a box: the nearest line, and in it the box nearest across.
 * @param {Box[]} boxes
 * @param {number} here
 * @param {(box: Box, from: Box) => number} along  px
 */
function beyond(boxes, here, along) {
  const from = boxes[here];
  const line = (from.bottom - from.top) / 2;
  const centre = (from.left + from.right) / 2;
  let best = here;
  let least = Infinity;
  boxes.forEach((box, index) => {
    const distance = along(box, from);
    if (distance < line) return;
    const cost = Math.round(distance / line) * 1e4 + Math.abs((box.left + box.right) / 2 - centre);
    if (cost < least) [best, least] = [index, cost];
  });
  return best;
}
