import type { Visibility } from '#contract/vocabulary.ts';
import type { GuardedPoll } from '#domain/poll-visibility.ts';
import type { Database } from '#platform/database.ts';

/** What the policy needs of a community poll, and what the asking member is to it. */
export interface FoundPoll extends GuardedPoll {
  readonly id: string;
  readonly question: string;
  readonly invited: boolean;
  /** Has been here as a guest. */
  readonly opened: boolean;
}

/** Those of these community polls that are there, as the policy looks at them for one user. */
export async function guardedPolls(
  db: Database,
  pollIds: readonly string[],
  userId: string | null,
): Promise<FoundPoll[]> {
  const rows = await db('community_polls')
    .join('ballots', 'ballots.id', 'community_polls.id')
    .leftJoin('community_poll_guests as guest', (join) => {
      join.on('guest.poll_id', 'community_polls.id').andOnVal('guest.user_id', userId ?? '');
    })
    .whereIn('community_polls.id', pollIds)
    .select<Row[]>(
      'community_polls.id',
      'question',
      'visibility',
      'created_by',
      'is_active',
      'starts_at',
      'ends_at',
      'closed_at',
      'guest.user_id as guest_id',
      'guest.accepted_at',
    );
  return rows.map((row) => ({
    id: row.id,
    question: row.question,
    visibility: row.visibility,
    createdBy: row.created_by,
    isActive: Boolean(row.is_active),
    startsAt: Number(row.starts_at),
    endsAt: row.ends_at === null ? null : Number(row.ends_at),
    closedAt: row.closed_at === null ? null : Number(row.closed_at),
    invited: row.guest_id !== null,
    opened: row.accepted_at !== null,
  }));
}

interface Row {
  readonly id: string;
  readonly question: string;
  readonly visibility: Visibility;
  readonly created_by: string | null;
  readonly is_active: boolean | number;
  readonly starts_at: number | string;
  readonly ends_at: number | string | null;
  readonly closed_at: number | string | null;
  readonly guest_id: string | null;
  readonly accepted_at: number | string | null;
}
