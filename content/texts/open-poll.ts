/** The page of an open poll. */
export const openPollTexts = {
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
} as const;
