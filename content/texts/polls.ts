/** The home page, the voting card, and the page of an open poll. */
export const pollTexts = {
  home: {
    title: 'Which way is the wind blowing?',
    description:
      'Vote on this week’s questions without an account, and see what everyone else thinks. For entertainment and discussion only.',
    headline: 'Which way is the wind blowing?',
    lede: 'A few questions at a time, one vote each, no account needed. Answer, and see what everyone else thinks.',
    heading: "Today's Polls",
    count: (count: number, formatted: string) => (count === 1 ? '1 active poll' : `${formatted} active polls`),
    loading: 'Loading polls',
    failed: 'Failed to fetch polls',
    failedText: 'The service didn’t respond. What you see is from the last time this page was published.',
    failedEmptyText: 'The service didn’t respond, so there’s nothing to show here yet.',
    emptyTitle: 'No Active Polls',
    emptyText: 'The next questions are on their way. Until then, the archive has every completed poll.',
    emptyLink: 'Historical Polls',
  },
  card: {
    vote: 'Vote',
    pending: 'Processing...',
    recorded: 'Vote Recorded',
    votes: (count: number, formatted: string) => (count === 1 ? `${formatted} vote` : `${formatted} votes`),
    /** Imported options that visitors can’t choose, and the votes they came with. */
    notOffered: (options: number, votes: string, percent: string) =>
      options === 1
        ? `Another option, not offered here, has ${votes} (${percent}).`
        : `${options} other options, not offered here, have ${votes} (${percent}).`,
    announce: (question: string, parts: string) => `Vote Recorded. ${question} ${parts}.`,
    announcePart: (text: string, percent: string) => `${text}: ${percent}`,
    closed: 'Poll Closed',
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
    tilesHeading: 'This poll in numbers',
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
    closedText: 'This poll has ended. These are the results; the full report will appear here in a moment.',
    openReport: 'Open the report',
    stale: 'We can’t reach the service. These figures may be slightly out of date.',
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
    title: 'We can’t show this poll right now',
    text: 'The polling service didn’t respond. Please try again in a moment; nothing is lost.',
    retry: 'Try again',
  },
} as const;
