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

/** Imports that are over, and taking the last one back. */
export const historyTexts = {
  heading: 'Imports',
  text: 'Every import, from this page and from a terminal. The last one that changed anything can be undone; votes that people have cast stay.',
  none: 'Nothing was imported yet.',
  list: 'Imports, newest first',
  last: 'The last import that changed anything:',
  unnamed: 'A file without a name',
  origins: { page: 'on this page', terminal: 'in a terminal' } as const satisfies Record<ImportOrigin, string>,
  states: {
    running: 'Running',
    done: null,
    refused: 'Refused',
    stopped: 'Broken off',
    undoing: 'Being undone',
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
      ...(kept > 0 ? [`${number(kept)} left as they are`] : []),
    ].join(', '),
  undo: 'Undo',
  undoName: (file: string) => `Undo: import of ${file}`,
  finish: 'Finish the undo',
} as const;

/** The dialog before an undo. */
export const undoTexts = {
  title: 'Undo this import?',
  looking: 'Looking at what would happen',
  removed: (count: number) =>
    count === 1 ? '1 poll that it added is removed.' : `${number(count)} polls that it added are removed.`,
  restored: (count: number) =>
    count === 1
      ? '1 poll that it updated gets its former texts, times and imported counts back.'
      : `${number(count)} polls that it updated get their former texts, times and imported counts back.`,
  keptVoted: (count: number) =>
    count === 1
      ? '1 poll that it added stays, because people have voted on it.'
      : `${number(count)} polls that it added stay, because people have voted on them.`,
  keptChanged: (count: number) =>
    count === 1
      ? '1 poll stays as it is, because it was edited after the import.'
      : `${number(count)} polls stay as they are, because they were edited after the import.`,
  keptList: { changes: 'Stays, because it was edited', votes: 'Stays, because people have voted on it' },
  discardEdits: 'Also undo polls that were edited after the import',
  discardHint:
    'Those that the import added are removed, the others get back what they were before it. The edits are lost.',
  more: (count: number) => `… and ${number(count)} more.`,
  keptHint: 'What stays can be closed or edited in the list of polls.',
  hint: 'No vote that was cast here is lost. To get the import back, upload its file again.',
  confirm: 'Undo the import',
  pending: 'Undoing',
  cancel: 'Cancel',
  done: { title: 'Import Undone', text: 'The site is built anew without it.' },
  goesOn: { title: 'The undo goes on', text: 'It takes a while. The list shows when it is over.' },
} as const;

const states = { open: 'Open', scheduled: 'Scheduled', closed: 'Closed' } as const satisfies Record<
  ManagedState,
  string
>;

/** The operator's list of polls. */
export const pollListTexts = {
  heading: 'Polls',
  text: 'All weekly polls: look for one, end it before its time, open it again, or mend its words. Results change by votes and imports alone.',
  search: 'Question or id',
  state: 'State',
  all: 'All',
  states,
  find: 'Search',
  list: 'Polls',
  found: (total: number) => polls(total),
  none: 'There are no polls yet.',
  noneFound: 'No poll fits. Try other words, or all states.',
  votes: (total: number, here: number) =>
    here === 0 ? counted(total, 'vote', 'votes') : `${counted(total, 'vote', 'votes')}, ${number(here)} cast here`,
  demonstration: 'Demonstration',
  preview: (question: string) => `Preview link: ${question}`,
  previewHint: (days: number) =>
    `Nobody else can see this poll before it starts. This link shows it to anyone who has it, for ${days} days.`,
  edit: 'Edit texts',
  editName: (question: string) => `Edit texts: ${question}`,
  close: 'Close now',
  closeName: (question: string) => `Close now: ${question}`,
  reopen: 'Open again',
  reopenName: (question: string) => `Open again: ${question}`,
  cancel: 'Cancel',
  closing: {
    title: 'Close this poll now?',
    text: 'Voting ends at once, and the results become its report. You can open it again; all votes stay.',
    confirm: 'Close the poll',
    done: { title: 'Poll Closed', text: 'Its report is being built.' },
  },
  reopening: {
    title: 'Open this poll again?',
    text: (end: string) =>
      `Votes count again until ${end}. Its report is gone until then, and those who have read it know the result so far.`,
    needsEnd:
      'Its end has come, so it needs a new one. Its report is gone until then, and those who have read it know the result so far.',
    end: 'New end',
    endHint: (zone: string) => `In the time of this browser (${zone}).`,
    noEnd: 'Please give the day and the time.',
    confirm: 'Open the poll',
    done: { title: 'Poll Opened', text: 'Its page is being built.' },
  },
} as const;

/** The form for a poll's texts. */
export const editPollTexts = {
  form: (question: string) => `Texts of ${question}`,
  question: 'Question',
  description: 'Background',
  options: 'Options',
  option: (position: number) => `Option ${number(position)}`,
  optionsStand: 'Somebody has voted, so these words stand: each vote was given to them.',
  optionsFree: 'Nobody has voted yet, so the words can still change.',
  category: 'Category',
  author: 'Author',
  tags: 'Tags',
  tagsHint: 'One on each line.',
  summary: 'Summary',
  analysis: 'Expert analysis',
  analysisHint: 'May have HTML; scripts and frames are taken out.',
  methodologyNotes: 'Methodology and limitations',
  fallback: 'Left empty, it is written from the results.',
  optional: 'optional',
  hint: 'An import of the same poll replaces what you write here.',
  save: 'Save',
  saving: 'Saving',
  cancel: 'Cancel',
  saved: { title: 'Texts Saved', text: 'The site is built anew with them.' },
  nothing: { title: 'Nothing Changed', text: 'The texts were so already.' },
  removed: (parts: readonly string[]) => `Taken out of the analysis: ${parts.join(', ')}.`,
} as const;

/** Removing what came with the software. */
export const demonstrationRemovalTexts = {
  notice: (count: number) =>
    count === 1
      ? 'One poll here came with the software.'
      : `${number(count)} polls and community polls here came with the software.`,
  remove: 'Remove demonstration polls',
  title: 'Remove all demonstration polls?',
  text: 'The polls and community polls that came with the software go, with every vote and comment on them. This cannot be undone. Your own polls stay. Start with DEMO_DATA=off, or an empty site loads them again.',
  confirm: 'Remove them',
  cancel: 'Cancel',
  done: (polls: number) => ({ title: 'Demonstration Removed', text: `${number(polls)} polls are gone.` }),
} as const;
