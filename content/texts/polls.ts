/** The home page outside its islands. Texts are split so that browsers load only those of islands. */
export const homeTexts = {
  title: 'Which way is the wind blowing?',
  description:
    'Vote on this week’s questions without an account, and see what everyone else thinks. For entertainment and discussion only.',
  headline: 'Which way is the wind blowing?',
  lede: 'Answer, and see what everyone else thinks: one vote per browser, no account needed.',
  allPolls: 'All polls combined',
  withoutDemonstration: 'Demo polls aren’t counted here.',
  latest: 'The Latest Result',
  /** “#” and “@” stand for the percentage and the answer of a guess that this browser has kept. */
  guessed: 'You guessed #% for “@”.',
} as const;

/** The open polls on the home page. */
export const activePollsTexts = {
  question: 'Today’s Question',
  answered: (answered: number | string, total: number) => `${answered} of ${total} answered`,
  heading: 'Today’s Polls',
  count: (count: number, formatted: string) => (count === 1 ? '1 active poll' : `${formatted} active polls`),
  loading: 'Loading polls',
  failed: 'Failed to fetch polls',
  failedText: 'The service didn’t respond. What you see is from the last time this page was published.',
  failedEmptyText: 'The service didn’t respond, so there’s nothing to show here yet.',
  emptyTitle: 'No Active Polls',
  emptyText: 'The next questions are on their way. Until then, the archive has every completed poll.',
  emptyLink: 'Historical Polls',
} as const;

/** The headline figures of the home page. */
export const statisticsTexts = {
  heroFigures: {
    votes: (count: number) => (count === 1 ? 'vote cast' : 'votes cast'),
    participants: (count: number) => (count === 1 ? 'participant' : 'participants'),
    polls: (count: number) => (count === 1 ? 'poll' : 'polls'),
  },
  cards: {
    votes: { title: 'Total Votes', note: 'across all polls' },
    participants: {
      title: 'Total Participants',
      note: 'unique voters',
      noteWithImports: 'browsers that have voted here',
    },
    polls: { title: 'Total Polls', note: 'active and historical' },
  },
  failed: 'Failed to fetch statistics',
  failedText: 'These figures are from the last time this page was published.',
} as const;

/** The voting card. */
export const votingTexts = {
  cast: 'Vote',
  pending: 'Processing...',
  recorded: 'Vote Recorded',
  total: (count: number, formatted: string) => (count === 1 ? `${formatted} vote` : `${formatted} votes`),
  /** Imported options that visitors can’t choose, and the votes they came with. */
  notOffered: (options: number, votes: string, percent: string) =>
    options === 1
      ? `One more answer came with this poll and can’t be picked here: ${votes} (${percent}).`
      : `${options} more answers came with this poll and can’t be picked here: ${votes} (${percent}).`,
  announce: (parts: string, question: string) => `Vote Recorded. ${question} ${parts}.`,
  closed: 'Poll Closed',
  report: 'Read the report',
  toasts: {
    recordedTitle: 'Vote Recorded',
    recordedText: 'Thank you for participating in this poll!',
    failedTitle: 'Vote Failed',
    failedText: 'Failed to record your vote. Please try again.',
  },
} as const;

/** The page of a poll outside its islands. */
export const pollPageTexts = {
  back: 'Back to Polls',
  preview: {
    title: 'Preview',
    text: (start: string) =>
      `This poll opens on ${start}. Until then, only people with a preview link can see it, and nobody can vote.`,
    unpublished:
      'This page isn’t published. It shows how the poll’s page would look if it were published now. Only people with this link can see it, and nobody can vote here.',
    sample:
      'These votes are made up. They show how the report of this poll will look; nobody has cast them, and nothing is published.',
    views: 'Preview as',
    names: {
      page: 'Page',
      card: 'Card on the home page',
      report: 'Report with sample votes',
      picture: 'Share pictures',
      embed: 'Embedded on another site',
    },
    pictures: { open: 'While the poll is open', sample: 'Once it is closed, with made-up votes' },
    embedTitle: 'The poll as other sites show it',
  },
} as const;

export const pollNotFoundTexts = {
  title: 'Poll Not Found',
  text: "This poll may have been removed or doesn't exist.",
  back: 'Back to Home',
} as const;

/** Why a poll’s page can’t be shown. */
export const pollProblemTexts = {
  notFound: pollNotFoundTexts,
  deleted: { title: 'This poll was removed', text: 'The editors removed this poll and its results.' },
} as const;

/** A preview link that leads to nothing; whether the poll exists is not said. */
export const previewMissingTexts = {
  title: 'This preview isn’t available',
  text: 'The link has expired, or the poll was deleted. Ask for a new link.',
} as const;

/** The address of a poll that an operator deleted. */
export const deletedPollTexts = {
  when: (day: string) => `Removed on ${day}. The reason given:`,
} as const;
