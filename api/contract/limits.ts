/** The one place for numbers. Client and server read the same ones; each names its unit. */
export const limits = {
  /** Polls on one page of the archive. */
  historicalPageSize: 9,
  /** Largest `limit` that the archive call accepts. */
  historicalPageSizeMax: 50,
  /** Page-number buttons shown at once. */
  pageWindow: 5,
  /** Options of a poll that are offered for voting and shown in the results view. */
  offeredOptions: 3,
  relatedPolls: 6,
  countriesShown: 6,
  /** Characters of an option's text on a chart before the ellipsis. */
  chartLabel: 15,
  breadcrumbQuestion: 40,
  metaDescription: 160,
  /** A generated summary says that so few answers show nothing about anyone else. */
  fewVotes: 30,

  communityPageSize: 6,
  communityOptionsMin: 2,
  communityOptionsMax: 10,
  communityQuestion: 200,
  communityDescription: 2_000,
  communityOption: 120,
  /** Years from now in which a community poll may start and end. */
  communityYearsAhead: 10,
  /** Milliseconds by which a browser's clock may run ahead: a poll that starts within them starts now. */
  communityStartSlackMs: 120_000,
  /** Featured polls that the list shows. */
  communityFeatured: 12,
  /** Characters of a description that the pre-rendered card has: more than there is room for. */
  cardDescription: 400,
  /** People that one private poll can have as guests. */
  communityGuests: 200,
  commentLength: 500,
  commentPageSize: 50,
  /** Comments that the page of a community poll has in its HTML. */
  commentsRendered: 20,
  usernameMin: 3,
  usernameMax: 30,
  personName: 100,
  passwordMin: 6,
  passwordMax: 200,
  profileImageUrl: 2_000,
  badges: 54,
  /** Runs of active days, and days and weekends, whose figures are kept apart for facts that come late. */
  badgeRunsKept: 32,
  badgeWindowsKept: 8,
  blogCardTags: 3,
  relatedArticles: 3,
  articleTitle: 120,
  articleExcerpt: 200,
  articleTagsMin: 3,
  articleTagsMax: 5,
  /** Words that a reader takes in a minute, for the reading time. */
  readingWordsPerMinute: 220,
  /** Headings from which a text gets a table of contents. */
  contentsFrom: 3,
  /** Rows, lines and points of one figure: more would not be read. */
  chartRows: 12,
  chartSeries: 3,
  chartPoints: 60,
  profileRecent: 5,
  activityPageSize: 20,
  activityPageSizeMax: 50,
  /** Characters that a search through activities takes, and how many of the newest activities it looks at. */
  activitySearchLength: 100,
  activitySearchDepth: 2_000,
  /** Days that the profile's calendar shows, today among them. */
  activityDays: 365,

  /** Milliseconds between two looks of an open poll page at the API. */
  pollRefetchMs: 30_000,
  /** Milliseconds between two looks of an open community poll page at the API, while the page is in view. */
  communityRefetchMs: 5_000,
  /** The same once the poll is closed: only comments can still come. */
  communityClosedRefetchMs: 30_000,
  /** Longest wait between two looks while the API does not answer. */
  communityRefetchMaxMs: 60_000,
  /** How far the time between two looks differs from page to page, as a share of it. */
  communityRefetchSpread: 0.2,
  relatedStaleMs: 5 * 60_000,
  /** Seconds that public, unpersonal API answers may be kept. */
  publicMaxAgeSeconds: 300,
  toastDisplayMs: 5_000,
  toastRemoveMs: 1_000_000,
  toastSwipePx: 50,
  tooltipDelayMs: 700,
  tooltipSkipDelayMs: 300,
  copiedIndicatorMs: 2_000,
  /** Milliseconds after which the browser gives up a call. */
  callTimeoutMs: 15_000,
  /** Milliseconds after which a page that is rendered on demand gives up on the API. */
  pageCallTimeoutMs: 5_000,

  /** Bytes of a JSON body. */
  jsonBodyBytes: 100_000,
  /** Bytes and rows of one imported CSV file. */
  importBytes: 20 * 1024 * 1024,
  importRows: 50_000,
  importQuestion: 500,
  importDescription: 5_000,
  importOptionText: 300,
  importOptionId: 80,
  importOptions: 100,
  importShortText: 200,
  importSummary: 5_000,
  importAnalysis: 200_000,
  importMethodology: 20_000,
  importTags: 30,
  importCountries: 300,
  /** Votes of one imported poll: low enough that the sum over all polls stays an exact number. */
  importVotes: 100_000_000_000,
  /** Errors, and warnings, that one import lists; beyond that they are only counted. */
  importProblemsListed: 10_000,
  /** Bytes of an upload's form around its file: fields and headers of its parts. */
  uploadFormBytes: 16_000,
  /** Uploads at once whose password stands in the form, so that it is known only after the file. */
  uploadsUnproven: 2,
  /** Milliseconds that a request may take to arrive: a large file over a slow line takes minutes. */
  requestMs: 5 * 60_000,
  /** Ended builds that the operator sees, and reported comments. */
  buildsListed: 10,
  reportsListed: 200,
  /** Milliseconds between two looks of the operator's page at a build that runs, and at none. */
  buildLookMs: 1_000,
  publishingLookMs: 10_000,
  /** Characters of a wrong value that a report repeats. */
  importValueShown: 80,
  /** Bytes of checked rows that wait in memory before a transaction is begun. */
  importBatchBytes: 4 * 1024 * 1024,
  /** Rows that are written in one transaction. */
  importBatchRows: 500,

  /** Votes that one transaction may carry. */
  voteBatch: 512,
  /** Votes that may wait; beyond that the service answers 503 instead of growing without bound. */
  voteQueue: 20_000,
  /** How often a batch that met another writer or lost its connection is tried, and the first wait in between. */
  voteAttempts: 6,
  voteRetryMs: 25,
  /** Rows of the headline counters; each API process writes one of them. */
  statisticsShards: 16,
  /** Milliseconds for which the texts in the answer to a vote may be those from before a change. */
  voteTextsMs: 10_000,
  /** Polls whose texts are kept in memory for the answers to votes. */
  votePollsKept: 500,

  /** Members, and facts or votes of them, that one transaction counts towards badges. */
  countedMembers: 40,
  countedFacts: 500,
  /** Facts that a count of a whole history reads at once. */
  recountedFacts: 1_000,
  /** Milliseconds in which changes of community polls gather before their creators' badges follow, and polls at once. */
  ownPollsMs: 1_000,
  ownPollsAtOnce: 20,
  /** Members who were seen today and are remembered, so that their next call costs no look. */
  seenMembers: 50_000,

  /** Rate limits: points per address and window in seconds. A classroom of 40 behind one address must fit. */
  rate: {
    vote: { points: 300, seconds: 60 },
    read: { points: 1_200, seconds: 60 },
    createPoll: { points: 20, seconds: 3_600 },
    /** The same for everybody behind one address. */
    createPollFromAddress: { points: 200, seconds: 3_600 },
    /** Of one member, and of all members behind one address. */
    comment: { points: 10, seconds: 60 },
    commentFromAddress: { points: 300, seconds: 60 },
    report: { points: 20, seconds: 3_600 },
    reportFromAddress: { points: 200, seconds: 3_600 },
    invite: { points: 60, seconds: 3_600 },
    /** Opened polls and copied links that one member may tell of. */
    doing: { points: 120, seconds: 60 },
    /** Calls to sign in, register or change an account, counted in each process. */
    account: { points: 240, seconds: 60 },
    /** Wrong passwords for one account from one address, for one account from addresses unknown to it, from one address. */
    signInHere: { points: 10, seconds: 900 },
    signInAnywhere: { points: 100, seconds: 3_600 },
    signInFromAddress: { points: 100, seconds: 900 },
    /** How long an address from which somebody signed in is known to the account. */
    signedInBefore: { points: 1, seconds: 30 * 86_400 },
    registerFromAddress: { points: 100, seconds: 3_600 },
    /** Wrong passwords of somebody who is signed in. */
    passwordCheck: { points: 10, seconds: 900 },
    /** Exports of what is kept about one member. */
    exportUser: { points: 20, seconds: 3_600 },
    /** Wrong admin passwords from one address. */
    adminFailures: { points: 5, seconds: 60 },
  },

  /** Closed polls that the snapshot reads at once. */
  snapshotBatch: 1_000,
  /** Releases that are kept and can be brought back. */
  releasesKept: 3,
  /** Milliseconds that a requested build waits for more requests. */
  publishDebounceMs: 2_000,
  /** The same where the live list shows the change anyway: a community poll was made, or closed. */
  publishListMs: 5 * 60_000,
  /** Milliseconds between two looks of the publisher for a job that is due, and of a build that waits for another. */
  publishPollMs: 1_000,
  /** Milliseconds without a sign of life after which a running build counts as dead. */
  buildDeadAfterMs: 30_000,
  /** Bytes below which a file is not worth compressing. */
  compressFrom: 500,
  /** Bytes of files that the site service keeps in memory, in all and for one file. */
  siteCacheBytes: 128 * 1024 * 1024,
  siteCacheFileBytes: 512 * 1024,
  /** Bytes of drawn pictures that are kept on disk, pictures that may wait for their turn, and that are remembered. */
  pictureCacheBytes: 400 * 1024 * 1024,
  picturesWaiting: 40,
  picturesKnown: 20_000,
  /** Seconds that a drawn picture may be kept by others: its address changes with what it shows. */
  pictureMaxAgeSeconds: 86_400,
  /** Seconds that a page that others embed may be kept. */
  embedMaxAgeSeconds: 60,
  /** Answers that an embedded result lists; the report has all. */
  embedOptions: 5,
  /** Entries of a feed. */
  feedEntries: 30,
  /** Addresses in one file of the sitemap: search engines take 50,000. */
  sitemapAddresses: 25_000,
  /** Public community polls whose addresses are in the sitemap, newest first. */
  sitemapCommunityPolls: 50_000,
  /** Milliseconds that the API may take to begin an answer. */
  forwardTimeoutMs: 60_000,
  /** Milliseconds that requests get to finish when a service stops. */
  drainMs: 8_000,
  voterCookieDays: 400,
  sessionDays: 30,
  /** Polls that an export of a member's data reads at once. */
  exportBatch: 500,
  /** Passwords that a process hashes or checks at once (19 MiB and a thread each), and that may wait for their turn. */
  passwordsAtOnce: 2,
  passwordsWaiting: 120,
  /** Hours after which a session that is used gets its whole time again; each renewal is a write. */
  sessionRenewHours: 24,

  /** Milliseconds between two looks of a command at whether the shell that npm gave it is still there. */
  parentLookMs: 500,
} as const;
