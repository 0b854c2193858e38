/** Closed lists of words that calls, database and screens share. */

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

export const historicalSorts = ['newest', 'oldest', 'most-voted', 'least-voted'] as const;
export type HistoricalSort = (typeof historicalSorts)[number];

export const activityTypes = ['vote', 'poll_created', 'comment', 'badge_earned'] as const;
export type ActivityType = (typeof activityTypes)[number];

/** Where a weekly poll stands, as the operator asks for it. */
export const managedStates = ['open', 'scheduled', 'closed'] as const;
export type ManagedState = (typeof managedStates)[number];

/** What can be voted on: the operator's polls, and those of members. */
export const pollKinds = ['poll', 'community'] as const;
export type PollKind = (typeof pollKinds)[number];

/** Words of the address space under /api/polls that can never be the id of a poll. */
export const reservedPollIds = ['active', 'historical', 'related', 'bulk-upload'] as const;
/** The same under /api/community-polls. */
export const reservedCommunityPollIds = ['featured', 'categories'] as const;

/** The archive's category that stands for no filter. */
export const allCategories = 'all';

export const pollIdPattern = '^[A-Za-z0-9_-]{1,80}$';
/** What the server accepts as a device id. Ids made here are longer (see domain/device-id). */
export const deviceIdPattern = '^device_[0-9a-z]{8,64}$';
export const deviceIdHeader = 'x-device-id';

/** Header by which a repeated request is known: made with a draft, unique per user. */
export const idempotencyKeyHeader = 'idempotency-key';
export const idempotencyKeyPattern = '^[A-Za-z0-9_-]{16,64}$';

/** Header in which the operator's calls carry the admin password. */
export const adminPasswordHeader = 'x-admin-password';

/** Cookie without any personal byte that tells static pages whether to load the account menu. */
export const accountHintCookie = 'wv_account';

/** Cookie of a session; its signature stands beside it under the same name with `.sig`. */
export const sessionCookie = 'wv_session';
