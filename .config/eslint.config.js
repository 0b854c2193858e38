import astro from 'eslint-plugin-astro';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import project from './eslint/project-rules.js';

export default defineConfig(
  { ignores: ['node_modules/', 'var/', '.cache/', '.code/', '.astro/', '.vitest/', '**/fixtures/**', 'site/public/'] },
  {
    files: ['**/*.{js,mjs,ts,tsx,astro}'],
    plugins: { project },
    rules: {
      'project/imports': 'error',
      'project/import-cycles': 'error',
      'project/live-regions': 'error',
      'project/raw-html': 'error',
      'project/translated-islands': 'error',
      'project/vote-writes': 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    // Rules that need types, and those about accessibility, are in `.config/oxlint.config.ts`.
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    rules: {
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['site/**/*.tsx'],
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.recommended.rules,
    languageOptions: { globals: globals.browser },
  },
  ...astro.configs.recommended,
);
