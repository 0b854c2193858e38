import { pollKinds } from '#contract/vocabulary.ts';
import { pollSubject } from '#api/events/events.ts';
import type { PollEvent } from '#api/events/events.ts';
import { record } from '#api/events/record.service.ts';
import { idList, selectRows } from '#platform/bulk-rows.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';

/** Ballots whose opening one transaction records. */
const openedAtOnce = 500;
/** Milliseconds by which the clocks of processes may differ. */
const clockSkewMs = 3_600_000;

/** Of polls that were created, changed, reopened, or shown, opens those whose start has come, once per opening. */
export async function openStarted(trx: Database, events: readonly PollEvent[]): Promise<void> {
  const again = events.filter(({ type }) => type === 'poll.reopened');
  await forgetOpenings(
    trx,
    again.map(({ subject }) => subject.id),
  );
  const ids = events.map(({ subject }) => subject.id);
  // Whoever creates or changes polls has their pages published.
  await openPolls(trx, ids, { at: events[0]!.at, publish: null });
}

/** Records the opening of those ballots that are open at the moment `at` and whose opening is not recorded. */
async function openPolls(
  trx: Database,
  ids: readonly string[],
  { at, publish }: { readonly at: number } & Pick<PollEvent, 'publish'>,
): Promise<void> {
  const isOpen = `is_active and closed_at is null and starts_at <= ${at}`;
  const rows = await selectRows<{ ballot_id: string }>(
    trx,
    `insert into poll_openings (ballot_id)
     select id from ballots where id in ${idList(trx)} and ${isOpen} ${isSqlite(trx) ? '' : 'for key share'}
     on conflict do nothing returning ballot_id`,
    ids,
  );
  if (rows.length === 0) return;
  const opened = rows.map(({ ballot_id: id }) => id);
  const ballots = await trx('ballots').whereIn('id', opened).select('id', 'kind', 'listed');
  await record(
    trx,
    ballots.map(({ id, kind, listed }) => ({
      ...{ type: 'poll.opened', at, subject: pollSubject(kind, id), poll: { kind, listed } },
      // Pages of community polls show when they open, and are the same afterward.
      publish: kind === 'poll' ? publish : null,
    })),
  );
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
      if (ids.length > 0) await db.transaction((trx) => openPolls(trx, ids, { at: now, publish: {} }));
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
