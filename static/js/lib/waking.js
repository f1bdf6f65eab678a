/** What wakes a figure: the reader coming near, or touching it. */

/** Pointing and focusing come before a click, so that the click finds the live picture. */
const TOUCHES = ['pointerover', 'focusin'];

/** @type {IntersectionObserver|undefined} */
let observer;

/** One observer for all figures of the page; "near" is one screen away. */
function nearViewport() {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const {isIntersecting, target} of entries) {
        if (!isIntersecting || !('wake' in target) || typeof target.wake !== 'function') continue;
        observer?.unobserve(target);
        target.wake({touched: false});
      }
    },
    {rootMargin: '100% 0px'},
  );
  return observer;
}

/**
 * @param {HTMLElement & EventListenerObject} element  hears of touches
 * @param {{near: boolean}} what  whether the reader's coming near wakes it too
 */
export function waitFor(element, {near}) {
  for (const touch of TOUCHES) element.addEventListener(touch, element);
  if (near) nearViewport().observe(element);
}

/** @param {HTMLElement & EventListenerObject} element */
export function stopWaiting(element) {
  nearViewport().unobserve(element);
  for (const touch of TOUCHES) element.removeEventListener(touch, element);
}

/** Whether the reader has asked the browser to save data. */
export function savesData() {
  const {connection} = /** @type {Navigator & {connection?: {saveData?: boolean}}} */ (navigator);
  return connection?.saveData === true;
}
