import { defineConfig } from 'eslint/config';
import untyped from './eslint.config.js';

/**
 * ESLint with the one typed rule that Oxlint lacks. It costs more than all other rules together, so `npm test` leaves it
 * to `npm test -- all`, `npm test -- changed`, and `npm run lint`.
 */
export default defineConfig(...untyped, {
  files: ['**/*.{ts,tsx}'],
  // A script in an .astro file is in no TypeScript program.
  ignores: ['**/*.astro/*.ts'],
  languageOptions: {
    parserOptions: { projectService: true, tsconfigRootDir: new URL('..', import.meta.url).pathname },
  },
  rules: { '@typescript-eslint/no-unsafe-class-instance-assignment': 'error' },
});
