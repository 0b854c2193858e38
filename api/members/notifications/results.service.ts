import * as limits from '#contract/limits.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';

/** Days for which notifications are kept. */
export const storedDays = 180;

/** Milliseconds by which searches overlap: a poll closes a moment after its end, with its end as the recorded time. */
const lookBackMs = 3_600_000;
/** Milliseconds after which the start of the search is advanced even if nothing is found. */
const advanceMs = 86_400_000;

/*
 * Nobody writes a notification per voter when a poll closes: the notifications of a member’s results are inserted when that
 * member’s browser or feed reader asks. So closing a poll costs the same with 100,000 voters, votes need no index by ballot,
 * and there is no fan-out that could be interrupted.
 */

/** Inserts the notifications of polls that the member voted in and that have closed since the last call; each once. */
export async function collectResults(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  userId: string,
): Promise<void> {
  const now = clock.now();
  const reader = await db('users as u')
    .leftJoin('notification_readers as r', 'r.user_id', 'u.id')
    .where('u.id', userId)
    .first<{ after: number } | undefined>(db.raw('coalesce(r.results_after, u.created_at) as after'));
  if (!reader) return;
  const isRecent = reader.after > now - advanceMs;
  if (isRecent && (await newResults(db, userId, reader.after, now).first()) === undefined) return;
  await db.transaction(async (trx) => {
    // With two tabs, one inserts, and the other finds nothing new.
    const after = await lockReader(trx, userId);
    if (after === null) return;
    const found = newResults(trx, userId, after, now).toSQL();
    // As text, because knex puts subqueries into parentheses, which SQLite rejects here.
    await trx.raw(
      `insert into notifications (user_id, kind, subject, poll_id, created_at, latest_at) ${found.sql}
       on conflict (user_id, kind, subject) where read_at is null
       do update set created_at = excluded.created_at, latest_at = excluded.latest_at`,
      found.bindings as string[],
    );
    await trx('notification_readers')
      .where({ user_id: userId })
      .where('results_after', '<', now - lookBackMs)
      .update({ results_after: now - lookBackMs });
  });
}

/** Nobody is notified of polls that closed before the moment `now`, such as while this kind was turned off. */
export async function skipResults(trx: Database, userId: string, now: number): Promise<void> {
  if ((await lockReader(trx, userId)) !== null)
    await trx('notification_readers').where({ user_id: userId }).update({ results_after: now });
}

/** Locks the row of a member in `notification_readers`; returns since when results count, or null without the account. */
export async function lockReader(trx: Database, userId: string): Promise<number | null> {
  const user = await trx('users').where({ id: userId }).forKeyShare().first('created_at');
  if (!user) return null;
  await trx('notification_readers')
    .insert({ user_id: userId, results_after: user.created_at })
    .onConflict('user_id')
    .ignore();
  const reader = await trx('notification_readers')
    .where({ user_id: userId })
    .forUpdate()
    .first<{ results_after: number }>('results_after');
  return reader.results_after;
}

/** A query for the result notifications that a member is missing. */
function newResults(db: Database, userId: string, after: number, now: number) {
  return (
    db('ballots as b')
      // SQLite keeps the order of a cross join: few polls have closed since the last visit.
      .crossJoin('votes as v' as never)
      .leftJoin('community_polls as p', 'p.id', 'b.id')
      .whereRaw('v.ballot_key = b.key')
      .where('v.user_id', userId)
      .whereIn('b.kind', ['poll', 'community'])
      .whereNotNull('b.closed_at')
      .where('b.closed_at', '>', Math.max(after, now - storedDays * 86_400_000))
      .where('b.closed_at', '<=', now)
      // Nobody else sees the results that a creator keeps.
      .whereRaw("(p.result_visibility is null or p.result_visibility <> 'creator' or p.created_by = v.user_id)")
      // Not for creators who closed their own poll early.
      .whereRaw('(p.created_by is null or p.created_by <> v.user_id or b.closed_at = b.ends_at)')
      .whereNotExists(
        db('notifications as n')
          .where({ 'n.user_id': userId, 'n.kind': 'result' })
          .whereRaw('n.subject = b.id')
          // A poll that was reopened has a new result.
          .whereRaw('n.created_at >= b.closed_at')
          .select(db.raw('1')),
      )
      .whereNotExists(db('notification_mutes').where({ user_id: userId, kind: 'result' }).select(db.raw('1')))
      .orderBy('b.closed_at', 'desc')
      .limit(limits.notificationsShown)
      .select(
        'v.user_id',
        db.raw("'result' as kind"),
        'b.id as subject',
        'b.id as poll_id',
        'b.closed_at as created_at',
        'b.closed_at as latest_at',
      )
  );
}
