/** Every figure of the book: its tag, and where its code is. A page loads only those that stand on it. */

/** @type {Record<string, () => Promise<{default: import('../lib/figure.js').Figure}>>} */
export const figures = {
  'attention-trace': () => import('./attention-trace.js'),
  'attention-viewer': () => import('./attention-viewer.js'),
  'scale-knob': () => import('./scale-knob.js'),
};
