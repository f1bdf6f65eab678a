/** The script of chapters and embeds: defines the figures that stand on the page. */
import {figures} from './figures/all.js';
import {define} from './lib/figure-element.js';
import {at, pathTo} from './lib/take-over.js';
import './page/sections.js';
import './page/values.js';

document.documentElement.dataset.script = 'runs'; // for the style sheet: figures need not say that they stay as printed

for (const tag of Object.keys(figures)) {
  if (document.querySelector(tag)) start(tag);
}

/**
 * @param {string} tag
 * @param {() => void} [then]
 */
function start(tag, then) {
  figures[tag]().then(
    ({default: figure}) => {
      define(figure);
      then?.();
    },
    (error) => {
      console.error(`the code of <${tag}> could not be loaded`, error);
      startLater(tag);
    },
  );
}

/**
 * The printed figures stay as they are, real values and all, and say so; when touched, or back online, they try again.
 * @param {string} tag
 */
function startLater(tag) {
  const waiting = new AbortController();
  const again = (/** @type {Event} */ {type, target, currentTarget}) => {
    waiting.abort();
    start(tag, type === 'pointerdown' ? touched(/** @type {Element} */ (currentTarget), /** @type {Element} */ (target)) : undefined);
  };
  addEventListener('online', again, waiting);
  for (const element of document.querySelectorAll(tag)) {
    element.addEventListener('pointerdown', again, waiting);
    element.addEventListener('focusin', again, waiting);
    if (element.querySelector(':scope > .quiet')) continue;
    const excuse = document.createElement('p'); // gone when the element draws itself
    excuse.className = 'quiet';
    excuse.setAttribute('role', 'alert');
    excuse.textContent = 'The code of this figure could not be loaded: it stays as printed. Touch it to try again.';
    element.append(excuse);
  }
}

/**
 * What a touch of the printed picture was meant to do, done to the live one. What a browser does by itself, such as opening
 * a drawer, it has done.
 * @param {Element} element
 * @param {Element} target
 */
function touched(element, target) {
  const path = target === element || target.closest('summary, input, textarea, select, a') ? null : pathTo(element, target);
  return () => {
    if ('wake' in element && typeof element.wake === 'function') element.wake({touched: true});
    if (path) at(element, path)?.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
  };
}
