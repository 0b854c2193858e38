import type { BuildStep } from '#contract/publishing.ts';

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
  overruled: 'An older release was put back in the meantime, so this was not published.',
  pinnedMeanwhile: 'A release was pinned in the meantime, so nothing was published.',
  pinUnknown: (why: string) => `The database could not say whether a release is pinned. ${why}`,
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
  noSuchRelease: (id: string) =>
    `There is no release ${id}. To list available releases, run npm run build -- --releases.`,

  steps: buildStepTexts,
  /** Length of the longest step, to align the progress bars. */
  longestStep: Math.max(...Object.values(buildStepTexts).map(({ length }) => length)),
  bar: '{text} {bar} {value}/{total}',

  reasons: {
    noRelease: 'there is no release yet',
    sourceChanged: 'code, texts, or settings changed',
    otherDatabase: 'the release was published from another database',
    command: 'npm run build',
    takedown: 'removed polls leave older releases',
    returned: 'an earlier release is put back',
    damaged: 'files of the release were damaged',
  },

  published: (id: string, seconds: number) => `Published release ${id} in ${seconds.toFixed(1)} s.`,
  failed: (why: string) => `Nothing new was published; the published release is unchanged. ${why}`,
  waiting: (runner: string) => `Another process (${runner}) is publishing. Waiting for it to finish.`,
  broughtBack: (id: string, pages: number, pinned: boolean) =>
    `Release ${id} (${pages} pages) is live again. ${pinned ? 'It is pinned: nothing will replace it until you run npm run build -- --unpin.' : 'The next publish will replace it.'}`,
  askUse: (id: string, pinned: boolean) =>
    `Readers will see the pages of release ${id} as they were then. Polls removed since then stay removed. ${pinned ? 'It will be pinned: nothing will replace it until you unpin it.' : 'The next publish will replace it (for example, when a poll closes); --pin prevents that.'}\nServe it again? (y/N) `,
  useUnconfirmed: 'Nothing was changed.',
  useNeedsYes: 'This needs confirmation, but there is no terminal: add --yes.',
  pinWithoutUse: '--pin requires --use: npm run build -- --use ID --pin (see --help).',
  pinned: (id: string) =>
    `Release ${id} is pinned, so nothing was published. To unpin it and publish everything since, run npm run build -- --unpin.`,
  notPinned: 'No release is pinned.',
  noReleases: 'There are no releases yet. To create the first one, run npm run build.',
  releaseLine: (release: {
    id: string;
    createdAt: string;
    pages: number;
    bytes: number;
    current: boolean;
    pinned: boolean;
  }) =>
    `${release.current ? '*' : ' '} ${release.id}  ${release.createdAt}  ${release.pages} pages  ${(release.bytes / 1e6).toFixed(1)} MB${release.pinned ? '  pinned' : ''}`,

  buildHelp: `npm run build [-- OPTION]   publish the site now

Builds the code if code, texts, or settings have changed, and renders all pages; otherwise publishes what has changed.

  --force      render every page again and write all files, including unchanged ones
  --releases   list available releases; * marks the live one
  --use ID     serve an older release again, after confirmation; polls removed since then stay removed
  --pin        with --use: nothing replaces it until you unpin it
  --unpin      unpin the pinned release and publish everything since
  --yes        with --use: do not ask
  --help       show this help

Only one process publishes at a time: this one waits for the other and shows its progress.`,
} as const;
