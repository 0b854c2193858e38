import type { ActivityType } from '#contract/vocabulary.ts';

/** What the types of activities are called, one by one; the search through activities finds them by these words. */
export const activityTypeNames: Readonly<Record<ActivityType, string>> = {
  vote: 'Vote',
  poll_created: 'Poll Created',
  comment: 'Comment',
  badge_earned: 'Badge Earned',
};
