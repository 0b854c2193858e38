/** Messages of the admin API, and its reasons for publishing. */
export const adminApiTexts = {
  buildReason: 'requested on the admin page',
  noSuchRelease: 'This release is no longer available.',
  pinned: 'A release is pinned, so nothing can be published. Unpin the release first; that publishes everything since.',
  onlyPublic: 'Only public community polls can be featured.',
  notAForm: 'An upload must be a multipart form with the fields csvFile and password.',
  brokenForm: 'We couldn’t read the upload. Please upload the file again.',
  noFile: 'Please select a CSV file.',
  noTimeZone: (name: string) => `There is no time zone “${name}”.`,
  oneFile: 'One file at a time, please.',
  managing: {
    closedAlready: 'This poll is already closed.',
    notStarted:
      'This poll hasn’t started, so there’s nothing to close. Undo its import, or import it with different dates.',
    votesFinal: 'This poll ended more than 30 days ago, so its votes are final. Start a new poll instead.',
    openAlready: 'This poll isn’t closed.',
    ballotsLocked:
      'This poll has opened, so whether its ballots are published can’t be changed: people voted relying on it.',
    optionsLocked: 'This poll has votes, so its options can’t be changed: people voted for exactly these words.',
    noSuchOption: 'One of these options no longer exists. Reload the page and check.',
  },
  uploadsBusy: 'Other uploads are in progress. Please try again in a moment.',
} as const;

/** The demo polls. */
export const demonstrationTexts = {} as const;
