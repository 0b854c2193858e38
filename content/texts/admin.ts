import { buildStepTexts } from './build-steps.ts';

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
    'This page needs JavaScript, which is switched off in this browser. The same can be done in a terminal on the server.',
  ended: 'The admin password is asked for again.',
  failed: 'This did not work. Please try again.',
  loading: 'Loading',
  retry: 'Try again',
} as const;

/** The room that is left on the server’s disk. */
export const diskTexts = {
  titles: { low: 'Low disk space', critical: 'Very low disk space', full: 'The disk is full' },
  room: (free: number, wanted: number) => `${room(free)} are free; builds and backups need up to ${room(wanted)}.`,
  meaning: {
    low: 'The next build or backup may fail.',
    critical: 'Builds and backups fail, and votes may soon be refused. Make room on the server.',
    full: 'Votes are refused, and builds and backups fail. Make room on the server; no restart is needed.',
  },
} as const;

/** Importing polls. */
export const importTexts = {
  heading: 'Import polls',
  text: 'A CSV file adds polls and updates those that are here already, by their id. Votes that were cast here stay on top of the counts in the file.',
  template: 'Download template',
  templateName: 'polls-template.csv',
  file: 'CSV file',
  choose: 'Choose a CSV file, or drop it here',
  limit: 'Up to 20 MB and 50,000 rows',
  fileSize: (bytes: number) =>
    bytes < 1e6 ? `${number(Math.ceil(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`,
  another: 'Press to choose another one.',
  allOrNothing: 'Import nothing if any row is wrong',
  upload: 'Upload CSV',
  sending: 'Sending the file',
  checking: 'Looking through the file',
  writing: 'Importing polls',
  sent: (percent: number) => `${percent}%`,
  notChecked: 'The file was not checked.',
  reasonsListed: 'The reasons are listed below.',
  /** Beside the notification of an upload whose outcome is not known. */
  checkBeforeRetry: 'Check the imports below before you upload the file again; it may have arrived.',
  dryRun: 'Before the upload',
  outcome: 'Result',
  counts: { inserted: 'New', updated: 'Updated', unchanged: 'Unchanged', rejected: 'Rejected rows' },
  wouldCounts: {
    inserted: 'To be added',
    updated: 'To be updated',
    unchanged: 'Left as they are',
    rejected: 'Rejected rows',
  },
  errors: (count: number) => counted(count, 'error', 'errors'),
  warnings: (count: number) => counted(count, 'warning', 'warnings'),
  columns: { line: 'Line', column: 'Column', value: 'Value', reason: 'Reason' },
  none: '–',
  more: (count: number) => `… and ${number(count)} more.`,
  guide: 'CSV format guide',
  required: 'Required columns',
  optional: 'Optional columns',
  guideItems: [
    'The first line names the columns, in any order. Fields are separated by commas; a field with commas, quotes or line breaks stands in double quotes, and a quote inside it is doubled.',
    'id is the name of a poll in its address: letters, digits, hyphens and underscores. The same id updates the same poll.',
    'options is a JSON list of objects, each with id, text and votes. Visitors are offered the first three.',
    'Dates are ISO 8601, such as 2026-03-01T09:00:00Z; without an offset they are UTC.',
    'is_active is true or false. A poll that starts in the future must be active; nobody sees it before its start, so you can import weeks ahead.',
    'tags is a JSON list or a list with commas; country_breakdown is a JSON list of objects with name and percentage.',
    'analysis may have HTML; scripts and frames are taken out, with a warning.',
  ],
  exampleTitle: 'The options of one row',
  example: '[{"id": "yes", "text": "Yes", "votes": 0}, {"id": "no", "text": "No", "votes": 0}]',
} as const;

/** Notifications of the page. */
export const adminToasts = {
  granted: { title: 'Access Granted', text: 'You can import and publish now.' },
  template: { title: 'Template Downloaded', text: 'Fill it in and upload it here.' },
  /** `nothingNew` is what is said where no poll was new or different. */
  uploaded: (imported: number, nothingNew: string) => ({
    title: 'Upload Successful',
    text: imported === 0 ? nothingNew : `${counted(imported, 'poll', 'polls')} imported.`,
  }),
  uploadFailed: { title: 'Upload Failed', text: 'Failed to upload CSV file.' },
  invalidFile: { title: 'Invalid File', text: 'Please select a CSV file.' },
  tooLarge: 'The file is larger than 20 MB. Split it into several files and upload one after the other.',
  failed: 'That did not work',
} as const;

