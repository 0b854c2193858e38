import { defineConfig } from 'vitest/config';
import { contractChecks } from './contract-checks.ts';

const root = new URL('..', import.meta.url).pathname;
const exclude = ['**/node_modules/**', 'var/**', '.cache/**'];

export default defineConfig({
  root,
  plugins: [contractChecks()],
  test: {
    exclude,
    // No test is about speed: a busy machine must not fail one.
    testTimeout: 20_000,
    // Tests wait for databases, processes and the disk: three workers keep two cores busy.
    maxWorkers: '150%',
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
          include: ['{api,site,.ci,.deploy}/**/*.http.test.ts'],
          setupFiles: ['./api/testing/cheap-passwords.setup.ts'],
          globalSetup: ['./api/testing/postgres.setup.ts', './api/testing/sqlite.setup.ts'],
          hookTimeout: 30_000,
        },
      },
      { extends: true, test: { name: 'dom', include: ['site/**/*.dom.test.tsx'], environment: 'happy-dom' } },
    ],
  },
});
