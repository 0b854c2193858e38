import { defineConfig } from 'vitest/config';
import { contractChecks } from './contract-checks.ts';

const root = new URL('..', import.meta.url).pathname;
const exclude = ['**/node_modules/**', 'var/**', '.cache/**'];

export default defineConfig({
  root,
  plugins: [contractChecks()],
  test: {
    exclude,
    // No test is about speed: a busy machine is no failure.
    testTimeout: 20_000,
    // Vitest leaves one core alone; of two that is half of them, while tests wait for databases anyway.
    maxWorkers: '100%',
    onConsoleLog(log) {
      throw new Error(`Unexpected console output in a test: ${log}`);
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['{api,site,content,.config,.ci,.deploy}/**/*.test.ts'],
          exclude: [...exclude, '**/*.http.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'http',
          include: ['{api,site,.deploy}/**/*.http.test.ts'],
          globalSetup: ['./api/testing/postgres.setup.ts', './api/testing/sqlite.setup.ts'],
          hookTimeout: 30_000,
        },
      },
      { extends: true, test: { name: 'dom', include: ['site/**/*.dom.test.tsx'], environment: 'happy-dom' } },
    ],
  },
});
