export default {
  extends: 'stylelint-config-standard',
  rules: {
    // A look at the file says more than these about order and blank lines.
    'no-descending-specificity': null,
    'declaration-empty-line-before': null,
    'custom-property-empty-line-before': null,
    'comment-empty-line-before': null,
    'rule-empty-line-before': null,
    'declaration-block-single-line-max-declarations': null,
    'lightness-notation': null,
    'hue-degree-notation': null,
    'alpha-value-notation': null,
    'font-family-no-missing-generic-family-keyword': null, // a variable holds the generic one
    'import-notation': 'url',
    'declaration-no-important': true,
  },
};
