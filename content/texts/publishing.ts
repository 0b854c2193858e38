import { buildStepTexts } from './build-steps.ts';

/** What building and publishing say, to the operator. */
export const publishingTexts = {
  jobLost: 'Another process took this build over, because this one showed no sign of life for too long.',
  runnerDied: 'The process that built the site ended without a word. The site is built again.',
  stopped: 'The build was stopped.',
  overruled:
    'A release was served again meanwhile, so this build was not published. Rebuild the site when its news are to be shown.',
  pollsRemoved: 'Polls were removed while this build ran, so it was restarted without them.',
  pinnedMeanwhile: 'A release was pinned meanwhile, so this build was not published.',
  neverBegan: (why: string) => `The build could not begin: ${why}`,
  diskFull: (folder: string, why: string) =>
    `The disk is full. Free some space where ${folder} is, then rebuild the site. (${why})`,
  notWritable: (folder: string, why: string) =>
    `Something in ${folder} cannot be written: it belongs to another user, or the disk is read-only. Correct that, then rebuild the site. (${why})`,
  astroFailed: (why: string) => `The pages could not be rendered: ${why}`,
  generatedFolderRefused: (folder: string, why: string) =>
    `The build writes what it generates into ${folder}, but nothing can be written there (${why}). Change its owner, or make ".astro" of the project a link to a folder in DATA_DIR.`,
  noSuchRelease: (id: string) =>
    `There is no release "${id}". "npm run build -- --releases" lists those that are kept.`,

  steps: buildStepTexts,
  /** Characters of the longest step, so that the bars stand below each other. */
  longestStep: Math.max(...Object.values(buildStepTexts).map(({ length }) => length)),
  bar: '{text} {bar} {value}/{total}',

  reasons: {
    noRelease: 'there is no release yet',
    sourceChanged: 'code, content or settings changed',
    contentChanged: 'content changed',
    otherDatabase: 'the release was made from another database',
    command: 'npm run build',
    unpinned: 'a release was unpinned',
  },

  published: (id: string, seconds: number) => `Published release ${id} after ${seconds.toFixed(1)} s.`,
  failed: (why: string) => `The site was not built; the published release is as it was. ${why}`,
  waiting: (runner: string) => `Another process (${runner}) is building the site; waiting for it.`,
  broughtBack: (id: string, pages: number, pinned: boolean) =>
    `Release ${id} (${pages} pages) is served again. ${pinned ? 'It is pinned: no build replaces it until "npm run build -- --unpin".' : 'The next build replaces it.'}`,
  askUse: (id: string, pinned: boolean) =>
    `Readers will see the pages of release ${id} as they were then; polls that were removed since stay removed. ${pinned ? 'It is pinned: no build replaces it until it is unpinned.' : 'The next build replaces it, including one that starts automatically, for example when a poll closes; --pin prevents that.'}\nServe it again? (y/N) `,
  useUnconfirmed: 'Nothing was changed.',
  useNeedsYes: 'There is no terminal to confirm this in: add --yes.',
  pinWithoutUse: '--pin belongs to a release: npm run build -- --use ID --pin (--help shows all).',
  pinned: (id: string) =>
    `Release ${id} is pinned, so nothing is built. "npm run build -- --unpin" unpins it and builds the site.`,
  pinUnknown: (why: string) => `The database could not say whether a release is pinned. ${why}`,
  notPinned: 'No release is pinned.',
  noReleases: 'There is no release yet. "npm run build" makes the first one.',
  releaseLine: (release: {
    id: string;
    createdAt: string;
    pages: number;
    bytes: number;
    current: boolean;
    pinned: boolean;
  }) =>
    `${release.current ? '*' : ' '} ${release.id}  ${release.createdAt}  ${release.pages} pages  ${(release.bytes / 1e6).toFixed(1)} MB${release.pinned ? '  pinned' : ''}`,

  buildHelp: `npm run build [-- OPTION]   build the site from the database and publish it

  --force      render every page again, also those that have not changed
  --releases   list the releases that are kept; the one that is served has a star
  --use ID     serve an older release again, after asking; polls that were removed since stay removed
  --pin        with --use: no build replaces it until it is unpinned
  --unpin      unpin the release and build the site
  --yes        with --use: do not ask
  --help       this text

"npm run publish" does the same. One build runs at a time, whoever asks: while another process builds, this one waits and shows its progress.`,
} as const;
