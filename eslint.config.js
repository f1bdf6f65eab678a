import js from '@eslint/js';
import globals from 'globals';

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
    rules: {'no-restricted-imports': ['error', {patterns: ['onnxruntime-web*']}]},
  },
  {files: ['static/js/figures/**'], rules: {'no-restricted-globals': ['error', 'fetch', 'XMLHttpRequest', 'WebSocket', 'Worker']}},
  {files: ['static/js/print.js', 'tests/**', '*.config.js'], languageOptions: {globals: globals.node}},
];
