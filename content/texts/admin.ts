import type { ImportOrigin, ImportState } from '#api/polls/import/poll-import.contract.ts';

const number = (value: number) => value.toLocaleString('en-US');
const room = (bytes: number) =>
  bytes < 1e9 ? `${number(Math.floor(bytes / 1e6))} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;
const polls = (count: number) => counted(count, 'poll', 'polls');

/** The page, and the form that opens it. */
export const adminTexts = {
  pageTitle: (page: string) => `${page} · Admin`,
  description: 'For the operator of this site.',
  locked: 'Admin Access',
  lockedText: 'Enter your admin password to continue',
  password: 'Admin password',
  show: 'Show password',
  noPassword: 'Please enter the password.',
  enter: 'Continue',
  entering: 'Checking',
  logout: 'Logout',
  pages: 'Admin pages',
  noScript:
    'This page needs JavaScript, which is switched off in this browser. You can do the same in a terminal on the server.',
  ended: 'Please sign in again.',
  failed: 'That didn’t work. Please try again.',
  loading: 'Loading',
  retry: 'Try again',
} as const;

/** Earlier versions of texts and polls. */
export const versionTexts = {
  restore: 'Restore',
  restoreName: (when: string) => `Restore the version of ${when}`,
  restored: 'Version Restored',
  noDifference: 'There is no difference.',
} as const;

/** Free space on the server’s disk. */
export const diskTexts = {
  titles: { low: 'Low disk space', critical: 'Very low disk space', full: 'The disk is full' },
  room: (free: number, wanted: number) => `${room(free)} free; publishing and backups need up to ${room(wanted)}.`,
  meaning: {
    low: 'The next publish or backup may fail.',
    critical: 'Publishing and backups are failing, and votes may soon be refused. Free up space on the server.',
    full: 'Votes are being refused, and publishing and backups are failing. Free up space on the server; no restart is needed.',
  },
} as const;

/** Importing polls. */
export const importTexts = {
  heading: 'Import polls',
  text: 'A file adds new polls and updates existing ones, matched by id. Votes cast here count in addition to those in the file.',
  template: 'Download template',
  templateName: 'polls-template.csv',
  choose: 'Choose a CSV file or a workbook, or drop it here',
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
    'Dates are ISO 8601, such as 2026-03-01T09:00:00Z. Without an offset, they are in the site’s time zone. A date without a time is the beginning of its day, or as an end its last minute, 23:59.',
    'is_active is true or false. A poll that starts in the future must be active; nobody sees it before it starts, so you can import weeks ahead.',
    'tags is a JSON list or a comma-separated list; country_breakdown is a JSON list of objects with name and percentage.',
    'analysis may contain HTML; scripts and frames are removed, with a warning.',
    'series is a name shared by polls that ask the same question again; their reports show how opinion moved.',
    'source, sample, field_dates, mode, sponsor, license, and link say where imported answers come from, as far as you know; the report shows them.',
    'series_note is about one poll of a series, and is shown below the chart of the series.',
    'publish_ballots is true (the default) or false. It can’t change once the poll has opened.',
    'protection is what votes need: browser (the default), check, email, or members. Once the poll has opened, change it in the editor.',
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

/** Lists that have pages. */
export const pagesTexts = {
  previous: 'Previous',
  next: 'Next',
  place: (page: number, pages: number) => `Page ${number(page)} of ${number(pages)}`,
} as const;

/** Past imports, and undoing them. */
export const historyTexts = {
  heading: 'Imports',
  text: 'Every import, from this page or a terminal. You can undo those of the last 90 days; votes cast by visitors stay.',
  none: 'Nothing has been imported yet.',
  list: 'Imports, newest first',
  unnamed: 'Unnamed file',
  origins: { page: 'on this page', terminal: 'in a terminal' } as const satisfies Record<ImportOrigin, string>,
  states: {
    running: 'Running',
    done: null,
    refused: 'Refused',
    stopped: 'Interrupted',
    undoing: 'Undoing',
    undone: 'Undone',
  } as const satisfies Record<ImportState, string | null>,
  wholly: 'all or nothing',
  counts: (counts: { inserted: number; updated: number; unchanged: number; rejected: number }) =>
    [
      `${number(counts.inserted)} new`,
      `${number(counts.updated)} updated`,
      `${number(counts.unchanged)} unchanged`,
      ...(counts.rejected > 0 ? [`${counted(counts.rejected, 'row', 'rows')} rejected`] : []),
    ].join(', '),
  undone: (removed: number, restored: number, kept: number) =>
    [
      `Undone: ${polls(removed)} removed, ${number(restored)} restored`,
      ...(kept > 0 ? [`${number(kept)} left unchanged`] : []),
    ].join(', '),
  undo: 'Undo',
  undoName: (file: string) => `Undo: import of ${file}`,
  finish: 'Finish the undo',
} as const;

/** The dialog before an undo. */
export const undoTexts = {
  title: 'Undo this import?',
  removed: (count: number) =>
    count === 1 ? '1 poll it added will be removed.' : `${number(count)} polls it added will be removed.`,
  restored: (count: number) =>
    count === 1
      ? '1 poll it updated will get its previous text, times, and imported counts back.'
      : `${number(count)} polls it updated will get their previous text, times, and imported counts back.`,
  keptVoted: (count: number) =>
    count === 1
      ? '1 poll it added will stay because people have voted on it.'
      : `${number(count)} polls it added will stay because people have voted on them.`,
  keptChanged: (count: number) =>
    count === 1
      ? '1 poll will be left unchanged because it was edited after the import.'
      : `${number(count)} polls will be left unchanged because they were edited after the import.`,
  leftList: { changes: 'Left unchanged because it was edited', votes: 'Left in place because people have voted on it' },
  discardEdits: 'Also undo polls that were edited after the import',
  discardHint:
    'Polls the import added will be removed; the others go back to how they were before it. The edits will be lost.',
  more: (count: number) => `…and ${number(count)} more.`,
  leftHint: 'You can close or edit these polls in the list of polls.',
  hint: 'No votes cast here will be lost. To redo the import, upload its file again.',
  confirm: 'Undo the import',
  pending: 'Undoing',
  cancel: 'Cancel',
  done: { title: 'Import Undone', text: 'The site is being published without it.' },
  stillRunning: { title: 'Still undoing', text: 'This is taking a while. The list will show when it’s done.' },
} as const;

/** Removing the demo polls. */
export const demonstrationRemovalTexts = {
  notice: (count: number) =>
    count === 1
      ? 'One poll or article here came with the software.'
      : `${number(count)} polls, community polls, and articles here came with the software.`,
  remove: 'Remove demo polls',
  title: 'Remove all demo polls?',
  text: 'This removes the polls, community polls, and articles that came with the software, and every vote and comment on them. It can’t be undone. Your own polls stay, and so do articles you have changed. Set DEMO_DATA=off, or an empty site will load them again at the next start.',
  confirm: 'Remove them',
  cancel: 'Cancel',
  done: (polls: number, articles: number) => ({
    title: 'Demo Polls Removed',
    text: `${number(polls)} polls and ${number(articles)} articles were removed.`,
  }),
} as const;

/** Featured polls. */
export const moderationTexts = {
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
