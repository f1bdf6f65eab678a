/** Putting the live picture in the place of the printed one, without the reader noticing. */

/**
 * Runs `draw` on an emptied `host`, then gives back focus, selection, what was typed and what was opened, to the elements
 * that stand where the old ones stood. The printed and the drawn picture come from the same code, so that a place (the way
 * down from the host, by number of child) names the same element in both.
 * @param {HTMLElement} host
 * @param {() => void} draw
 */
export function takeOver(host, draw) {
  const focused = host.contains(document.activeElement) ? document.activeElement : null;
  const focusPath = focused && focused !== host ? pathTo(host, focused) : null;
  const typed = [...host.querySelectorAll('input, textarea')].flatMap((field) => keepTyped(host, field));
  const opened = [...host.querySelectorAll('details[open]')].map((details) => pathTo(host, details));
  host.replaceChildren();
  draw();
  for (const path of opened) at(host, path)?.setAttribute('open', '');
  for (const {path, ...kept} of typed) giveBack(at(host, path), kept);
  const heir = focusPath && at(host, focusPath);
  if (heir instanceof HTMLElement || heir instanceof SVGElement) heir.focus({preventScroll: true});
}

/**
 * @param {HTMLElement} host
 * @param {Element} field
 */
function keepTyped(host, field) {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return [];
  const value = field.value === field.defaultValue ? null : field.value; // null: nothing was typed
  if (value === null && field !== document.activeElement) return [];
  return [{path: pathTo(host, field), value, start: field.selectionStart, end: field.selectionEnd, direction: field.selectionDirection}];
}

/**
 * @param {Element|null} field
 * @param {Omit<ReturnType<typeof keepTyped>[number], 'path'>} kept
 */
function giveBack(field, {value, start, end, direction}) {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  if (value !== null) field.value = value;
  if (start !== null) field.setSelectionRange(start, end, direction ?? undefined);
  if (value !== null) field.dispatchEvent(new Event('input', {bubbles: true})); // as if it were typed now
}

/**
 * @param {Element} host
 * @param {Element} element
 * @returns {number[]}
 */
export function pathTo(host, element) {
  const path = [];
  for (let step = element; step !== host && step.parentElement; step = step.parentElement) {
    path.unshift([...step.parentElement.children].indexOf(step));
  }
  return path;
}

/**
 * @param {Element} host
 * @param {number[]} path
 * @returns {Element|null}
 */
export function at(host, path) {
  return path.reduce((/** @type {Element|null} */ step, index) => step?.children[index] ?? null, host);
}
