import type { BuildStep } from '#contract/publishing.ts';

/** The steps of a build, on the admin page and in the terminal. */
export const buildStepTexts: Readonly<Record<BuildStep, string>> = {
  snapshot: 'Reading the database',
  bundle: 'Preparing code and styles',
  pages: 'Rendering pages',
  pictures: 'Drawing pictures',
  compress: 'Compressing',
  reuse: 'Reusing unchanged reports',
  switch: 'Publishing',
};
