import type { Activity, TimelineActivity } from '#contract/profile.ts';
import type { ActivityType, PollKind } from '#contract/vocabulary.ts';
import { iso } from '#platform/clock.ts';

/** What the presenter reads of an activity. Moments in milliseconds. */
interface PresentedActivity {
  readonly id: number;
  readonly activity_type: ActivityType;
  readonly entity_id: string;
  readonly entity_type: Activity['entityType'];
  readonly metadata: string;
  readonly created_at: number;
}

/** Which poll an activity is about. */
export interface AboutPoll {
  readonly id: string;
  readonly kind: PollKind;
}

/** An activity as it is kept. */
export function presentActivity(row: PresentedActivity): Activity {
  return {
    id: row.id,
    activityType: row.activity_type,
    entityId: row.entity_id,
    entityType: row.entity_type,
    metadata: JSON.parse(row.metadata) as Activity['metadata'],
    createdAt: iso(row.created_at),
  };
}

/** An activity with the poll that it is about and the option voted for, as far as its reader may see them. */
export function presentTimelineActivity(
  row: PresentedActivity,
  questions: ReadonlyMap<string, string>,
  choices: ReadonlyMap<string, string>,
): TimelineActivity {
  const about = pollOf(row);
  const question = about && questions.get(about.id);
  return {
    ...presentActivity(row),
    poll: about && question !== undefined && question !== null ? { ...about, question } : null,
    choice: row.activity_type === 'vote' ? (choices.get(row.entity_id) ?? null) : null,
  };
}

/** The poll that an activity is about; null for a badge. */
export function pollOf({
  entity_type,
  entity_id,
  metadata,
}: Pick<PresentedActivity, 'entity_type' | 'entity_id' | 'metadata'>): AboutPoll | null {
  switch (entity_type) {
    case 'poll':
      return { id: entity_id, kind: 'poll' };
    case 'community_poll':
      return { id: entity_id, kind: 'community' };
    case 'comment':
      return { id: (JSON.parse(metadata) as { pollId: string }).pollId, kind: 'community' };
    case 'badge':
      return null;
  }
}
