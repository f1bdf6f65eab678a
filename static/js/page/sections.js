/** Closed sections (`<details>`) open on paper, and for whoever follows a link to their heading. */

/** @type {HTMLDetailsElement[]} */
let opened = [];

addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details')].filter((section) => !section.open);
  for (const section of opened) section.open = true;
});

addEventListener('afterprint', () => {
  for (const section of opened) section.open = false;
});

// Browsers themselves open a section for a link to something inside it, but not for one to its heading.
function openLinked() {
  const id = decodeURIComponent(location.hash.slice(1));
  const section = id && document.getElementById(id)?.closest('summary')?.parentElement;
  if (section instanceof HTMLDetailsElement) section.open = true;
}

addEventListener('hashchange', openLinked);
openLinked();
