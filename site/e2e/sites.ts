/** The installations that browser tests visit: where they listen and where they keep their data. */
export const sites = {
  main: {
    port: 3917,
    apiPort: 4917,
    origin: 'http://127.0.0.1:3917',
    apiOrigin: 'http://127.0.0.1:4917',
    dataDir: '.cache/e2e/main',
  },
} as const;