/** Building the site and going back. */
export const publishTexts = {
  heading: 'Publish',
  text: 'The site is built anew by itself after an import, when a poll opens or closes, and when content changes. Readers see the older pages until the new ones are complete.',
  rebuild: 'Rebuild site',
  queued: 'A build begins in a moment.',
  queuedUntil: (moment: string) => `The next build begins at ${moment}, with everything that changes until then.`,
  running: 'The site is being built.',
  idle: 'The site is up to date with the last build.',
  older: 'An older release is served. The next build replaces it.',
  never: 'The site was not built yet.',
  failed: 'The last build failed; the older pages stay.',
  because: (reason: string) => `Reason: ${reason}`,
  steps: buildStepTexts,
  progress: (done: number, total: number) => `${number(done)} of ${number(total)}`,
  log: 'Log',
  outcomes: {
    queued: 'Waiting',
    running: 'Running',
    failed: 'Failed',
    succeeded: (seconds: number) => `Published after ${seconds.toFixed(1)} s`,
  },
  releases: 'Releases',
  noReleases: 'There is no release yet.',
  contents: (pages: number, bytes: number) => `${counted(pages, 'page', 'pages')}, ${(bytes / 1e6).toFixed(1)} MB`,
  current: 'Served now',
  use: 'Serve again',
  useName: (date: string) => `Serve again: release of ${date}`,
  pinned: 'Served now, pinned',
  isPinned:
    'A release is pinned: it is served until you unpin it, and automatic builds wait. Removed polls are still taken out of it.',
  unpin: 'Unpin and rebuild',
} as const;

/** The dialog before an older release is served. */
export const serveAgainTexts = {
  title: 'Serve this release again?',
  text: (date: string) => `Readers see the pages as they were built on ${date}.`,
  removed: 'Polls that were removed since then stay removed.',
  replaced:
    'The next build replaces it, including one that starts automatically: after an import or an edit, or when a poll opens or closes.',
  stays:
    'No build replaces it until you unpin it. Its pages do not follow what changes until then, such as polls that open or close.',
  pin: 'Pin this release',
  cancel: 'Cancel',
  confirm: 'Serve again',
  done: (pinned: boolean) => ({
    title: 'Release served again',
    text: pinned ? 'It is pinned until you unpin it.' : 'The next build replaces it.',
  }),
} as const;

/** Reported comments and featured polls. */
export const moderationTexts = {
  reports: 'Reported comments',
  reportsText: 'What readers told you about. A hidden comment is gone for everybody and stays in this list.',
  noReports: 'No comment was reported.',
  reported: (count: number) => counted(count, 'report', 'reports'),
  on: 'on',
  by: (author: string) => `by ${author}`,
  noReasons: 'No reason was given.',
  hidden: 'Hidden',
  hide: 'Hide',
  show: 'Show again',
  hideName: (author: string) => `Hide: comment by ${author}`,
  showName: (author: string) => `Show again: comment by ${author}`,
  more: (count: number) => `… and ${number(count)} more with older reports.`,
  featured: 'Featured community polls',
  featuredText: 'Public community polls that stand above the list.',
  noFeatured: 'No community poll is featured.',
  address: 'Address of a public community poll',
  addressHint: 'As it stands in the address bar, or the poll’s id alone.',
  noAddress: 'This is not the address of a community poll.',
  feature: 'Feature',
  unfeature: 'Take back',
  unfeatureName: (question: string) => `Take back: ${question}`,
} as const;

/** Bursts of votes. */
export const burstTexts = {
  heading: 'Bursts of votes',
  text: 'Polls that got far more votes in a few minutes than otherwise, in the last 24 hours. Somebody may have shared a poll, or somebody may be stuffing it: look at what was shared before you judge.',
  none: 'No poll had a burst of votes.',
  private: 'A private poll',
  votes: (votes: number, minutes: number) => `${counted(votes, 'vote', 'votes')} in ${minutes} minutes`,
  usual: (usual: number) =>
    usual < 1 ? 'hardly any otherwise' : `about ${number(Math.round(usual))} in as many minutes otherwise`,
  noUsual: 'soon after it opened',
  since: 'Earliest minute looked at:',
} as const;

/** The example in the template. */
export const templatePoll = {
  id: 'example-library-hours',
  question: 'Should the library open on Sundays?',
  description: 'The town library is closed on Sundays. Opening it would cost one weekday evening.',
  options: ['Yes, on Sundays', 'No, keep the weekday evening', 'I do not use the library'],
  category: 'local-issues',
  tags: ['libraries', 'opening hours'],
  author: 'The desk',
} as const;
