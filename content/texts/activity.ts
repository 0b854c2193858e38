import type { ActivityType } from '#contract/vocabulary.ts';

/** Names of activity types. Searching activities matches these words. */
export const activityTypeNames: Readonly<Record<ActivityType, string>> = {
  vote: 'Vote',
  poll_created: 'Poll Created',
  comment: 'Comment',
  badge_earned: 'Badge Earned',
};
