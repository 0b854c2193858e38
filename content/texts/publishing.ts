/** What building and publishing say, to the operator. */
export const publishingTexts = {
  jobLost: 'Another process took this build over, because this one showed no sign of life for too long.',
  runnerDied: 'The process that built the site ended without a word. The site is built again.',
  stopped: 'The build was stopped. The published site is as it was.',
  astroFailed: (why: string) => `The pages could not be rendered: ${why}`,
  noSuchRelease: (id: string) =>
    `There is no release "${id}". "npm run build -- --releases" lists those that are kept.`,
  steps: {
    snapshot: 'reading the database',
    pages: 'rendering pages',
    compress: 'compressing',
    switch: 'publishing',
  },
  reasons: {
    noRelease: 'there is no release yet',
    sourceChanged: 'code, content or settings changed',
    otherDatabase: 'the release was made from another database',
    command: 'npm run build',
  },
} as const;
