/** The script of chapters and embeds: defines the figures that stand on the page. */
import {figures} from './figures/all.js';
import {define} from './lib/figure-element.js';
import './page/sections.js';
import './page/values.js';

for (const tag of Object.keys(figures)) {
  if (document.querySelector(tag)) start(tag);
}

/** @param {string} tag */
function start(tag) {
  figures[tag]().then(
    ({default: figure}) => define(figure),
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
  const again = () => {
    waiting.abort();
    start(tag);
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
