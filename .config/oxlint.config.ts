import { defineConfig } from 'oxlint';
import type { OxlintConfig } from 'oxlint';
import tseslint from 'typescript-eslint';

/**
 * What needs types: the errors of the TypeScript compiler, and rules. Also the accessibility of components, and their hooks.
 * `.config/eslint.config.js` has all other rules.
 */

/** Oxlint does not have it, and with ESLint it costs more than all other rules together. */
const missing = '@typescript-eslint/no-unsafe-class-instance-assignment';

/** All rules of typescript-eslint’s strictest sets that need types, with their options. */
const typedRules: Record<string, unknown> = {};
for (const { rules } of [tseslint.configs.strictTypeCheckedOnly, tseslint.configs.stylisticTypeCheckedOnly].flat())
  for (const [name, setting] of Object.entries(rules ?? {}) as [string, unknown][])
    if (name.startsWith('@typescript-eslint/') && name !== missing)
      typedRules[name.replace('@typescript-eslint/', 'typescript/')] = setting;

/** What `eslint-plugin-react-hooks` recommends. */
const hookRules = `
  rules-of-hooks exhaustive-deps static-components use-memo preserve-manual-memoization incompatible-library immutability
  globals refs set-state-in-effect error-boundaries purity set-state-in-render unsupported-syntax
`
  .trim()
  .split(/\s+/);

/** Those that jsx-a11y recommends. */
const accessibilityRules = `
  alt-text anchor-has-content anchor-is-valid aria-activedescendant-has-tabindex aria-props aria-proptypes aria-role
  aria-unsupported-elements autocomplete-valid click-events-have-key-events heading-has-content html-has-lang
  iframe-has-title img-redundant-alt interactive-supports-focus label-has-associated-control media-has-caption
  mouse-events-have-key-events no-access-key no-autofocus no-distracting-elements
  no-interactive-element-to-noninteractive-role no-noninteractive-element-interactions
  no-noninteractive-element-to-interactive-role no-noninteractive-tabindex no-redundant-roles
  no-static-element-interactions role-has-required-aria-props role-supports-aria-props scope tabindex-no-positive
`
  .trim()
  .split(/\s+/);

export default defineConfig({
  plugins: ['typescript', 'react', 'jsx-a11y'],
  categories: { correctness: 'off' },
  options: {
    typeAware: true,
    typeCheck: true,
    // ESLint reports its own comments that are no longer needed.
    respectEslintDisableDirectives: false,
    reportUnusedDisableDirectives: 'error',
  },
  rules: {
    ...(typedRules as OxlintConfig['rules']),
    'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    'typescript/no-unnecessary-condition': 'off',
  },
  overrides: [
    {
      files: ['**/site/**/*.tsx'],
      rules: {
        ...Object.fromEntries(accessibilityRules.map((name) => [`jsx-a11y/${name}`, 'error'])),
        ...Object.fromEntries(hookRules.map((name) => [`react/${name}`, 'error'])),
        // A list that a script turns into a widget.
        'jsx-a11y/no-noninteractive-element-to-interactive-role': ['error', { ul: ['listbox'], li: ['option'] }],
        'jsx-a11y/no-noninteractive-element-interactions': [
          'error',
          { handlers: ['onClick', 'onMouseDown', 'onMouseUp', 'onKeyPress', 'onKeyDown', 'onKeyUp'] },
        ],
      },
    },
    // They have no types.
    {
      files: ['**/*.{js,mjs}', '**/fixtures/**'],
      rules: Object.fromEntries(Object.keys(typedRules).map((name) => [name, 'off'])),
    },
    {
      files: ['**/*.test.{ts,tsx}', '**/*.e2e.ts', '**/api/testing/**', '**/.ci/bench/**'],
      rules: {
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },
    {
      files: ['**/db/**', '**/api/**/*.queries.ts', '**/api/**/*.service.ts'],
      rules: { 'typescript/no-unsafe-assignment': 'off' },
    },
  ],
});
