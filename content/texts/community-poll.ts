import type { ResultVisibility, Visibility } from '#contract/vocabulary.ts';

/** The page with what the creator changed after the first vote. */
export const editHistoryTexts = {
  title: 'Edit History',
  text: 'Once somebody has voted, the creator can only change the description and the end. Every such change is listed here, newest first.',
  back: 'Back to the poll',
  empty: 'Nothing has changed since the first vote.',
  none: '(none)',
  before: { description: 'Description before', endsAt: 'End before' },
  after: { description: 'Description after', endsAt: 'End after' },
} as const;

/** The page of one community poll. */
export const communityPollTexts = {
  back: 'Back to Community Polls',
  descriptionOf: (question: string, name: string) => `${question} A community poll by ${name}. Vote and discuss.`,
  visibility: {
    public: 'Public Poll',
    unlisted: 'Unlisted Poll',
    private: 'Private Poll',
  } satisfies Record<Visibility, string>,
  visibilityMeans: {
    public: 'Anyone can find and open this poll.',
    unlisted: 'Not listed anywhere. Anyone with the link can open this poll.',
    private: 'Only the creator and invited people can open this poll.',
  } satisfies Record<Visibility, string>,
  facts: 'About this poll',
  votes: (count: number, formatted: string) => (count === 1 ? `${formatted} vote` : `${formatted} votes`),
  created: 'Created',
  by: 'by',
  edited: 'Edited',
  active: 'Active',
  closed: 'Closed',
  notStarted: 'Not Started',
  starts: 'Starts',
  ends: 'Ends',
  ended: 'Ended',
  recount: 'Recount this poll',

  voting: {
    legend: 'Your answer',
    upcoming: (moment: string) => `Voting starts on ${moment}. These are the options.`,
    cast: 'Cast Vote',
    pending: 'Submitting Vote...',
    secret: {
      'after-voting': 'Results appear once you have voted.',
      always: 'Everyone can see the results so far.',
      'after-end': 'Results appear when the poll has ended.',
      creator: 'Only the creator of this poll sees the results.',
    } satisfies Record<ResultVisibility, string>,
    /** On the ballot of a private poll: to those who see the results while it runs, each vote is one step. */
    watched: 'People who watch the results can tell how the next person voted.',
    watchedByCreator:
      'The creator of this poll sees the results while it runs, and can tell how the next person voted.',
    own: 'As its creator, you always see the results.',
    ended: 'This poll has ended and is no longer accepting votes.',
    results: 'Final Results',
    live: 'Vote Submitted - Live Results',
    recorded: 'Vote Submitted',
    closed: 'Voting Has Ended',
    soFar: 'Results so far',
    /** Around the chosen option. */
    thanks: { before: 'Thank you for voting! You chose ', after: '.' },
    thanksPlain: 'Thank you for voting!',
    yourVote: '(Your Vote)',
    total: (count: number, formatted: string) => `Total: ${formatted} ${count === 1 ? 'vote' : 'votes'}`,
    vane: (percent: string) => `The leading answer has ${percent}`,
    announce: (parts: string) => (parts === '' ? 'Vote Submitted.' : `Vote Submitted. ${parts}.`),
    announceClosed: (parts: string) => `This poll has ended. ${parts}.`,
  },
  toasts: {
    recordedTitle: 'Vote Submitted!',
    recordedText: 'Results now update live.',
    /** In place of it, for voters who don’t see results yet, or never. */
    secret: {
      'after-end': 'Thanks! Results appear when the poll ends.',
      creator: 'Thanks! Only its creator sees the results.',
    } as Partial<Record<ResultVisibility, string>>,
    failedTitle: 'Error',
    failedText: 'Failed to submit vote. Please try again.',
    closed: 'Poll Closed',
    closedText: 'Voting has ended.',
    deleted: 'Poll Deleted',
    deletedText: 'The poll, its votes, and its comments have been deleted.',
  },
} as const;
