// The rules for the scripts of pages. Names of other scripts are checked with the types.
export default [{
  languageOptions: { ecmaVersion: 2023, sourceType: "script" },
  rules: {
    "array-callback-return": "error", "constructor-super": "error", "eqeqeq": "error", "for-direction": "error", "getter-return": "error",
    "no-compare-neg-zero": "error", "no-cond-assign": "error", "no-const-assign": "error", "no-constant-condition": "error",
    "no-dupe-args": "error", "no-dupe-class-members": "error", "no-dupe-else-if": "error", "no-dupe-keys": "error", "no-duplicate-case": "error",
    "no-empty": "error", "no-fallthrough": "error", "no-func-assign": "error", "no-implicit-globals": "off", "no-loss-of-precision": "error",
    "no-self-assign": "error", "no-self-compare": "error", "no-sparse-arrays": "error", "no-template-curly-in-string": "error",
    "no-unreachable": "error", "no-unsafe-finally": "error", "no-unsafe-negation": "error", "no-unused-vars": ["error", { vars: "local" }],
    "no-useless-catch": "error", "no-useless-escape": "error", "no-var": "error", "prefer-const": ["error", { destructuring: "all" }],
    "strict": ["error", "global"], "use-isnan": "error", "valid-typeof": "error",
  },
}];
