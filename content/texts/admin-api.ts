/** Messages of the admin API, and its reasons for publishing. */
export const adminApiTexts = {
  buildReason: 'requested on the admin page',
  paused: 'Publishing is paused. Resume it first; that publishes everything since.',
  onlyPublic: 'Only public community polls can be featured.',
  notAForm: 'An upload must be a multipart form with the fields csvFile and password.',
  brokenForm: 'We couldn’t read the upload. Please upload the file again.',
  noFile: 'Please select a CSV file.',
  noTimeZone: (name: string) => `There is no time zone “${name}”.`,
  oneFile: 'One file at a time, please.',
  managing: {
    closedAlready: 'This poll is already closed.',
    notStarted: 'This poll hasn’t started, so there’s nothing to close. Unpublish it, or change its start.',
    votesFinal: 'This poll ended more than 30 days ago, so its votes are final. Start a new poll instead.',
    openAlready: 'This poll isn’t closed.',
    ballotsLocked:
      'This poll has opened, so whether its ballots are published can’t be changed: people voted relying on it.',
    optionsLocked: 'This poll has votes, so its options can’t be changed: people voted for exactly these words.',
    startLocked: 'This poll has opened, so its start can’t be changed.',
    endLocked: 'This poll is closed, so its end can’t be changed. Reopen it instead.',
    hasVotes: 'This poll has votes, so it can’t become a draft again. Close it, or delete it with its votes.',
    noSuchOption: 'One of these options no longer exists. Reload the page and check.',
  },
  drafts: {
    untitled: 'Untitled poll',
    nothingToPublish: 'Nothing waits to be published. Someone may have published or discarded these changes.',
    changedMeanwhile: 'Someone else has just changed this poll.',
    /** `at`: ISO 8601 */
    changedBy: (name: string, at: string) =>
      `${name} changed this poll at ${at.slice(11, 16)} UTC on ${at.slice(0, 10)}.`,
    overlapping: 'The published poll was changed in the same places after this draft was begun. Compare the two.',
  },
  recurrence: {
    needsSeries: 'Name the series of this poll first.',
    needsTimes: 'Give this poll a start and an end first.',
    noPoll: 'No poll would open until then. Choose a later day.',
    noZone: 'There is no such time zone.',
  },
  uploadsBusy: 'Other uploads are in progress. Please try again in a moment.',
} as const;
