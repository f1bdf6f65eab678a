/**
 * A value in prose that is pointed at, focused or touched lights up its place in its figure:
 * `<data value="0.8812" data-figure="queen" data-cell="2.3.11.9" tabindex="0">88%</data>`. Pressed, it leads to a figure that is
 * out of sight, and the browser's way back leads to the value again.
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

/** @param {'pointed'|'focused'} how */
function set(how) {
  return (/** @type {Event} */ event) => {
    now[how] = valueAt(event.target);
    update();
  };
}

/** @param {'pointed'|'focused'} how */
function clear(how) {
  return () => {
    now[how] = null;
    update();
  };
}

/** @param {HTMLElement} value */
function lead(value) {
  const figure = document.getElementById(value.dataset.figure ?? '');
  if (!figure || inSight(figure)) return;
  history.pushState({arrived: true}, '', `#${figure.id}`);
  leadTo(figure);
}

document.addEventListener('click', ({target}) => {
  const value = valueAt(target);
  if (value) lead(value);
});
document.addEventListener('keydown', (event) => {
  const value = event.key === 'Enter' ? valueAt(event.target) : null;
  if (value) lead(value);
});
document.addEventListener('pointerover', set('pointed'));
document.addEventListener('pointerout', clear('pointed'));
document.addEventListener('focusin', set('focused'));
document.addEventListener('focusout', clear('focused'));
