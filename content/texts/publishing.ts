import type { BuildStep } from '#api/publishing/publishing.contract.ts';

/** The steps of a publish, on the admin page and in the terminal. */
export const buildStepTexts: Readonly<Record<BuildStep, string>> = {
  code: 'Preparing code and styles',
  pages: 'Rendering pages',
  publish: 'Publishing',
};

/** Names that a list of changes shows. */
const namesShown = 3;

const named = (what: string, ids: readonly string[]) =>
  ids.length > namesShown ? `${ids.length} ${what}s` : `${what}${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`;

/** Messages about building and publishing, for the operator. */
export const publishingTexts = {
  jobLost: 'Another process took over because this one sent no heartbeat for too long.',
  runnerDied: 'The process that published the site died without reporting an error.',
  stopped: 'Publishing was stopped.',
  diskFull: (folder: string, why: string) =>
    `The disk is full. Free up space on the disk of ${folder}, then publish again. (${why})`,
  notWritable: (folder: string, why: string) =>
    `Something in ${folder} is not writable: it belongs to another user, or the disk is read-only. Fix that, then publish again. (${why})`,
  astroFailed: (why: string) => `The pages could not be rendered: ${why}`,
  generatedFolderRefused: (folder: string, why: string) =>
    `Building the code writes generated files to ${folder}, which is not writable (${why}). Change its owner, or replace the project’s .astro folder with a symlink to a folder in DATA_DIR.`,
  pageFailed: (address: string, why: string) => `The page ${address} could not be rendered: ${why}`,
  manyPolls: 'polls were imported',
  /** What a publish is about, by the kind of change. */
  changed: {
    poll: (ids: readonly string[]) => named('poll', ids),
    report: (ids: readonly string[]) => named('report', ids),
    community: (ids: readonly string[]) => named('community poll', ids),
    related: ([category]: readonly string[]) => `related polls in ${category}`,
    page: (addresses: readonly string[]) => named('page', addresses),
    content: (files: readonly string[]) => `content ${files.join(', ')}`.trim(),
  },
  steps: buildStepTexts,
  /** Length of the longest step, to align the progress bars. */
  longestStep: Math.max(...Object.values(buildStepTexts).map(({ length }) => length)),
  bar: '{text} {bar} {value}/{total}',

  reasons: {
    noPages: 'no page was published yet',
    sourceChanged: 'code, texts, or settings changed',
    otherDatabase: 'the pages were published from another database',
    command: 'npm run build',
    use: (build: string) => `build ${build}`,
  },

  published: (id: string, seconds: number) => `Published with build ${id} in ${seconds.toFixed(1)} s.`,
  failed: (why: string) => `Nothing new was published; the published pages are unchanged. ${why}`,
  waiting: (runner: string) => `Another process (${runner}) is publishing. Waiting for it to finish.`,
  paused:
    'Publishing is paused, so nothing was published. To resume it and publish everything since, run npm run build -- --resume.',
  pausedNow: 'Publishing is paused: until npm run build -- --resume, only removals are published.',
  pausedAlready: 'Publishing is paused already.',
  notPaused: 'Publishing is not paused.',
  pauseAndResume: 'Use either --pause or --resume.',
  usedAlready: (build: string) => `Build ${build} is being served already.`,
  noSuchBuild: (build: string, others: readonly string[]) =>
    `There is no earlier build ${build}. ${others.length === 0 ? 'There are no earlier builds.' : `Earlier builds, the last one first: ${others.join(', ')}.`}`,
  newerSchema: (build: string, applied: string, known: string) =>
    `Build ${build} can’t read the database: the newest migration is ${applied}, and it knows those up to ${known}. To go back further, install its version and restore a backup.`,

  buildHelp: `npm run build [-- OPTION]   publish the site now

Builds the code if code, texts, or settings have changed, and renders all pages; otherwise publishes what has changed.

  --force      render every page again and write all files, including unchanged ones
  --pause      publish only removals until you resume
  --resume     publish everything since the pause
  --use BUILD  go back to the code of an earlier build; its pages are rendered again from today's data
  --help       show this help

Only one process publishes at a time: this one waits for the other and shows its progress.`,
} as const;
