/** What the operator's calls answer, and why the site is built for them. */
export const adminApiTexts = {
  buildReason: 'asked for on the admin page',
  noSuchRelease: 'This release is not kept any more.',
  onlyPublic: 'Only public community polls can be featured.',
  notAForm: 'An upload must be a multipart form with the fields csvFile and password.',
  brokenForm: 'The form of the upload cannot be read. Please upload the file again.',
  noFile: 'Please select a CSV file.',
  oneFile: 'One file at a time, please.',
  uploadsBusy: 'Other uploads are arriving right now. Please try again in a moment.',
} as const;
