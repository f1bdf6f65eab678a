/** What wakes a figure: the reader coming near, or touching it. */

/** Pointing and focusing come before a click, so that the click finds the live picture. */
export const TOUCHES = ['pointerover', 'focusin'];

/** @type {IntersectionObserver|undefined} */
let observer;

/** One observer for all figures of the page; "near" is one screen away. */
export function nearViewport() {
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

/** Whether the reader has asked the browser to save data. */
export function savesData() {
  const {connection} = /** @type {Navigator & {connection?: {saveData?: boolean}}} */ (navigator);
  return connection?.saveData === true;
}
