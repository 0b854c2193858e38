import type { EarnedBadge, UserExport } from '#contract/profile.ts';
import { iso } from '#platform/clock.ts';
import { beginWriting, isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { ActivityRow } from './timeline.queries.ts';

/** One account after the other is deleted: two members who commented on each other's polls would wait in a circle. */
export async function takeTurnInLeaving(trx: Database): Promise<void> {
  await beginWriting(trx);
  if (!isSqlite(trx)) await trx.raw("select pg_advisory_xact_lock(hashtextextended('leaving', 0))");
}

/** What a member did, oldest first. */
export async function activitiesOf(db: Database, userId: string): Promise<ActivityRow[]> {
  return db('activities').where({ user_id: userId }).orderBy(['created_at', 'id']).select<ActivityRow[]>();
}

/** What a member earned, oldest first. */
export async function badgesOf(db: Database, userId: string): Promise<EarnedBadge[]> {
  const rows = await db('badges').where({ user_id: userId }).orderBy(['earned_at', 'id']).select<BadgeRow[]>();
  return rows.map((row) => ({
    badgeType: row.badge_type,
    earnedAt: iso(row.earned_at),
    metadata: JSON.parse(row.metadata) as EarnedBadge['metadata'],
  }));
}

/** Private polls that a member is invited to. */
export async function invitationsOf(db: Database, userId: string): Promise<UserExport['invitations']> {
  const rows = await db('community_poll_guests')
    .where({ user_id: userId })
    .orderBy(['invited_at', 'poll_id'])
    .select<{ poll_id: string; invited_at: number }[]>('poll_id', 'invited_at');
  return rows.map(({ poll_id: pollId, invited_at }) => ({ pollId, invitedAt: iso(invited_at) }));
}

/** Comments that a member told the operator about. */
export async function reportsOf(db: Database, userId: string): Promise<UserExport['reports']> {
  const rows = await db('comment_reports')
    .where({ user_id: userId })
    .orderBy(['created_at', 'comment_id'])
    .select<{ comment_id: string; reason: string | null; created_at: number }[]>('comment_id', 'reason', 'created_at');
  return rows.map(({ comment_id, reason, created_at }) => ({
    commentId: comment_id,
    reason,
    createdAt: iso(created_at),
  }));
}

/** When the sessions of a member end that have not ended yet. */
export async function sessionEndsOf(db: Database, userId: string, now: number): Promise<UserExport['sessions']> {
  const ends = await db('sessions')
    .where({ user_id: userId })
    .where('expire', '>', now)
    .orderBy('expire')
    .pluck('expire');
  return (ends as number[]).map((end) => ({ expiresAt: iso(end) }));
}

interface BadgeRow {
  readonly badge_type: string;
  readonly earned_at: number;
  readonly metadata: string;
}
