/** Names in `DATA_DIR/builds`; `content/handbook/publishing.md` explains them. */
export const buildFiles = {
  folder: 'builds',
  /** Link to the build that is served. */
  current: 'current',
  /** Files that are being written. */
  drafts: 'drafts',
  /** In the folder of a build: what web servers serve, pages and the files of the code build. */
  client: 'client',
  /** In the folder of a build: the code that renders pages that are not saved. */
  server: 'server',
  serverEntry: 'entry.mjs',
  /** In the folder of a build: its code build, written last. A folder without it is incomplete. */
  facts: 'build.json',
  /** In the folder of a build: present once all its pages were rendered, with a mark that the database has, too. */
  fill: 'filled',
} as const;

/** The file of an address below `client`: `/poll/tea` is `poll/tea.html`, `/` is `index.html`, `/feed.xml` is itself. */
export function fileOf(address: string): string {
  if (address === '/') return 'index.html';
  return /\.[a-z0-9]+$/.test(address) ? address.slice(1) : `${address.slice(1)}.html`;
}

/** Pages below this address are stored with gzip only: there are as many as polls. */
export const compactPages = /^\/poll\/[^/.]+$/;
