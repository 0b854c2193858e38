import type { ContentField } from '#api/polls/poll-editor.contract.ts';
import type { Provenance } from '#api/polls/polls.contract.ts';
import type { ManagedState } from '#contract/vocabulary.ts';
import * as limits from '#contract/limits.ts';
import { versionTexts } from './admin.ts';
import { optionOrderTexts } from './option-order.ts';
import { protectionTexts } from './protection.ts';

const number = (value: number) => value.toLocaleString('en-US');
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;

const quoted = (question: string, untitled: string) => (question.trim() === '' ? untitled : `“${question.trim()}”`);

/** States of a poll. */
export const pollStateTexts = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  open: 'Open',
  closed: 'Closed',
} as const satisfies Record<ManagedState, string>;

/** The operator’s list of polls. */
export const pollListTexts = {
  viewsLabel: 'Views of polls',
  views: { list: 'List', calendar: 'Calendar' },
  heading: 'Polls',
  text: 'Write polls, schedule them, and change or close them. Only votes and imports change results.',
  create: 'New poll',
  search: 'Question or id',
  state: 'State',
  all: 'All',
  find: 'Search',
  list: 'Polls',
  found: (total: number) => counted(total, 'poll', 'polls'),
  none: 'There are no polls yet. Write one, or import a file.',
  noneFound: 'No matching polls. Try different words, or all states.',
  votes: (total: number, here: number) =>
    here === 0 ? counted(total, 'vote', 'votes') : `${counted(total, 'vote', 'votes')}, ${number(here)} cast here`,
  demonstration: 'Demo',
  unpublished: 'Unpublished changes',
  saved: (name: string) => `Saved by ${name}`,
  noDates: 'No dates yet',
  untitled: 'Untitled poll',
  edit: 'Edit',
  editName: (question: string) => `Edit: ${question}`,
  preview: 'Preview',
  previewName: (question: string) => `Preview: ${question} (new tab)`,
  screen: 'Show on a screen',
  screenName: (question: string) => `Show on a screen: ${question}`,
  page: 'View page',
  pageName: (question: string) => `View page: ${question}`,
} as const;

