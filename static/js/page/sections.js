/** Closed sections (`<details>`) open on paper, and for whoever follows a link to something in them, or to their heading. */
import {parseHash} from '../lib/link.js';

/** @type {HTMLDetailsElement[]} */
let opened = [];

addEventListener('beforeprint', () => {
  const closed = [...document.querySelectorAll('details')].filter((section) => !section.open);
  for (const section of closed) section.open = true;
  opened.push(...closed); // a browser may say it twice before it prints
});

addEventListener('afterprint', () => {
  for (const section of opened) section.open = false;
  opened = [];
});

function openLinked() {
  const element = document.getElementById(parseHash(location.hash)?.id ?? anchor(location.hash));
  for (let section = element?.closest('details'); section; section = section.parentElement?.closest('details')) section.open = true;
}

/** @param {string} hash  written by anyone: `#100%` is legal, and no escape */
function anchor(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

addEventListener('popstate', openLinked); // unlike hashchange, also when the same link is followed again
openLinked();
