import type { Visibility } from '#contract/vocabulary.ts';
import type { GuardedPoll } from '#domain/poll-visibility.ts';
import type { Database } from '#platform/database.ts';

/**
 * What the policy needs of a community poll, whether the user is among its guests, and has been here as one; null when
 * there is no such poll.
 */
export async function guardedPoll(
  db: Database,
  pollId: string,
  userId: string | null,
): Promise<(GuardedPoll & { readonly invited: boolean; readonly opened: boolean }) | null> {
  const row = await db('community_polls')
    .join('ballots', 'ballots.id', 'community_polls.id')
    .leftJoin('community_poll_guests as guest', (join) => {
      join.on('guest.poll_id', 'community_polls.id').andOnVal('guest.user_id', userId ?? '');
    })
    .where('community_polls.id', pollId)
    .first<Row | undefined>(
      'visibility',
      'created_by',
      'is_active',
      'starts_at',
      'ends_at',
      'closed_at',
      'guest.user_id as guest_id',
      'guest.accepted_at',
    );
  return row
    ? {
        visibility: row.visibility,
        createdBy: row.created_by,
        isActive: Boolean(row.is_active),
        startsAt: Number(row.starts_at),
        endsAt: row.ends_at === null ? null : Number(row.ends_at),
        closedAt: row.closed_at === null ? null : Number(row.closed_at),
        invited: row.guest_id !== null,
        opened: row.accepted_at !== null,
      }
    : null;
}

interface Row {
  readonly visibility: Visibility;
  readonly created_by: string | null;
  readonly is_active: boolean | number;
  readonly starts_at: number | string;
  readonly ends_at: number | string | null;
  readonly closed_at: number | string | null;
  readonly guest_id: string | null;
  readonly accepted_at: number | string | null;
}
