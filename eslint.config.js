import {readdirSync} from 'node:fs';
import js from '@eslint/js';
import globals from 'globals';

const RUNTIME = {group: ['onnxruntime-web*'], message: 'The worker alone knows onnxruntime-web.'};
const NETWORK = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'Worker', 'SharedWorker'];
const figures = readdirSync(new URL('static/js/figures/', import.meta.url)).filter((name) => name.endsWith('.js') && name !== 'all.js');

/**
 * A figure imports packages, `lib` and the files of its own folder, and nothing while it runs.
 * @param {string} file
 */
function apart(file) {
  const tag = file.replace(/\.js$/, '');
  const message = 'Figures import lib and their own folder, never each other.';
  const rules = (/** @type {string} */ own) => ({
    'no-restricted-imports': ['error', {patterns: [RUNTIME, {regex: `^\\.(?!${own})`, message}]}],
    'no-restricted-syntax': ['error', {selector: 'ImportExpression', message}],
  });
  return [
    {files: [`static/js/figures/${tag}.js`], rules: rules(`\\./lib/|/${tag}/`)},
    {files: [`static/js/figures/${tag}/**`], rules: rules('/[^/]+$|\\./\\.\\./lib/')},
  ];
}

export default [
  {ignores: ['.build/', '.venv/', 'node_modules/']},
  js.configs.recommended,
  {
    languageOptions: {ecmaVersion: 2024, sourceType: 'module', globals: globals.browser},
    linterOptions: {reportUnusedDisableDirectives: 'error'},
    rules: {
      eqeqeq: ['error', 'always', {null: 'ignore'}],
      'no-console': ['error', {allow: ['error', 'warn']}],
      'no-eval': 'error',
      'no-implicit-globals': 'error',
      'no-unused-vars': ['error', {argsIgnorePattern: '^_'}],
      'no-var': 'error',
      'prefer-const': 'error',
      'no-restricted-properties': ['error', {property: 'innerHTML', message: 'Typed text is data, never HTML; use lit.'}],
    },
  },
  {files: ['static/js/model/worker.js'], languageOptions: {globals: globals.worker}},
  // The worker alone knows onnxruntime-web, and figures reach the network through `model` alone.
  {
    files: ['static/js/**'],
    ignores: ['static/js/model/worker.js'],
    rules: {'no-restricted-imports': ['error', {patterns: [RUNTIME]}]},
  },
  {
    files: ['static/js/figures/**'],
    rules: {
      'no-restricted-globals': ['error', ...NETWORK],
      'no-restricted-properties': [
        'error',
        {property: 'innerHTML', message: 'Typed text is data, never HTML; use lit.'},
        {property: 'sendBeacon'},
        ...['window', 'globalThis', 'self'].flatMap((object) => NETWORK.map((property) => ({object, property}))),
      ],
    },
  },
  ...figures.flatMap(apart),
  {files: ['static/js/print.js', 'tests/**', '*.config.js'], languageOptions: {globals: globals.node}},
];
