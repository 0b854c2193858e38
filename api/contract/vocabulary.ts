/** Enumerations and names shared by the API, the database, and the site. */

export const communityCategories = [
  'General',
  'Politics',
  'Technology',
  'Business & Finance',
  'Science',
  'Health',
  'Education',
  'Environment',
  'Sports',
  'Entertainment',
  'Lifestyle',
  'Travel',
  'Gaming',
  'World News',
  'Local Issues',
] as const;
export type CommunityCategory = (typeof communityCategories)[number];

export const visibilities = ['public', 'unlisted', 'private'] as const;
export type Visibility = (typeof visibilities)[number];

/** How a ballot is filled in: with one option, with several that count alike, or with some in order, the favorite first. */
export const ballotMethods = ['single', 'several', 'ranked'] as const;
export type BallotMethod = (typeof ballotMethods)[number];

/** Orders of the list of community polls. */
export const communitySorts = ['newest', 'trending', 'ending-soon', 'most-voted'] as const;
export type CommunitySort = (typeof communitySorts)[number];

/** Filters of the list of community polls; `unvoted`: open ones that the reader has not voted on. */
export const communityStates = ['open', 'closed', 'unvoted'] as const;
export type CommunityState = (typeof communityStates)[number];

/** What may be wrong with the wording of a poll. */
export const wordingProblems = [
  'leading',
  'double-barreled',
  'double-negative',
  'overlapping',
  'unbalanced',
  'no-dont-know',
] as const;
export type WordingProblem = (typeof wordingProblems)[number];

/** Who sees the results of a community poll besides its creator, and from when on. */
export const resultVisibilities = ['after-voting', 'always', 'after-end', 'creator'] as const;
export type ResultVisibility = (typeof resultVisibilities)[number];

/** The orders of options that differ from browser to browser, by how many at the end stay there. */
export const randomOrders = ['random', 'random-1', 'random-2', 'random-3'] as const;
/**
 * The order of the options that voters see: as published; or of each browser’s own, with as many at the end that stay there. The
 * order `auto` of new polls becomes one of the others by the options; see `api/domain/option-order.ts`.
 */
export const optionOrders = ['auto', 'fixed', ...randomOrders] as const;
export type OptionOrder = (typeof optionOrders)[number];
/** The header of a vote whose voter saw the options in an order of the browser’s own. */
export const optionOrderHeader = 'x-option-order';

/** Circumstances of votes that count like others and are reported apart; see `api/domain/integrity/vote-traits.ts`. */
export const circumstanceNames = ['afterResults', 'publishedOrder', 'embedded', 'onScreen'] as const;
export type Circumstance = (typeof circumstanceNames)[number];

/** What a vote on a poll needs, from the lowest to the highest level; see `api/domain/protection.ts`. */
export const protections = ['browser', 'check', 'email', 'members', 'invited'] as const;
export type Protection = (typeof protections)[number];
/** Those that can be chosen: `invited` is what private polls have. */
export const pollProtections = ['browser', 'check', 'email', 'members'] as const;
export type PollProtection = (typeof pollProtections)[number];

export const historicalSorts = ['newest', 'oldest', 'most-voted', 'least-voted'] as const;
export type HistoricalSort = (typeof historicalSorts)[number];

/** What can be stated of imported answers. */
export const provenanceFields = ['source', 'sample', 'fieldDates', 'mode', 'sponsor', 'license', 'link'] as const;

/** What closed polls are listed by. */
export const topicKinds = ['category', 'tag', 'series', 'year'] as const;
export type TopicKind = (typeof topicKinds)[number];

export const activityTypes = ['vote', 'poll_created', 'comment', 'badge_earned'] as const;
export type ActivityType = (typeof activityTypes)[number];

/** What members can report to the moderators, and why. */
export const reportedKinds = ['comment', 'poll', 'member'] as const;
export type ReportedKind = (typeof reportedKinds)[number];
export const reportCategories = ['spam', 'abuse', 'private', 'illegal', 'other'] as const;
export type ReportCategory = (typeof reportCategories)[number];

/** What moderators do. `show` takes `hide` back, `lift` ends a suspension, `dismiss` leaves what was reported as it is. */
export const moderationActions = ['hide', 'show', 'delete', 'close', 'suspend', 'lift', 'dismiss'] as const;
export type ModerationAction = (typeof moderationActions)[number];

