/** What the operator's calls answer, and why the site is built for them. */
export const adminApiTexts = {
  buildReason: 'asked for on the admin page',
  noSuchRelease: 'This release is not kept any more.',
  pinned: 'A release is pinned, so nothing is built. Unpin it first; the site is then built.',
  onlyPublic: 'Only public community polls can be featured.',
  notAForm: 'An upload must be a multipart form with the fields csvFile and password.',
  brokenForm: 'The form of the upload cannot be read. Please upload the file again.',
  noFile: 'Please select a CSV file.',
  oneFile: 'One file at a time, please.',
  managing: {
    closedAlready: 'This poll is closed already.',
    notStarted:
      'This poll has not started, so there is nothing to close. Undo its import, or import it with other dates.',
    openAlready: 'This poll is not closed.',
    optionsStand: 'This poll has votes, so its options stay as they are: each vote was given to these words.',
    noSuchOption: 'One of these options is not there any more. Reload the page and look again.',
    buildReasons: {
      closed: 'a poll was closed by hand',
      reopened: 'a poll was opened again',
      edited: 'texts of a poll were changed',
    },
  },
  uploadsBusy: 'Other uploads are arriving right now. Please try again in a moment.',
} as const;