/** The editor of one poll. */
export const pollEditorTexts = {
  back: 'All polls',
  newPoll: 'New poll',
  fields: {
    question: 'Question',
    description: 'Description',
    options: 'Options',
    category: 'Category',
    tags: 'Tags',
    series: 'Series',
    seriesNote: 'Note in the series',
    author: 'Author',
    summary: 'Summary',
    analysis: 'Expert analysis',
    methodologyNotes: 'Methodology and limitations',
    countryBreakdown: 'Votes by country',
    provenance: 'Imported answers',
    publishBallots: 'Publish the ballots when the poll closes',
    optionOrder: optionOrderTexts.label,
    protection: protectionTexts.label,
    startsAt: 'Start',
    endsAt: 'End',
  } as const satisfies Record<ContentField, string>,
  hints: {
    description: 'Below the question, and the background of the report.',
    tags: 'One per line.',
    series: 'A name shared by polls that ask the same question again. Their reports show how opinion moved.',
    seriesNote: 'Shown below the chart of the series.',
    provenance: 'Only what you know: it’s shown where answers of this poll were imported.',
    summary: 'If you leave this blank, it’s generated from the results.',
    analysis:
      'May contain HTML; scripts and frames are removed. If you leave this blank, it’s generated from the results.',
    methodologyNotes: 'If you leave this blank, it’s generated from the results.',
    countryBreakdown: 'One per line, a name and a percentage: Norway 12.5',
    publishBallots:
      'Anyone can then recount the poll, and with a receipt show how they voted. You can change this until the poll opens.',
    optionOrder: optionOrderTexts.hint,
    startsAt: 'A time in the past opens the poll as soon as you publish it.',
  } as Partial<Record<ContentField, string>>,
  provenance: {
    source: 'Source',
    sample: 'Sample or base',
    fieldDates: 'Field dates',
    mode: 'Mode',
    sponsor: 'Sponsor',
    license: 'License',
    link: 'Link',
  } as const satisfies Record<keyof Provenance, string>,
  badCountry: (line: number) => `Line ${number(line)} has no name with a percentage from 0 to 100.`,
  startLocked: 'The poll has opened, so its start can’t be changed.',
  endLocked: 'The poll is closed. Reopen it to set a new end.',
  optional: 'optional',
  counter: (length: number, most: number) => `${number(length)}/${number(most)} characters`,
  form: 'Poll',
  parts: { question: 'Question and options', times: 'Times', listing: 'Where it’s listed', report: 'Report' },
  options: {
    hint: `At least two. Visitors can choose from the first ${limits.offeredOptions}; blank options are left out.`,
    locked: 'People have already voted for these options, so you can’t change them.',
  },
  saving: {
    saved: 'Saved',
    unsaved: 'Not saved yet',
    saving: 'Saving',
    failed: 'Not saved',
    invalid: 'Not saved until you correct what is marked',
    retry: 'Try again',
    conflict: 'Not saved, because someone else changed the same parts.',
    compare: 'Compare',
    merged: (name: string) => ({
      title: 'Changed by someone else, too',
      text: `${name} changed other parts of this poll. Both changes are saved.`,
    }),
    kept: (question: string) => ({
      title: 'Changes Not Saved',
      text: `What you typed in ${quoted(question, 'the untitled poll')} is saved in this tab. Open the poll again to save it.`,
      destructive: true,
    }),
    gone: 'Someone deleted this poll. What you typed is still here.',
    saveAsNew: 'Save as a new poll',
    lost: (question: string) => ({
      title: 'Changes Not Saved',
      text: `${quoted(question, 'The untitled poll')} was deleted by someone else.`,
      destructive: true,
    }),
    restored: 'Your unsaved changes from before are back.',
    cleaned: 'Parts of the analysis that aren’t allowed are left out.',
  },
  dropped: (fields: readonly string[]) =>
    `Some changes of this draft won’t be published, because the poll has opened, closed, or received votes since: ${fields.join(', ')}.`,
  someone: 'Someone',
  conflict: {
    title: (name: string, at: string) => `${name} changed the same parts on ${at}`,
    text: 'Your text is still here, and isn’t saved. Compare, then decide.',
    publishedTitle: 'The published poll was changed in the same parts',
    publishedText: 'That happened after this draft was begun. Compare, then decide.',
    theirs: 'Theirs',
    yours: 'Yours',
    keepYours: 'Keep yours',
    useTheirs: 'Use theirs',
    publishYours: 'Publish yours',
  },
  publish: { now: 'Publish now', schedule: 'Schedule', changes: 'Publish changes', pending: 'Publishing' },
  published: {
    scheduled: { title: 'Poll Scheduled', text: 'It opens at its start. Nobody sees it before.' },
    open: { title: 'Poll Published', text: 'It’s open; its page will be there in a moment.' },
    closed: { title: 'Changes Published', text: 'The report will be up to date in a moment.' },
    draft: { title: 'Poll Published', text: '' },
  } as const satisfies Record<ManagedState, { title: string; text: string }>,
  preview: 'Preview (new tab)',
  previewLink: 'Preview link',
  previewHint: (days: number) => `Anyone with this link can see the poll as it would be published, for ${days} days.`,
  page: 'View page',
  duplicate: 'Duplicate',
  discard: 'Discard changes',
  discardDraft: 'Delete draft',
  close: 'Close now',
  reopen: 'Reopen',
  unpublish: 'Unpublish',
  delete: 'Delete',
  cancel: 'Cancel',
  more: 'More',
  live: (name: string | null, at: string) =>
    name === null ? `Published, last changed on ${at}` : `Published, last changed by ${name} on ${at}`,
  discarding: {
    title: 'Discard the unpublished changes?',
    text: 'What is published stays as it is.',
    titleDraft: 'Delete this draft?',
    textDraft: 'It was never published, so nothing changes on the site.',
    confirm: 'Discard',
    done: { title: 'Discarded' },
  },
  closing: {
    title: 'Close this poll now?',
    text: 'Voting ends immediately, and the results are published as its report. You can reopen it later; all votes stay.',
    confirm: 'Close the poll',
    done: { title: 'Poll Closed', text: 'Its report is being published.' },
  },
  reopening: {
    title: 'Reopen this poll?',
    text: (end: string) =>
      `Voting resumes until ${end}. Its report is hidden until then, but people who have read it know the results so far.`,
    needsEnd:
      'Its end time has passed, so it needs a new one. Its report is hidden until then, but people who have read it know the results so far.',
    end: 'New end',
    noEnd: 'Please enter a date and time.',
    confirm: 'Reopen the poll',
    done: { title: 'Poll Reopened', text: 'Its page is being published.' },
  },
  unpublishing: {
    title: 'Unpublish this poll?',
    text: 'It becomes a draft again and disappears from the site. You can publish it again at the same address.',
    hasVotes:
      'People have voted on this poll, so it can’t become a draft again. You can close it, which keeps its results, or delete it with its votes.',
    hasVotesClosed:
      'People have voted on this poll, so it can’t become a draft again. You can delete it with its votes.',
    confirm: 'Unpublish',
    done: { title: 'Poll Unpublished', text: 'It’s a draft now.' },
  },
  deleting: {
    title: 'Delete this poll?',
    text: (votes: number) =>
      `${votes === 0 ? '' : `Its ${counted(votes, 'vote', 'votes')}, `}${votes === 0 ? 'Its' : 'its'} texts, published ballots, and history are deleted, and it disappears from every list and feed. The public integrity log keeps its entries, which don’t say who voted. This can’t be undone, and no other poll can have its address.`,
    reason: 'Reason',
    reasonHint: 'Shown to anyone who opens the poll’s address.',
    redirect: 'Lead its address to another poll',
    redirectHint: 'The other poll’s address or id. Visitors are then sent there instead of seeing the reason.',
    noReason: 'Please give a reason.',
    noAddress: 'This isn’t the address of a poll.',
    confirm: 'Delete the poll',
    done: { title: 'Poll Deleted', text: 'It’s being removed from the site.' },
  },
  repeat: {
    heading: 'Repeat',
    text: 'For a poll with a series, which you name under “Where it’s listed”. The next poll begins as a draft with these texts, once the one before has opened. You can edit each, and have to publish it.',
    every: 'Every',
    unit: 'Weeks or months',
    units: { week: 'Weeks', month: 'Months' },
    until: 'Until',
    untilHint: 'The last day on which a poll opens. Leave blank to go on.',
    timeZone: 'Time zone',
    now: (every: number, unit: 'week' | 'month', zone: string, newest: string) =>
      `Repeated every ${every === 1 ? unit : `${every} ${unit}s`}, at the same time in ${zone}. The newest poll of the series opens on ${newest}.`,
    save: 'Repeat',
    stop: 'Stop repeating',
    saved: { title: 'Series Repeated', text: 'Its next poll is a draft in the calendar.' },
    stopped: { title: 'Series Not Repeated' },
  },
  history: {
    heading: 'History',
    text: 'What was published, by whom and when. Only operators see this.',
    none: 'Nothing was changed since it was first stored.',
    show: 'Show changes',
    more: 'Show older changes',
    import: 'Import',
    first: 'First version',
    restoring: {
      title: 'Restore this version?',
      text: (when: string) =>
        `What was published on ${when} is published again at once. Votes and unpublished changes stay as they are.`,
      done: { title: versionTexts.restored, text: 'The poll’s page will be up to date in a moment.' },
    },
    added: 'added: ',
    removed: 'removed: ',
    end: ', ',
    blank: 'blank',
    yes: 'yes',
    no: 'no',
  },
} as const;
