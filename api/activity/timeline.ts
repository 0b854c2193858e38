import type { BadgeKey } from '#contract/badges.ts';
import { badges } from '#domain/badges/catalogue.ts';
import { dayOf } from '#domain/badges/calendar.ts';
import type { KeptFact } from './fact-row.ts';
import type { ActivityRow } from './progress.queries.ts';

/** What the timeline shows of a fact; null for what it does not show. */
export function activityOf(userId: string, event: KeptFact): ActivityRow | null {
  const row = { user_id: userId, created_at: event.at };
  switch (event.fact) {
    case 'vote_cast':
      return {
        ...row,
        activity_type: 'vote',
        entity_id: event.ballotId,
        entity_type: event.kind === 'poll' ? 'poll' : 'community_poll',
        metadata: JSON.stringify({ category: event.category }),
      };
    case 'poll_created': {
      const { visibility, category, options } = event;
      return {
        ...row,
        activity_type: 'poll_created',
        entity_id: event.pollId,
        entity_type: 'community_poll',
        metadata: JSON.stringify({ visibility, category, options }),
      };
    }
    case 'comment_posted':
      return {
        ...row,
        activity_type: 'comment',
        entity_id: event.commentId,
        entity_type: 'comment',
        metadata: JSON.stringify({ pollId: event.pollId }),
      };
    default:
      return null;
  }
}

/** The same of a badge. */
export function badgeActivity(userId: string, badge: BadgeKey, at: number): ActivityRow {
  const { category, tier } = badges[badge];
  return {
    user_id: userId,
    activity_type: 'badge_earned',
    entity_id: badge,
    entity_type: 'badge',
    metadata: JSON.stringify({ category, tier }),
    created_at: at,
  };
}

/** How much of a timeline was done on each day; badges come by themselves. */
export function daysOf(activities: readonly ActivityRow[]): { user_id: string; day: number; count: number }[] {
  const days = new Map<string, { user_id: string; day: number; count: number }>();
  for (const { user_id, activity_type, created_at } of activities) {
    if (activity_type === 'badge_earned') continue;
    const day = dayOf(created_at);
    const row = days.get(`${user_id} ${day}`) ?? { user_id, day, count: 0 };
    row.count += 1;
    days.set(`${user_id} ${day}`, row);
  }
  return [...days.values()];
}
