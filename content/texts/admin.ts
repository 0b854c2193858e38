import { buildStepTexts } from './publishing.ts';

const number = (value: number) => value.toLocaleString('en-US');
const room = (bytes: number) =>
  bytes < 1e9 ? `${number(Math.floor(bytes / 1e6))} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;

/** The page, and the form that opens it. */
export const adminTexts = {
  pageTitle: 'Admin',
  description: 'For the operator of this site.',
  locked: 'Admin Access',
  lockedText: 'Enter your admin password to continue',
  password: 'Admin password',
  show: 'Show password',
  noPassword: 'Please enter the password.',
  enter: 'Continue',
  entering: 'Checking',
  unlocked: 'Admin',
  logout: 'Logout',
  contents: 'On this page',
  noScript:
    'This page needs JavaScript, which is switched off in this browser. You can do the same in a terminal on the server.',
  ended: 'Please enter the admin password again.',
  failed: 'That didn’t work. Please try again.',
  loading: 'Loading',
  retry: 'Try again',
} as const;

/** Free space on the server’s disk. */
export const diskTexts = {
  titles: { low: 'Low disk space', critical: 'Very low disk space', full: 'The disk is full' },
  room: (free: number, wanted: number) => `${room(free)} free; builds and backups need up to ${room(wanted)}.`,
  meaning: {
    low: 'The next build or backup may fail.',
    critical: 'Builds and backups are failing, and votes may soon be refused. Free up space on the server.',
    full: 'Votes are being refused, and builds and backups are failing. Free up space on the server; no restart is needed.',
  },
} as const;

/** Importing polls. */
export const importTexts = {
  heading: 'Import polls',
  text: 'A CSV file adds new polls and updates existing ones, matched by id. Votes cast here are kept in addition to the counts in the file.',
  template: 'Download template',
  templateName: 'polls-template.csv',
  file: 'CSV file',
  choose: 'Choose a CSV file, or drop it here',
  limit: 'Up to 20 MB and 50,000 rows',
  fileSize: (bytes: number) =>
    bytes < 1e6 ? `${number(Math.ceil(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`,
  another: 'Press to choose a different file.',
  allOrNothing: 'Import nothing if any row is wrong',
  upload: 'Upload CSV',
  sending: 'Sending the file',
  checking: 'Checking the file',
  writing: 'Importing polls',
  sent: (percent: number) => `${percent}%`,
  notChecked: 'The file was not checked.',
  reasonsListed: 'The reasons are listed below.',
  /** With the notification of an upload whose outcome is unknown. */
  checkBeforeRetry: 'Check the imports below before you upload the file again; it may have gone through.',
  dryRun: 'Before the upload',
  outcome: 'Result',
  counts: { inserted: 'New', updated: 'Updated', unchanged: 'Unchanged', rejected: 'Rejected rows' },
  wouldCounts: {
    inserted: 'Will be added',
    updated: 'Will be updated',
    unchanged: 'Will not change',
    rejected: 'Rejected rows',
  },
  errors: (count: number) => counted(count, 'error', 'errors'),
  warnings: (count: number) => counted(count, 'warning', 'warnings'),
  columns: { line: 'Line', column: 'Column', value: 'Value', reason: 'Reason' },
  none: '–',
  more: (count: number) => `…and ${number(count)} more.`,
  guide: 'CSV format guide',
  required: 'Required columns',
  optional: 'Optional columns',
  guideItems: [
    'The first line names the columns, in any order. Separate fields with commas; put a field that contains commas, quotes, or line breaks in double quotes, and double any quote inside it.',
    'id is the poll’s name in its address: letters, digits, hyphens, and underscores. Importing the same id again updates that poll.',
    'options is a JSON list of objects, each with id, text, and votes. Visitors can choose from the first three.',
    'Dates are ISO 8601, such as 2026-03-01T09:00:00Z. Dates without an offset are UTC.',
    'is_active is true or false. A poll that starts in the future must be active; nobody sees it before it starts, so you can import weeks ahead.',
    'tags is a JSON list or a comma-separated list; country_breakdown is a JSON list of objects with name and percentage.',
    'analysis may contain HTML; scripts and frames are removed, with a warning.',
  ],
  exampleTitle: 'The options of one row',
  example: '[{"id": "yes", "text": "Yes", "votes": 0}, {"id": "no", "text": "No", "votes": 0}]',
} as const;

/** Notifications of the page. */
export const adminToasts = {
  granted: { title: 'Access Granted', text: 'You can now import and publish.' },
  template: { title: 'Template Downloaded', text: 'Fill it out and upload it here.' },
  /** `nothingNew` is the text when no poll was new or different. */
  uploaded: (imported: number, nothingNew: string) => ({
    title: 'Upload Successful',
    text: imported === 0 ? nothingNew : `${counted(imported, 'poll', 'polls')} imported.`,
  }),
  uploadFailed: { title: 'Upload Failed', text: 'Failed to upload CSV file.' },
  invalidFile: { title: 'Invalid File', text: 'Please select a CSV file.' },
  tooLarge: 'The file is larger than 20 MB. Split it into several files and upload them one at a time.',
  failed: 'That didn’t work',
} as const;

/** Building the site and going back. */
export const publishTexts = {
  heading: 'Publish',
  text: 'The site rebuilds automatically after an import, when a poll opens or closes, and when content changes. Readers see the old pages until the new ones are ready.',
  rebuild: 'Rebuild site',
  queued: 'A build will start in a moment.',
  queuedUntil: (moment: string) =>
    `The next build starts at ${moment} and includes everything that changes until then.`,
  running: 'The site is being built.',
  idle: 'The site is up to date.',
  older: 'An older release is being served. The next build will replace it.',
  never: 'The site hasn’t been built yet.',
  failed: 'The last build failed; the old pages are still being served.',
  because: (reason: string) => `Reason: ${reason}`,
  steps: buildStepTexts,
  progress: (done: number, total: number) => `${number(done)} of ${number(total)}`,
  log: 'Log',
  outcomes: {
    queued: 'Waiting',
    running: 'Running',
    failed: 'Failed',
    succeeded: (seconds: number) => `Published in ${seconds.toFixed(1)} s`,
  },
  releases: 'Releases',
  noReleases: 'There are no releases yet.',
  contents: (pages: number, bytes: number) => `${counted(pages, 'page', 'pages')}, ${(bytes / 1e6).toFixed(1)} MB`,
  current: 'Live now',
  use: 'Serve again',
  useName: (date: string) => `Serve again: release of ${date}`,
  pinned: 'Live now, pinned',
  isPinned:
    'A release is pinned: it stays live until you unpin it, and automatic builds wait. Removed polls are still taken out of it.',
  unpin: 'Unpin and rebuild',
} as const;

/** The dialog that confirms serving an older release. */
export const serveAgainTexts = {
  title: 'Serve this release again?',
  text: (date: string) => `Readers will see the pages as they were built on ${date}.`,
  removed: 'Polls removed since then stay removed.',
  replaced:
    'The next build will replace it, including one that starts automatically: after an import or an edit, or when a poll opens or closes.',
  stays:
    'No build will replace it until you unpin it. Until then, its pages won’t show changes such as polls opening or closing.',
  pin: 'Pin this release',
  cancel: 'Cancel',
  confirm: 'Serve again',
  done: (pinned: boolean) => ({
    title: 'Release served again',
    text: pinned ? 'It’s pinned until you unpin it.' : 'The next build will replace it.',
  }),
} as const;

/** Reported comments and featured polls. */
export const moderationTexts = {
  reports: 'Reported comments',
  reportsText: 'Comments that readers reported. Hiding a comment hides it from everyone, but it stays in this list.',
  noReports: 'No comments have been reported.',
  reported: (count: number) => counted(count, 'report', 'reports'),
  on: 'on',
  by: (author: string) => `by ${author}`,
  noReasons: 'No reason given.',
  hidden: 'Hidden',
  hide: 'Hide',
  show: 'Show again',
  hideName: (author: string) => `Hide: comment by ${author}`,
  showName: (author: string) => `Show again: comment by ${author}`,
  more: (count: number) => `… and ${number(count)} more with older reports.`,
  featured: 'Featured community polls',
  featuredText: 'Public community polls shown above the list.',
  noFeatured: 'No community polls are featured.',
  address: 'Address of a public community poll',
  addressHint: 'The address from the address bar, or just the poll’s id.',
  noAddress: 'This isn’t the address of a community poll.',
  feature: 'Feature',
  unfeature: 'Unfeature',
  unfeatureName: (question: string) => `Unfeature: ${question}`,
} as const;

/** Bursts of votes. */
export const burstTexts = {
  heading: 'Bursts of votes',
  text: 'Polls that got far more votes than usual within a few minutes in the last 24 hours. Someone may have shared the poll, or someone may be stuffing the ballot: check where it was shared before you decide.',
  none: 'No bursts of votes.',
  private: 'A private poll',
  votes: (votes: number, minutes: number) => `${counted(votes, 'vote', 'votes')} in ${minutes} minutes`,
  usual: (usual: number) =>
    usual < 1 ? 'hardly any normally' : `about ${number(Math.round(usual))} in the same time normally`,
  noUsual: 'soon after it opened',
  since: 'Checked since:',
} as const;

/** The example in the template. */
export const templatePoll = {
  id: 'example-library-hours',
  question: 'Should the library open on Sundays?',
  description: 'The town library is closed on Sundays. Opening it would cost one weekday evening.',
  options: ['Yes, on Sundays', 'No, keep the weekday evening', 'I don’t use the library'],
  category: 'local-issues',
  tags: ['libraries', 'opening hours'],
  author: 'The editors',
} as const;
