/**
 * The numbers that no page needs: they would only be weight in the scripts of islands (handbook decision 005). Each names
 * its unit.
 */
export const serverLimits = {
  /** Featured polls that the list shows. */
  communityFeatured: 12,
  /** People that one private poll can have as guests. */
  communityGuests: 200,
  /** Seconds that public, unpersonal API answers may be kept. */
  publicMaxAgeSeconds: 300,

  /** Bytes of a JSON body. */
  jsonBodyBytes: 100_000,
  importRows: 50_000,
  /** Bytes that an import may have thrown away on the heap before they are collected. */
  importHeapBytes: 40_000_000,
  importQuestion: 500,
  importDescription: 5_000,
  importOptionText: 300,
  importOptionId: 80,
  importOptions: 100,
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
  /** The same of a request's head, of the body of a JSON call, and between two looks at who is late with theirs. */
  headMs: 10_000,
  jsonBodyMs: 30_000,
  lateLookMs: 2_000,
  /** Ended builds that the operator sees, and reported comments. */
  buildsListed: 10,
  reportsListed: 200,
  /** Milliseconds without a sign of life after which an import counts as broken off, and that another one waits for it. */
  importDeadAfterMs: 60_000,
  importWaitMs: 30_000,
  /** Imports and polls on one page of the operator's lists, and polls that an undo names. */
  importsListed: 5,
  managedPolls: 10,
  undoNamed: 10,
  /** Milliseconds after which an undo is answered though it goes on. */
  undoAnswerMs: 8_000,
  /** Characters of a file's name that are kept with its import, and of what the import said. */
  importFileName: 200,
  importMessage: 1_000,
  /** Characters of a wrong value that a report repeats. */
  importValueShown: 80,
  /** Bytes of checked rows that wait in memory before a transaction is begun. */
  importBatchBytes: 1024 * 1024,
  /** Rows that are written in one transaction. */
  importBatchRows: 250,

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

  /**
   * What the operator is shown as a burst: so many votes on one poll in so many minutes, and so many times the usual. It is
   * looked for in the last hours, and in no more than the newest votes.
   */
  burst: { minutes: 5, votes: 100, times: 10, hours: 24, most: 50_000, listed: 20 },

  /** Hours for which a new account meets the limits of people without one. */
  accountYoungHours: 24,
  /** Votes of one address or network that a process counts for itself before it shares their count with the others. */
  votesUnshared: 20,

  /**
   * Rate limits: points and window in seconds. A classroom of 40 behind one address must fit. All hold across processes
   * except those of requests, which protect a process (handbook decision 003).
   */
  rate: {
    /** Recorded votes of one address. */
    vote: { points: 300, seconds: 60 },
    /** The same on one poll, of people without an account older than a day: of one address, and of all in its /24 or /48. */
    pollVotes: { points: 600, seconds: 3_600 },
    pollVotesNearby: { points: 1_500, seconds: 3_600 },
    /** Votes of one address that are rejected, and requests to vote of any kind. */
    rejectedVotes: { points: 300, seconds: 60 },
    voteRequests: { points: 3_000, seconds: 60 },
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
    /** Wrong passwords for one account from one address. */
    signInHere: { points: 10, seconds: 900 },
    /** The same from addresses unknown to the account: for the account, from one address, from its /24 or /48 (a school). */
    signInAnywhere: { points: 100, seconds: 3_600 },
    signInFromAddress: { points: 100, seconds: 900 },
    signInFromSubnet: { points: 500, seconds: 900 },
    /** How long an address from which somebody signed in is known to the account. */
    signedInBefore: { points: 1, seconds: 30 * 86_400 },
    registerFromAddress: { points: 100, seconds: 3_600 },
    /** The same of all addresses in a /24 or /48. */
    registerFromSubnet: { points: 250, seconds: 3_600 },
    /** Wrong passwords of somebody who is signed in. */
    passwordCheck: { points: 10, seconds: 900 },
    /** Exports of what is kept about one member. */
    exportUser: { points: 20, seconds: 3_600 },
    /** Wrong admin passwords from one address. */
    adminFailures: { points: 5, seconds: 60 },
    /** The same from strange addresses: of one /24 or /48, which cannot use up the limit of an hour for all, and of all. */
    adminFailuresFromSubnet: { points: 10, seconds: 900 },
    adminFailuresAnywhere: { points: 20, seconds: 60 },
    adminFailuresInAnHour: { points: 100, seconds: 3_600 },
    /** How long an address from which the operator signed in is known. */
    adminSignedInBefore: { points: 1, seconds: 30 * 86_400 },
  },

  /** Ballots that one transaction closes when their end has come, and expired rows that one statement removes. */
  closedAtOnce: 500,
  sweptAtOnce: 500,

  /** Closed polls that the snapshot reads at once. */
  snapshotBatch: 1_000,
  /** Releases that are kept and can be brought back. */
  releasesKept: 3,
  /** Milliseconds that a requested build waits for more requests. */
  publishDebounceMs: 2_000,
  /** The same where the live list shows the change anyway: a community poll was made, or closed. */
  publishListMs: 5 * 60_000,
  /** The same in the middle of an import, whose end asks again: this counts when it is killed before. */
  publishImportMs: 60_000,
  /** Milliseconds between two looks of the publisher for a job that is due, and of a build that waits for another. */
  publishPollMs: 1_000,
  /** Milliseconds without a sign of life after which a running build counts as dead. */
  buildDeadAfterMs: 30_000,
  /** The same when its process is known to be gone. */
  buildGoneAfterMs: 3_000,
  /** Bytes below which a file is not worth compressing. */
  compressFrom: 500,
  /** Bytes of files that the site service keeps in memory, in all and for one file. */
  siteCacheBytes: 128 * 1024 * 1024,
  siteCacheFileBytes: 512 * 1024,
  /** Damaged files of the release that are told one by one. */
  damagedFilesTold: 1_000,
  /** Seconds that a drawn picture may be kept by others: its address changes with what it shows. */
  pictureMaxAgeSeconds: 86_400,
  /** Public community polls whose addresses are in the sitemap, newest first. */
  sitemapCommunityPolls: 50_000,
  /** Milliseconds that the API may take to begin an answer. */
  forwardTimeoutMs: 60_000,
  /** The same for a large body: a file of polls is answered when all of it is imported. */
  forwardUploadTimeoutMs: 300_000,
  /** Of several API services: milliseconds that a connection to one may take, and that one which has none is passed over. */
  apiConnectMs: 2_000,
  apiRestMs: 1_000,
  /**
   * Milliseconds within which every call but the operator's is answered, and that it waits for a free connection; after
   * which a connection to PostgreSQL without an answer is cut, and the one that votes go over.
   */
  answerMs: 15_000,
  databasePatience: { acquireMs: 10_000, silenceMs: 60_000 },
  voteSilenceMs: 5_000,
  /** Seconds after which whoever was refused because the database is away may ask again. */
  unavailableSeconds: 5,
  /** Milliseconds between two log lines that say so. */
  unavailableToldMs: 10_000,
  /** Bytes up to which all pages of a SQLite file are checked before it is opened; a larger one is left to the doctor. */
  checkedAtOpenBytes: 256 * 1024 * 1024,
  /** Milliseconds that a look at health or figures waits for the database. */
  healthMs: 2_000,
  /** Milliseconds for which the result of one test write answers everybody who asks for health. */
  healthWriteMs: 10_000,
  /** Milliseconds that requests get to finish when a service stops. */
  drainMs: 8_000,
  /** Milliseconds that connections which look idle get for a last request when the API stops. */
  lastCallsMs: 300,
  voterCookieDays: 400,
  sessionDays: 30,
  /** Polls that an export of a member's data reads at once. */
  exportBatch: 500,
  /**
   * Passwords that a process hashes or checks at once (19 MiB and a thread each), and that may wait for their turn; places
   * beside these for members who are signed in or were at this address before, one for each.
   */
  passwordsAtOnce: 2,
  passwordsWaiting: 120,
  passwordsReserved: 40,
  /** Hours after which a session that is used gets its whole time again; each renewal is a write. */
  sessionRenewHours: 24,

  /** Milliseconds within which a second signal is the echo of the first. */
  secondSignalMs: 500,
  /** Milliseconds between two looks of a command at whether the shell that npm gave it is still there. */
  parentLookMs: 500,

  /**
   * Free bytes, and names of files, with which builds and backups have room; those that the database needs beside a backup;
   * and those that one batch of votes may need. See `diskRoom`, the one place that reads them.
   */
  diskBytesWanted: 1_000_000_000,
  diskFilesWanted: 20_000,
  diskBytesNeeded: 100_000_000,
  diskBytesForVotes: 4_000_000,
} as const;
