import { pollKinds } from '#contract/vocabulary.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import { enqueuePollEvents } from '#api/webhooks/events.service.ts';
import { idList, selectRows } from '#platform/bulk-rows.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

/** Ballots whose opening one transaction records. */
const openedAtOnce = 500;
/** Milliseconds by which the clocks of processes may differ. */
const clockSkewMs = 3_600_000;

interface OpenedBallot {
  readonly id: string;
  readonly kind: (typeof pollKinds)[number];
}

/**
 * What follows when ballots open, once per opening, in the transaction that opens them: of these, those that are open at the
 * moment `at` and whose opening is not recorded, which it returns. Whoever creates or changes them records their pages.
 */
export async function pollsOpened(trx: Database, ids: readonly string[], at: number): Promise<OpenedBallot[]> {
  if (ids.length === 0) return [];
  const isOpen = `is_active and closed_at is null and starts_at <= ${at}`;
  const rows = await selectRows<{ ballot_id: string }>(
    trx,
    `insert into poll_openings (ballot_id)
     select id from ballots where id in ${idList(trx)} and ${isOpen} ${isSqlite(trx) ? '' : 'for key share'}
     on conflict do nothing returning ballot_id`,
    ids,
  );
  if (rows.length === 0) return [];
  const opened = rows.map(({ ballot_id: id }) => id);
  await enqueuePollEvents(
    trx,
    opened.map((pollId) => ({ type: 'poll.opened', at, pollId })),
  );
  return trx('ballots').whereIn('id', opened).select<OpenedBallot[]>('id', 'kind');
}

/** The same for ballots that were closed, whose earlier opening is over. */
export async function pollsReopened(trx: Database, ids: readonly string[], at: number): Promise<void> {
  await forgetOpenings(trx, ids);
  await pollsOpened(trx, ids, at);
}

/**
 * Opens what has reached its start and nobody has recorded, with all that follows; several processes may do it at once.
 * Community polls, of which many can be open, are found if they opened after `checkedAt`; null: all.
 */
export async function openDue(db: Database, now: number, checkedAt: number | null): Promise<void> {
  for (const kind of pollKinds) {
    // The clock was set back, or the start was moved: they open again.
    const early = await earlyOpenings(db, { kind, now });
    if (early.length > 0) await forgetOpenings(db, early);
    const since = kind === 'poll' || checkedAt === null ? -1 : checkedAt - clockSkewMs;
    for (;;) {
      const ids = await unrecordedOpenings(db, { kind, since, now });
      if (ids.length > 0)
        await db.transaction(async (trx) => {
          const opened = await pollsOpened(trx, ids, now);
          // Pages of community polls show when they open, and are the same afterward.
          const changed = opened.filter((ballot) => ballot.kind === 'poll');
          const changes = changed.map(({ id }) => ({ kind: 'poll', key: id, event: 'opened' }) as const);
          await recordChanges(trx, now, changes);
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

/** Ids of ballots that start after the moment `now`, but whose opening is recorded. */
export async function earlyOpenings(
  db: Database,
  { kind, now }: { readonly kind: string; readonly now: number },
): Promise<string[]> {
  return db('ballots as b')
    .where({ 'b.kind': kind })
    .whereNull('b.closed_at')
    .where('b.starts_at', '>', now)
    .whereExists(db('poll_openings as o').whereRaw('o.ballot_id = b.id').select(db.raw('1')))
    .limit(openedAtOnce)
    .pluck<string[]>('b.id');
}

async function forgetOpenings(trx: Database, ballotIds: readonly string[]): Promise<void> {
  await trx('poll_openings')
    .whereIn('ballot_id', [...ballotIds])
    .del();
}
