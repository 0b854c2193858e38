/** What building and publishing say, to the operator. */
export const publishingTexts = {
  jobLost: 'Another process took this build over, because this one showed no sign of life for too long.',
  runnerDied: 'The process that built the site ended without a word. The site is built again.',
  stopped: 'The build was stopped. The published site is as it was.',
  steps: {
    snapshot: 'reading the database',
    pages: 'rendering pages',
    compress: 'compressing',
    switch: 'publishing',
  },
} as const;
