import type { BuildStep } from '#contract/publishing.ts';

/** What a build is doing, on the operator's page and in the terminal. */
export const buildStepTexts: Readonly<Record<BuildStep, string>> = {
  snapshot: 'Reading the database',
  bundle: 'Preparing code and styles',
  pages: 'Rendering pages',
  pictures: 'Drawing pictures',
  compress: 'Compressing',
  reuse: 'Taking over unchanged reports',
  switch: 'Publishing',
};
