import astro from 'eslint-plugin-astro';
import a11y from 'eslint-plugin-jsx-a11y-x';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import project from './eslint/project-rules.js';

const root = new URL('..', import.meta.url).pathname;

export default defineConfig(
  { ignores: ['node_modules/', 'var/', '.cache/', '.code/', '.astro/', '.vitest/', '**/fixtures/**', 'site/public/'] },
  {
    files: ['**/*.{js,mjs,ts,tsx,astro}'],
    plugins: { project },
    rules: {
      'project/imports': 'error',
      'project/import-cycles': 'error',
      'project/raw-html': 'error',
      'project/vote-writes': 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: root } },
    rules: {
      'project/types': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
    },
  },
  {
    files: ['site/**/*.tsx'],
    plugins: { 'react-hooks': reactHooks, 'jsx-a11y-x': a11y },
    rules: { ...reactHooks.configs.recommended.rules, ...(a11y.configs.recommended?.rules ?? {}) },
    languageOptions: { globals: globals.browser },
  },
  ...astro.configs.recommended,
  // A script in an .astro file is in no TypeScript program. With rules that need one, it can't be parsed, which is not reported.
  { files: ['**/*.astro/*.ts'], extends: [tseslint.configs.disableTypeChecked], rules: { 'project/types': 'off' } },
  {
    files: ['**/*.test.{ts,tsx}', '**/*.e2e.ts', 'api/testing/**', '.ci/bench/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['db/**', 'api/**/*.queries.ts', 'api/**/*.service.ts'],
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
);
