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
  /** Characters of a description that the pre-rendered card has: more than there is room for. */
  cardDescription: 400,
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
  toastDisplayMs: 5_000,
  toastRemoveMs: 1_000_000,
  toastSwipePx: 50,
  tooltipDelayMs: 700,
  tooltipSkipDelayMs: 300,
  copiedIndicatorMs: 2_000,
  /** Milliseconds after which the browser gives up a call. */
  callTimeoutMs: 15_000,
  /** Days for which a link that previews a scheduled poll is valid. */
  previewLinkDays: 7,
  /** Milliseconds after which a page that is rendered on demand gives up on the API. */
  pageCallTimeoutMs: 5_000,
  /** Bytes and rows of one imported CSV file. */
  importBytes: 20 * 1024 * 1024,
  importShortText: 200,
  /** Milliseconds between two looks of the operator's page at a build that runs, and at none. */
  buildLookMs: 1_000,
  publishingLookMs: 10_000,
  /** Milliseconds up to which a build that waits begins "in a moment". */
  buildSoonMs: 10_000,
  /** Bytes of drawn pictures that are kept on disk, pictures that may wait for their turn, and that are remembered. */
  pictureCacheBytes: 400 * 1024 * 1024,
  picturesWaiting: 40,
  picturesKnown: 20_000,
  /** Seconds that a page that others embed may be kept. */
  embedMaxAgeSeconds: 60,
  /** Answers that an embedded result lists; the report has all. */
  embedOptions: 5,
  /** Entries of a feed. */
  feedEntries: 30,
  /** Addresses in one file of the sitemap: search engines take 50,000. */
  sitemapAddresses: 25_000,
} as const;
