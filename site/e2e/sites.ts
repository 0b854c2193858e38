import type { Installation } from './installation.ts';

/** The installations that browser tests and the gallery visit: where they listen and where they keep their data. */
export const sites = {
  main: { port: 3917, apiPort: 4917, dataDir: '.cache/e2e/main' },
  thirdParties: { port: 3919, apiPort: 4919, dataDir: '.cache/e2e/third-parties' },
  gallery: { port: 3918, apiPort: 4918, dataDir: '.cache/e2e/gallery' },
} as const satisfies Record<string, Installation>;

/** Where the gallery's pages are served once more, by a service whose API does not answer. */
export const awayPort = 3920;
