import type { ImportOrigin, ImportState } from '#contract/import-history.ts';
import type { ManagedState } from '#contract/vocabulary.ts';

const number = (value: number) => value.toLocaleString('en-US');
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;
const polls = (count: number) => counted(count, 'poll', 'polls');

/** Lists that have pages. */
export const pagesTexts = {
  previous: 'Previous',
  next: 'Next',
  place: (page: number, pages: number) => `Page ${number(page)} of ${number(pages)}`,
} as const;

/** Past imports, and undoing the last one. */
export const historyTexts = {
  heading: 'Imports',
  text: 'Every import, from this page or a terminal. You can undo the last one that changed anything; votes cast by visitors are kept.',
  none: 'Nothing has been imported yet.',
  list: 'Imports, newest first',
  last: 'Last import that changed anything:',
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
  looking: 'Checking what will change',
  removed: (count: number) =>
    count === 1 ? '1 poll it added will be removed.' : `${number(count)} polls it added will be removed.`,
  restored: (count: number) =>
    count === 1
      ? '1 poll it updated will get its previous text, times, and imported counts back.'
      : `${number(count)} polls it updated will get their previous text, times, and imported counts back.`,
  keptVoted: (count: number) =>
    count === 1
      ? '1 poll it added will be kept because people have voted on it.'
      : `${number(count)} polls it added will be kept because people have voted on them.`,
  keptChanged: (count: number) =>
    count === 1
      ? '1 poll will be left unchanged because it was edited after the import.'
      : `${number(count)} polls will be left unchanged because they were edited after the import.`,
  keptList: { changes: 'Left unchanged because it was edited', votes: 'Kept because people have voted on it' },
  discardEdits: 'Also undo polls that were edited after the import',
  discardHint:
    'Polls the import added will be removed; the others go back to how they were before it. The edits will be lost.',
  more: (count: number) => `…and ${number(count)} more.`,
  keptHint: 'You can close or edit these polls in the list of polls.',
  hint: 'No votes cast here will be lost. To redo the import, upload its file again.',
  confirm: 'Undo the import',
  pending: 'Undoing',
  cancel: 'Cancel',
  done: { title: 'Import Undone', text: 'The site is being rebuilt without it.' },
  goesOn: { title: 'Still undoing', text: 'This is taking a while. The list will show when it’s done.' },
} as const;

const states = { open: 'Open', scheduled: 'Scheduled', closed: 'Closed' } as const satisfies Record<
  ManagedState,
  string
>;

/** The operator's list of polls. */
export const pollListTexts = {
  heading: 'Polls',
  text: 'All weekly polls. Search for one to close it early, reopen it, or edit its text. Only votes and imports change results.',
  search: 'Question or id',
  state: 'State',
  all: 'All',
  states,
  find: 'Search',
  list: 'Polls',
  found: (total: number) => polls(total),
  none: 'There are no polls yet.',
  noneFound: 'No matching polls. Try different words, or all states.',
  votes: (total: number, here: number) =>
    here === 0 ? counted(total, 'vote', 'votes') : `${counted(total, 'vote', 'votes')}, ${number(here)} cast here`,
  demonstration: 'Demo',
  preview: (question: string) => `Preview link: ${question}`,
  previewHint: (days: number) =>
    `This poll is hidden until it starts. Anyone with this link can see it for ${days} days.`,
  edit: 'Edit text',
  editName: (question: string) => `Edit text: ${question}`,
  close: 'Close now',
  closeName: (question: string) => `Close now: ${question}`,
  reopen: 'Reopen',
  reopenName: (question: string) => `Reopen: ${question}`,
  cancel: 'Cancel',
  closing: {
    title: 'Close this poll now?',
    text: 'Voting ends immediately, and the results are published as its report. You can reopen it later; all votes are kept.',
    confirm: 'Close the poll',
    done: { title: 'Poll Closed', text: 'Its report is being built.' },
  },
  reopening: {
    title: 'Reopen this poll?',
    text: (end: string) =>
      `Voting resumes until ${end}. Its report is hidden until then, but people who have read it know the results so far.`,
    needsEnd:
      'Its end time has passed, so it needs a new one. Its report is hidden until then, but people who have read it know the results so far.',
    end: 'New end',
    endHint: (zone: string) => `In your browser’s time zone (${zone}).`,
    noEnd: 'Please enter a date and time.',
    confirm: 'Reopen the poll',
    done: { title: 'Poll Reopened', text: 'Its page is being built.' },
  },
} as const;

/** The form for a poll’s text. */
export const editPollTexts = {
  form: (question: string) => `Edit ${question}`,
  question: 'Question',
  description: 'Background',
  options: 'Options',
  option: (position: number) => `Option ${number(position)}`,
  optionsLocked: 'People have already voted for these options, so you can’t change them.',
  optionsEditable: 'Nobody has voted yet, so you can still change the options.',
  category: 'Category',
  author: 'Author',
  tags: 'Tags',
  tagsHint: 'One per line.',
  summary: 'Summary',
  analysis: 'Expert analysis',
  analysisHint: 'May contain HTML; scripts and frames are removed.',
  methodologyNotes: 'Methodology and limitations',
  fallback: 'If you leave this blank, it’s generated from the results.',
  optional: 'optional',
  hint: 'Importing this poll again overwrites what you enter here.',
  save: 'Save',
  saving: 'Saving',
  cancel: 'Cancel',
  saved: { title: 'Text Saved', text: 'The site is being rebuilt.' },
  nothing: { title: 'Nothing Changed', text: 'The text was already the same.' },
  removed: (parts: readonly string[]) => `Removed from the analysis: ${parts.join(', ')}.`,
} as const;

/** Removing the demo polls. */
export const demonstrationRemovalTexts = {
  notice: (count: number) =>
    count === 1 ? 'One poll here is a demo poll.' : `${number(count)} polls and community polls here are demo polls.`,
  remove: 'Remove demo polls',
  title: 'Remove all demo polls?',
  text: 'This removes the polls and community polls that came with the software, and every vote and comment on them. It can’t be undone. Your own polls are kept. Set DEMO_DATA=off, or an empty site will load them again at the next start.',
  confirm: 'Remove them',
  cancel: 'Cancel',
  done: (polls: number) => ({ title: 'Demo Polls Removed', text: `${number(polls)} polls were removed.` }),
} as const;
