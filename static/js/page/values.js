/**
 * A value in prose that is pointed at, focused or touched lights up its place in its figure:
 * `<data value="0.8812" data-figure="queen" data-cell="2.3.11.9" tabindex="0">88%</data>`. Pressed, its place becomes what
 * the reader has chosen in the figure; it leads to a figure that is out of sight, and the browser's way back leads to it again.
 */
import {inSight, leadTo} from '../lib/link.js';

/** @type {{pointed: HTMLElement|null, focused: HTMLElement|null, lit: HTMLElement|null}} */
const now = {pointed: null, focused: null, lit: null};

/** @param {EventTarget|null} target */
function valueAt(target) {
  const value = target instanceof Element ? target.closest('data[data-figure][data-cell]') : null;
  return value instanceof HTMLElement ? value : null;
}

/**
 * @param {HTMLElement|null} value
 * @param {string|null} cell
 */
function light(value, cell) {
  const figure = value && document.getElementById(value.dataset.figure ?? '');
  if (!figure) return;
  if ('light' in figure && typeof figure.light === 'function') figure.light(cell);
  else if (cell !== null) {
    // Its code is still on the way.
    void customElements.whenDefined(figure.localName).then(() => {
      if (now.lit === value) light(value, cell);
    });
  }
}

/** What is pointed at goes before what has the focus. */
function update() {
  const wanted = now.pointed ?? now.focused;
  if (wanted === now.lit) return;
  light(now.lit, null);
  now.lit = wanted;
  light(wanted, wanted?.dataset.cell ?? null);
}

/**
 * @param {'pointed'|'focused'} how
 * @param {HTMLElement|null} value
 */
function set(how, value) {
  now[how] = value;
  update();
}

/** As long as it takes to press what the light showed, in ms: the figure must not change under the finger. */
const PRESS = 500;

/** @param {FocusEvent} event */
function blurred({target, relatedTarget}) {
  const value = valueAt(target);
  if (!value) return;
  const clear = () => {
    if (now.focused === value) set('focused', null);
  };
  const figure = document.getElementById(value.dataset.figure ?? '');
  if (relatedTarget instanceof Node && figure?.contains(relatedTarget)) setTimeout(clear, PRESS);
  else clear();
}

/** @param {HTMLElement} value */
function lead(value) {
  const figure = document.getElementById(value.dataset.figure ?? '');
  if (!figure) return;
  if ('take' in figure && typeof figure.take === 'function') figure.take(value.dataset.cell);
  if (inSight(figure)) return;
  history.pushState({arrived: true}, '', `#${figure.id}`);
  dispatchEvent(new PopStateEvent('popstate')); // whoever follows the address hears of it
  leadTo(figure);
}

for (const value of document.querySelectorAll('data[data-figure][data-cell]')) value.setAttribute('role', 'link');
document.addEventListener('click', ({target}) => {
  const value = valueAt(target);
  if (value) lead(value);
});
document.addEventListener('keydown', (event) => {
  const value = event.key === 'Enter' ? valueAt(event.target) : null;
  if (value) lead(value);
});
document.addEventListener('pointerover', ({target}) => set('pointed', valueAt(target)));
document.addEventListener('pointerout', () => set('pointed', null));
document.addEventListener('focusin', ({target}) => {
  const value = valueAt(target);
  if (value) set('focused', value);
});
document.addEventListener('focusout', blurred);
