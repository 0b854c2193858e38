/** Words of the home page, the voting card and the page of an open poll. */
export const pollTexts = {
  home: {
    title: 'Which way is the wind blowing?',
    description:
      "Vote on this week's questions without an account, and see where everybody else stands. For entertainment and discussion only.",
    headline: 'Which way is the wind blowing?',
    lede: 'A few questions at a time, one vote each, no account needed. Answer, and see where everybody else stands.',
    heading: "Today's Polls",
    count: (count: number, formatted: string) => (count === 1 ? '1 active poll' : `${formatted} active polls`),
    loading: 'Loading the polls',
    failed: 'Failed to fetch polls',
    failedText: 'The service did not answer. What you see is from the last time this page was published.',
    failedEmptyText: 'The service did not answer, so there is nothing to show here yet.',
    emptyTitle: 'No Active Polls',
    emptyText: 'The next questions are being prepared. Until then, the archive has every poll that was ever held here.',
    emptyLink: 'Historical Polls',
  },
  card: {
    vote: 'Vote',
    pending: 'Processing...',
    recorded: 'Vote Recorded',
    yourVote: 'Your vote',
    votes: (count: number, formatted: string) => (count === 1 ? `${formatted} vote` : `${formatted} votes`),
    /** Imported options that nobody can choose here, and the votes that they came with. */
    notOffered: (options: number, votes: string, percent: string) =>
      options === 1
        ? `Another option, not offered here, has ${votes} (${percent}).`
        : `${options} other options, not offered here, have ${votes} (${percent}).`,
    announce: (question: string, parts: string) => `Vote Recorded. ${question} ${parts}.`,
    announcePart: (text: string, percent: string) => `${text}: ${percent}`,
    closed: 'Poll Closed',
    closedText: 'This poll has ended and is no longer accepting votes.',
    report: 'Read the report',
    choiceKept: 'Your choice is still selected.',
    noScript: 'Voting needs JavaScript, which is switched off in this browser. These are the results so far.',
  },
  toasts: {
    recordedTitle: 'Vote Recorded',
    recordedText: 'Thank you for participating in this poll!',
    failedTitle: 'Vote Failed',
    failedText: 'Failed to record your vote. Please try again.',
  },
  page: {
    back: 'Back to Polls',
    tilesHeading: 'This poll in figures',
    totalVotes: 'Total Votes',
    status: 'Status',
    statusActive: 'Active',
    statusHistorical: 'Historical',
    statusScheduled: 'Scheduled',
    starts: 'Starts',
    ends: 'Ends',
    ended: 'Ended',
    shareHeading: 'Share This Poll',
    shareLabel: 'Link to this poll',
    closedTitle: 'Poll Closed',
    closedText: 'This poll has ended. These are the results; the full report appears at this address in a moment.',
    openReport: 'Open the report',
    stale: 'The service cannot be reached. These figures may be a little old.',
  },
  preview: {
    title: 'Preview',
    text: (start: string) =>
      `This poll opens on ${start}. Until then, only people with a preview link can see it, and nobody can vote.`,
  },
  notFound: {
    title: 'Poll Not Found',
    text: "This poll may have been removed or doesn't exist.",
    back: 'Back to Home',
  },
  unavailable: {
    title: 'This poll cannot be shown right now',
    text: 'The service that keeps the polls did not answer. Please try again in a moment; nothing is lost.',
    retry: 'Try again',
  },
} as const;