/** Kinds of notification. `moderation`: a moderator, or the creator of the poll, decided about something of the member; `sign-in`: someone has the password. */
export const notificationKinds = [
  ...(['invited', 'answer', 'comment', 'reply', 'mention', 'result', 'featured', 'badge'] as const),
  ...(['report', 'moderation', 'sign-in'] as const),
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The kinds that members may turn off. */
export const mutableKinds = [
  ...(['invited', 'answer', 'comment', 'reply', 'mention', 'result', 'featured', 'badge', 'report'] as const),
] as const;
export type MutableKind = (typeof mutableKinds)[number];

/** States of a weekly poll in the operator's filter. */
export const managedStates = ['draft', 'scheduled', 'open', 'closed'] as const;
export type ManagedState = (typeof managedStates)[number];

/** Kinds of polls: the operator's weekly polls, and those of members. */
export const pollKinds = ['poll', 'community'] as const;
export type PollKind = (typeof pollKinds)[number];

/** Path segments under /api/polls that are not ids of polls. */
export const reservedPollIds = ['active', 'historical', 'related', 'bulk-upload'] as const;
/** The same under /api/community-polls. */
export const reservedCommunityPollIds = ['featured', 'categories', 'count', 'new'] as const;

/** The archive's category for no filter. */
export const allCategories = 'all';

export const pollIdPattern = '^[A-Za-z0-9_-]{1,80}$';
/** Device ids that the server accepts. Generated ones are longer (see domain/device-id). */
export const deviceIdPattern = '^device_[0-9a-z]{8,64}$';
export const deviceIdHeader = 'x-device-id';

/** Header that identifies a repeated request: generated with a draft, unique per user. */
export const idempotencyKeyHeader = 'idempotency-key';
export const idempotencyKeyPattern = '^[A-Za-z0-9_-]{16,64}$';

/** Header with the solution of a challenge, as JSON in base64. */
export const challengeHeader = 'x-challenge-solution';

/** Header with the request for a mailed code and the code, joined by a dot. */
export const emailCodeHeader = 'x-email-code';

/** Header with what the browser contributes to the receipt of its vote. */
export const nonceHeader = 'x-vote-nonce';
export const noncePattern = '^[0-9a-f]{32}$';

/** Header of requests of a ballot in another site’s page. */
export const embeddedHeader = 'x-embedded';

/** Header with the code that the poll’s screen showed in the voter’s room; see `api/voting/room-codes.service.ts`. */
export const roomHeader = 'x-room-code';
/** What precedes that code in the hash of the address that the screen shows. */
export const roomHash = '#room=';

/** Header with the host of the page that led to a vote, or that embeds a poll. */
export const referringHostHeader = 'x-referring-host';

/** Header with the admin password in requests of the operator. */
export const adminPasswordHeader = 'x-admin-password';

/** What an operator may do: everything; polls, imports, and articles; reports, members, and flagged votes. */
export const operatorRoles = ['owner', 'editor', 'moderator'] as const;
export type OperatorRole = (typeof operatorRoles)[number];
/** Who may call an admin endpoint: one role beside the owner, or every role. */
export type OperatorPermission = OperatorRole | 'operator';

/** What an API token is for: each endpoint that tokens may call names one of these. */
export const apiScopes = ['import', 'publish', 'read', 'content'] as const;
export type ApiScope = (typeof apiScopes)[number];

/** Cookie without personal data that tells static pages whether to load the account menu. */
export const accountHintCookie = 'wv_account';

/** Cookie that binds the challenge of a passkey to the browser; begins with `__Host-` on https. */
export const passkeyCookie = 'wv_passkey';
/** Recognizes a device that has signed in before, for each account on its own. */
export const knownDeviceCookie = 'wv_known';

/** Cookie of a session; its signature is in a cookie of the same name with `.sig`. */
export const sessionCookie = 'wv_session';
/** The same on https: browsers accept this prefix only from this host, with Secure and for all paths. */
export const hostSessionCookie = '__Host-wv_session';

/** Why a password is easy to guess; `guessable`: for no single reason. */
export type PasswordWeakness = 'own' | 'common' | 'keyboard' | 'repeated' | 'sequence' | 'date' | 'guessable';

/** How often a member gets notifications by mail. */
export const digestPeriods = ['off', 'daily', 'weekly'] as const;
export type DigestPeriod = (typeof digestPeriods)[number];
