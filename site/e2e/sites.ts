import type { Installation } from './installation.ts';

/** The number of parallel workers for browser tests: one alone leaves a third of two cores idle. */
export const workers = 2;

/** The installation of a worker (from 0), so tests of different workers do not affect each other. */
export const installationOfWorker = (worker: number): Installation => ({
  port: 3917 + 10 * worker,
  apiPort: 4917 + 10 * worker,
  dataDir: `.cache/e2e/main-${worker}`,
});

/** The installations for browser tests and the gallery, with their ports and data folders. */
export const sites = {
  /** That of this worker, numbered by Playwright. */
  main: installationOfWorker(Number(process.env.TEST_PARALLEL_INDEX ?? 0)),
  thirdParties: { port: 3919, apiPort: 4919, dataDir: '.cache/e2e/third-parties' },
  gallery: { port: 3918, apiPort: 4918, dataDir: '.cache/e2e/gallery' },
} as const satisfies Record<string, Installation>;

/** The port of a site service for the gallery whose API does not respond. */
export const apiDownPort = 3920;
/** The ports of a site service for the gallery whose API fails for comments, and of that API. */
export const failing = { port: 3921, apiPort: 4921 } as const;
