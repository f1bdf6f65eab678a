import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {test} from 'node:test';

const ROOT = new URL('../../', import.meta.url);

/** The text of all files below a folder whose names end so. */
function sources(folder, ending) {
  const files = readdirSync(new URL(folder, ROOT), {recursive: true}).filter((name) => name.endsWith(ending));
  return files.map((name) => readFileSync(new URL(`${folder}/${name}`, ROOT), 'utf8')).join('\n');
}

test('every class of the style sheets stands somewhere in the markup', () => {
  const markup = sources('templates', '.html') + sources('static/js', '.js') + sources('app', '.py');
  const sheets = readdirSync(new URL('static/css/', ROOT)).filter((name) => name !== 'code.css'); // its classes are Pygments'
  const classes = sheets.flatMap((name) => {
    const css = readFileSync(new URL(`static/css/${name}`, ROOT), 'utf8').replace(/\/\*[^]*?\*\/|"[^"]*"|url\([^)]*\)/g, '');
    return [...css.matchAll(/\.([a-z][a-z0-9-]*)/g)].map(([, found]) => found);
  });
  const made = /^(ramp-\d+|align-(center|right))$/; // names put together of parts
  const unknown = [...new Set(classes)].filter((found) => !made.test(found) && !new RegExp(`(?<![\\w-])${found}(?![\\w-])`).test(markup));
  assert.deepEqual(unknown, []);
});
