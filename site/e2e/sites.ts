import type { Installation } from './installation.ts';

/** How many workers run browser tests side by side: one alone leaves a third of two cores idle. */
export const workers = 2;

/** The installation of one of these workers (from 0): what its tests import, publish or delete is nobody else's. */
export const ofWorker = (worker: number): Installation => ({
  port: 3917 + 10 * worker,
  apiPort: 4917 + 10 * worker,
  dataDir: `.cache/e2e/main-${worker}`,
});

/** The installations that browser tests and the gallery visit: where they listen and where they keep their data. */
export const sites = {
  /** That of the worker which this process is; Playwright counts them. */
  main: ofWorker(Number(process.env.TEST_PARALLEL_INDEX ?? 0)),
  thirdParties: { port: 3919, apiPort: 4919, dataDir: '.cache/e2e/third-parties' },
  gallery: { port: 3918, apiPort: 4918, dataDir: '.cache/e2e/gallery' },
} as const satisfies Record<string, Installation>;

/** Where the gallery's pages are served once more, by a service whose API does not answer. */
export const awayPort = 3920;
/** Where they are served by a service whose API does not answer about comments, and where that API is. */
export const failing = { port: 3921, apiPort: 4921 } as const;
