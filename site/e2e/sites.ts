import type { Installation } from './installation.ts';

/** The number of parallel workers for browser tests: one alone leaves a third of two cores idle. */
export const workers = 2;

/** The first port; another one lets two checkouts test at the same time. */
const port = Number(process.env.TEST_PORT ?? 3917);
const apiPort = port + 1000;

/** The installation of a worker (from 0), so tests of different workers do not affect each other. */
export const installationOfWorker = (worker: number): Installation => ({
  port: port + 10 * worker,
  apiPort: apiPort + 10 * worker,
  dataDir: `.cache/e2e/main-${worker}`,
});

/** The installations for browser tests and the gallery, with their ports and data folders. */
export const sites = {
  /** That of this worker, numbered by Playwright. */
  main: installationOfWorker(Number(process.env.TEST_PARALLEL_INDEX ?? 0)),
  thirdParties: { port: port + 2, apiPort: apiPort + 2, dataDir: '.cache/e2e/third-parties' },
  /** On `localhost`: passkeys don’t work on an IP address. */
  accounts: { port: port + 5, apiPort: apiPort + 5, dataDir: '.cache/e2e/accounts' },
  /** Sends mail. */
  protection: { port: port + 7, apiPort: apiPort + 7, dataDir: '.cache/e2e/protection' },
  firstDay: { port: port + 6, apiPort: apiPort + 6, dataDir: '.cache/e2e/first-day' },
  gallery: { port: port + 1, apiPort: apiPort + 1, dataDir: '.cache/e2e/gallery' },
} as const satisfies Record<string, Installation>;

/** The port of a site service for the gallery whose API does not respond. */
export const apiDownPort = port + 3;
