import { pollKinds } from '#contract/vocabulary.ts';
import { idList, selectRows } from '#platform/bulk-rows.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { enqueuePollEvents } from './events.service.ts';

/** Ballots whose opening one transaction records. */
const openedAtOnce = 500;
/** Milliseconds by which the clocks of processes may differ. */
const clockSkewMs = 3_600_000;

/**
 * Queues an event for every listed ballot that has opened and whose opening no process has recorded. Community polls, of
 * which many can be open, are found if they opened after `checkedAt`; null: all.
 */
export async function recordOpenings(db: Database, now: number, checkedAt: number | null): Promise<void> {
  for (const kind of pollKinds) {
    const since = kind === 'poll' || checkedAt === null ? -1 : checkedAt - clockSkewMs;
    for (;;) {
      const ids = await unrecordedOpenings(db, { kind, since, now });
      if (ids.length > 0)
        await db.transaction(async (trx) => {
          const opened = await insertOpenings(trx, ids);
          await enqueuePollEvents(
            trx,
            opened.map((pollId) => ({ type: 'poll.opened', at: now, pollId })),
          );
        });
      if (ids.length < openedAtOnce) break;
    }
  }
}

/** Ids of ballots that opened after `since` and are not closed, without those whose opening is recorded. */
export async function unrecordedOpenings(
  db: Database,
  { kind, since, now }: { readonly kind: string; readonly since: number; readonly now: number },
): Promise<string[]> {
  return db('ballots as b')
    .where({ 'b.kind': kind, 'b.is_active': true })
    .whereNull('b.closed_at')
    .where('b.starts_at', '>', since)
    .where('b.starts_at', '<=', now)
    .whereNotExists(db('poll_openings as o').whereRaw('o.ballot_id = b.id').select(db.raw('1')))
    .limit(openedAtOnce)
    .pluck<string[]>('b.id');
}

/** Records openings; returns the ids of those that no other process has recorded, of ballots that still exist. */
async function insertOpenings(trx: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await selectRows<{ ballot_id: string }>(
    trx,
    `insert into poll_openings (ballot_id)
     select id from ballots where id in ${idList(trx)} ${isSqlite(trx) ? '' : 'for key share'}
     on conflict do nothing returning ballot_id`,
    ids,
  );
  return rows.map(({ ballot_id: id }) => id);
}

/** Lets the next openings of ballots that are reopened be reported, too. */
export async function forgetOpenings(trx: Database, ballotIds: readonly string[]): Promise<void> {
  await trx('poll_openings')
    .whereIn('ballot_id', [...ballotIds])
    .del();
}
