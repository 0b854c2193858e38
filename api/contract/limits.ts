/* The numbers that client and server, or the API and the site service, share; each names its unit. `import * as limits`. */

/** Polls on one page of the archive. */
export const historicalPageSize = 9;
/** Largest `limit` that the archive endpoint accepts. */
export const historicalPageSizeMax = 50;
/** The newest years, which the archive links to. */
export const archiveYears = 30;
/** Page-number buttons shown at once. */
export const pageWindow = 5;
/** Options of a poll that are offered for voting and shown in the results view. */
export const offeredOptions = 3;
/** Milliseconds before its end when an open poll moves to the top of the list. */
export const closingSoonMs = 2 * 86_400_000;
export const relatedPolls = 6;
export const countriesShown = 6;
/** Characters of an option's text on a chart before the ellipsis. */
export const chartLabel = 15;
/** Options that a chart draws before it combines the others. */
export const chartSlices = 6;
/** Votes from which a report shows them over time, and hours at its beginning that are shown one by one from this many votes. */
export const timelineVotes = 30;
export const hourlyHours = 48;
export const hourlyVotes = 200;
/** The newest waves of a series, which its reports show. */
export const seriesWaves = 24;
/** Series on one page of their list. */
export const seriesPageSize = 24;
export const breadcrumbQuestion = 40;
export const metaDescription = 160;
/** Votes below which a generated summary says that they show nothing about anyone else. */
export const fewVotes = 30;

/** Minutes for which a mailed code is valid, and tries to enter it. */
export const mailedCodeMinutes = 10;
export const mailedCodeTries = 5;
/** Minutes after which a right password from an unknown device counts without another proof. */
export const signInWaitMinutes = 60;

export const communityPageSize = 6;
export const communityOptionsMin = 2;
export const communityOptionsMax = 10;
/**
 * Ballots of a poll from which on anyone may read rankings: with ten options there are millions of them, so that somebody who
 * buys a vote, or forces it, could ask for a rare one, and find it in a short list. Rounds and pairs are published anyway.
 */
export const leastRankedBallots = 100;
export const communityQuestion = 200;
export const communityDescription = 2_000;
export const communityOption = 120;
/** Different answers that voters of one poll can write, and how many of them can wait for its creator. */
export const writeIns = 30;
export const writeInsWaiting = 10;
/** Recorded edits of one community poll. */
export const communityEdits = 50;
/** Guests of one private community poll. */
export const communityGuests = 200;
/** Days after which a link to join one can expire. */
export const inviteLinkDays = [1, 7, 30] as const;
/** Years from now in which a community poll may start and end. */
export const communityYearsAhead = 10;
export const commentLength = 500;
export const commentPageSize = 50;
/** Milliseconds after posting in which the author may edit a comment. */
export const commentEditMs = 10 * 60_000;
/** Replies that the list of comments includes with each; the others are read with their comment. */
export const repliesShown = 5;
/** Members that one comment can mention. */
export const commentMentions = 10;
/** Characters of the reason for removing a comment. */
export const removalReason = 500;
/** Comments, polls, or members that one request of a moderator names, and entries of a page of reports. */
export const moderatedAtOnce = 200;
export const moderationPageSize = 50;
/** Newest reported things whose pages are listed: finding a page takes longer the further down it is. */
export const reportsShown = 1_000;
/** Entries of a page of the audit log, and characters of an API token’s name. */
export const auditPageSize = 50;
export const apiTokenName = 60;
export const usernameMin = 3;
export const usernameMax = 30;
export const personName = 100;
export const passwordMin = 8;
export const passwordMax = 200;
/** Characters of an email address, also with its domain in ASCII. */
export const email = 254;
/** Days for which the link of a mailed invitation works, and its address is kept. */
export const invitationDays = 30;
/** Recovery codes created for an account. */
export const recoveryCodes = 8;

/** Days for which a link that confirms an email address works, and after which it is sent once more. */
export const emailLinkDays = 3;
/** Passkeys of one account, and characters of a name. */
export const passkeys = 20;
export const passkeyName = 60;
/** Bytes and pixels of a picture that a member uploads, and pixels of each side of the one that is stored. */
export const pictureBytes = 10_000_000;
export const picturePixels = 25_000_000;
export const pictureSide = 256;
export const badges = 54;
export const blogCardTags = 3;
export const relatedArticles = 3;
export const profileRecent = 5;
/** Notifications that a member sees, on pages of this size; older ones are only in the export. */
export const notificationsShown = 200;
export const notificationPageSize = 20;
/** Newest comments whose authors one notification counts. */
export const groupedComments = 1_000;
export const activityPageSize = 20;
export const activityPageSizeMax = 50;
/** Characters of a search through activities, and how many of the newest activities it searches. */
export const activitySearchLength = 100;
export const activitySearchDepth = 2_000;
/** Days in the profile's calendar, including today. */
export const activityDays = 365;

/** Milliseconds between refetches of an open poll page. */
export const pollRefetchMs = 30_000;
/** Milliseconds between reads of a screen in a room, and the most options that it has in one column. */
export const screenRefetchMs = 1_000;
export const screenColumn = 5;
/** Milliseconds between refetches of an open community poll page while it is visible. */
export const communityRefetchMs = 5_000;
/** The same after the poll is closed, when only comments can change. */
export const communityClosedRefetchMs = 30_000;
/** Longest time between refetches while the API does not respond. */
export const communityRefetchMaxMs = 60_000;
/** Random variation of the refetch interval, as a share of it. */
export const communityRefetchSpread = 0.2;
export const toastDisplayMs = 5_000;
export const toastRemoveMs = 1_000_000;
export const toastSwipePx = 50;
export const tooltipDelayMs = 700;
export const tooltipSkipDelayMs = 300;
export const copiedIndicatorMs = 2_000;
/** Milliseconds after which the browser aborts a request. */
export const callTimeoutMs = 15_000;
/** Days for which a preview link of a scheduled poll is valid. */
export const previewLinkDays = 7;
/** Milliseconds after which a page rendered on demand stops waiting for the API. */
export const pageCallTimeoutMs = 5_000;
/** Bytes and rows of one imported CSV file. */
export const importBytes = 20 * 1024 * 1024;
export const importRows = 50_000;
export const importShortText = 200;
/** Addresses that the audit lists of those that nobody recorded as changed; so many show that something is wrong. */
export const auditMissedListed = 100;
/** Milliseconds between refetches of the operator's page while something is published, and otherwise. */
export const buildRefetchMs = 1_000;
export const publishingRefetchMs = 5_000;

/** Bytes of a JSON body. */
export const jsonBodyBytes = 100_000;
/** Bytes of one with an article or an analysis: its characters have up to four bytes each. */
export const longJsonBodyBytes = 2_000_000;
/** Bytes in the form of a vote: one option id. */
export const voteFormBytes = 1_000;
/** Milliseconds in which a whole request must arrive: a large file over a slow connection takes minutes. */
export const requestMs = 5 * 60_000;
/** The same for the headers of a request, and for a JSON body. */
export const headMs = 10_000;
export const jsonBodyMs = 30_000;
/** Milliseconds between checks for requests that exceed these timeouts. */
export const timeoutSweepMs = 2_000;
/** Milliseconds that requests in flight get to finish when a service stops. */
export const drainMs = 8_000;
/** Milliseconds in which the API must start to respond to the site service. */
export const forwardTimeoutMs = 60_000;

/** The latest value of a date field: the date format allows four-digit years only. */
export const latestLocalTime = '9999-12-31T23:59';
