import astro from 'eslint-plugin-astro';
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
      // Words that the handbook avoids: batch, queue, saved or stored, processed.
      'id-match': [
        'error',
        '^(?!.*((?<![pP]ro)[pP]ortion|[sS]pool|[bB]reathe|Noted$|Kept([A-Z]|$)|^noted$|kept(?!Changed|Voted|Later)[A-Z])).*$',
      ],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    // Rules that need types, and those about accessibility and hooks, are in `.config/oxlint.config.ts`.
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    rules: {
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  ...astro.configs.recommended,
);
