import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {ESLint} from 'eslint';

const eslint = new ESLint({cwd: fileURLToPath(new URL('../../', import.meta.url))});
const FIGURE = 'static/js/figures/attention-viewer.js';
const INSIDE = 'static/js/figures/attention-viewer/words.js';

/** Names of the rules that a line breaks where it stands. */
async function broken(code, filePath) {
  const [{messages}] = await eslint.lintText(`${code}\n`, {filePath});
  return messages.map(({ruleId}) => ruleId).filter((rule) => rule?.startsWith('no-restricted'));
}

test('the lint keeps figures apart from each other, from the network and from the runtime', async () => {
  for (const [code, file] of [
    ["import './other-figure.js';", FIGURE],
    ["import './other-figure/words.js';", FIGURE],
    ["import '../model/session.js';", FIGURE],
    ["import '../other-figure.js';", INSIDE],
    ["import '../other-figure/words.js';", INSIDE],
    ["import '../../model/session.js';", INSIDE],
    ["import 'onnxruntime-web/wasm';", INSIDE],
    ["import 'onnxruntime-web';", 'static/js/model/session.js'],
    ["import 'onnxruntime-web';", 'static/js/lib/figure.js'],
    ["void import('./other-figure.js');", FIGURE],
    ["void fetch('/');", INSIDE],
    ["void globalThis.fetch('/');", FIGURE],
    ["navigator.sendBeacon('/');", FIGURE],
    ["document.body.innerHTML = '';", INSIDE],
  ]) {
    assert.equal((await broken(code, file)).length, 1, `${file}: ${code}`);
  }
});

test('the lint lets a figure have what is its own', async () => {
  for (const [code, file] of [
    ["import 'lit'; import '../lib/figure.js'; import './attention-viewer/words.js';", FIGURE],
    ["import './cells.js'; import '../../lib/weight-scale.js';", INSIDE],
    ["import 'onnxruntime-web/wasm';", 'static/js/model/worker.js'],
    ["void import('./attention-viewer.js');", 'static/js/figures/all.js'],
  ]) {
    assert.deepEqual(await broken(code, file), [], `${file}: ${code}`);
  }
});
