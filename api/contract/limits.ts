/* The numbers that client and server share; each names its unit. Imported as a whole: `import * as limits`. */

/** Polls on one page of the archive. */
export const historicalPageSize = 9;
/** Largest `limit` that the archive call accepts. */
export const historicalPageSizeMax = 50;
/** Page-number buttons shown at once. */
export const pageWindow = 5;
/** Options of a poll that are offered for voting and shown in the results view. */
export const offeredOptions = 3;
export const relatedPolls = 6;
export const countriesShown = 6;
/** Characters of an option's text on a chart before the ellipsis. */
export const chartLabel = 15;
export const breadcrumbQuestion = 40;
export const metaDescription = 160;
/** A generated summary says that so few answers show nothing about anyone else. */
export const fewVotes = 30;

export const communityPageSize = 6;
export const communityOptionsMin = 2;
export const communityOptionsMax = 10;
export const communityQuestion = 200;
export const communityDescription = 2_000;
export const communityOption = 120;
/** Years from now in which a community poll may start and end. */
export const communityYearsAhead = 10;
/** Milliseconds by which a browser's clock may run ahead: a poll that starts within them starts now. */
export const communityStartSlackMs = 120_000;
/** Characters of a description that the pre-rendered card has: more than there is room for. */
export const cardDescription = 400;
export const commentLength = 500;
export const commentPageSize = 50;
/** Comments that the page of a community poll has in its HTML. */
export const commentsRendered = 20;
export const usernameMin = 3;
export const usernameMax = 30;
export const personName = 100;
export const passwordMin = 6;
export const passwordMax = 200;
export const profileImageUrl = 2_000;
export const badges = 54;
export const blogCardTags = 3;
export const relatedArticles = 3;
export const articleTitle = 120;
export const articleExcerpt = 200;
export const articleTagsMin = 3;
export const articleTagsMax = 5;
/** Words that a reader takes in a minute, for the reading time. */
export const readingWordsPerMinute = 220;
/** Headings from which a text gets a table of contents. */
export const contentsFrom = 3;
/** Rows, lines and points of one figure: more would not be read. */
export const chartRows = 12;
export const chartSeries = 3;
export const chartPoints = 60;
export const profileRecent = 5;
export const activityPageSize = 20;
export const activityPageSizeMax = 50;
/** Characters that a search through activities takes, and how many of the newest activities it looks at. */
export const activitySearchLength = 100;
export const activitySearchDepth = 2_000;
/** Days that the profile's calendar shows, today among them. */
export const activityDays = 365;

/** Milliseconds between two looks of an open poll page at the API. */
export const pollRefetchMs = 30_000;
/** Milliseconds between two looks of an open community poll page at the API, while the page is in view. */
export const communityRefetchMs = 5_000;
/** The same once the poll is closed: only comments can still come. */
export const communityClosedRefetchMs = 30_000;
/** Longest wait between two looks while the API does not answer. */
export const communityRefetchMaxMs = 60_000;
/** How far the time between two looks differs from page to page, as a share of it. */
export const communityRefetchSpread = 0.2;
export const toastDisplayMs = 5_000;
export const toastRemoveMs = 1_000_000;
export const toastSwipePx = 50;
export const tooltipDelayMs = 700;
export const tooltipSkipDelayMs = 300;
export const copiedIndicatorMs = 2_000;
/** Milliseconds after which the browser gives up a call. */
export const callTimeoutMs = 15_000;
/** Days for which a link that previews a scheduled poll is valid. */
export const previewLinkDays = 7;
/** Milliseconds after which a page that is rendered on demand gives up on the API. */
export const pageCallTimeoutMs = 5_000;
/** Bytes and rows of one imported CSV file. */
export const importBytes = 20 * 1024 * 1024;
export const importShortText = 200;
/** Milliseconds between two looks of the operator's page at a build that runs, and at none. */
export const buildLookMs = 1_000;
export const publishingLookMs = 10_000;
/** Milliseconds up to which a build that waits begins "in a moment". */
export const buildSoonMs = 10_000;
/** Bytes of drawn pictures that are kept on disk, pictures that may wait for their turn, and that are remembered. */
export const pictureCacheBytes = 400 * 1024 * 1024;
export const picturesWaiting = 40;
export const picturesKnown = 20_000;
/** Seconds that a page that others embed may be kept. */
export const embedMaxAgeSeconds = 60;
/** Answers that an embedded result lists; the report has all. */
export const embedOptions = 5;
/** Entries of a feed. */
export const feedEntries = 30;
/** Addresses in one file of the sitemap: search engines take 50,000. */
export const sitemapAddresses = 25_000;
