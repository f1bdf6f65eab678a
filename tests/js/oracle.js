/** Asks Python for the values that JavaScript must agree with. */
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';

/** @returns {{inputs: string[], outputs: string[], config: any, patterns: {tokens: number[], pattern: number[]}[], texts: [string, [number, number, number][]][]}} */
export function askPython() {
  const out = execFileSync('.venv/bin/python', ['-m', 'tests.js.oracle'], {encoding: 'utf8', maxBuffer: 1e9});
  return JSON.parse(out);
}

/** @param {string} name */
export function artifact(name) {
  return new Uint8Array(readFileSync(`model/artifacts/${name}`));
}
