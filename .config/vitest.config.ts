import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { contractChecks, contractConstants } from './contracts-in-browser.ts';

const root = new URL('..', import.meta.url).pathname;
const exclude = ['**/node_modules/**', 'var/**', '.cache/**'];
const pure = '{api,site,content,.config,.ci,.deploy}/**/*.test.ts';
const http = '{api,site,.ci,.deploy}/**/*.http.test.ts';
/** Tests that replace modules: they need modules of their own. The others share those of their worker, a third faster. */
const mocking = globSync(pure, { cwd: root, exclude }).filter((file) =>
  readFileSync(`${root}${file}`, 'utf8').includes('vi.mock('),
);
const withDatabases = {
  setupFiles: ['./api/testing/cheap-passwords.setup.ts'],
  globalSetup: ['./api/testing/postgres.setup.ts', './api/testing/sqlite.setup.ts'],
  hookTimeout: 60_000,
};

export default defineConfig({
  root,
  plugins: [contractChecks()],
  test: {
    exclude,
    // No test is about speed: a busy machine must not fail one.
    testTimeout: 120_000,
    expect: { poll: { timeout: 20_000, interval: 20 } },
    // Tests wait for databases, processes, and the disk: three workers keep two cores busy. Vitest reads a percentage
    // above 100 as 100.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Room for young objects: a tenth of the time of tests went into collecting and moving them.
    execArgv: ['--max-semi-space-size=64'],
    onConsoleLog(log) {
      throw new Error(`Unexpected console output in a test: ${log}`);
    },
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: [pure], exclude: [...exclude, http, ...mocking], isolate: false },
      },
      {
        extends: true,
        test: { name: 'http', include: [http], exclude: [...exclude, ...mocking], isolate: false, ...withDatabases },
      },
      { extends: true, test: { name: 'mocking', include: mocking, ...withDatabases } },
      {
        extends: true,
        plugins: [contractConstants()],
        test: {
          name: 'dom',
          include: ['site/**/*.dom.test.tsx'],
          environment: 'happy-dom',
          setupFiles: ['./api/testing/dom-queries.setup.ts'],
        },
      },
    ],
  },
});
