import { serverLimits } from '#contract/server-limits.ts';
import type { Database } from '#platform/database.ts';

/** A ballot that was closed just now. */
export interface ClosedBallot {
  readonly id: string;
  readonly kind: 'poll' | 'community';
  /** Anyone may find it; false for unlisted and private community polls. */
  readonly listed: boolean | 0 | 1;
  readonly category: string | null;
}

/** Closes some ballots whose end has come, or all where they are few: closed_at is their end time. */
export async function closeDueBallots(trx: Database, now: number): Promise<ClosedBallot[]> {
  // Locked in the order of ids, as votes lock them, so that neither waits for the other in a circle.
  const due = trx('ballots')
    .whereNull('closed_at')
    .where('ends_at', '<=', now)
    .orderBy('id')
    .limit(serverLimits.closedAtOnce)
    .select('id')
    .forUpdate();
  return (
    trx('ballots')
      // As a query inside another one it could be asked again for every row, and each time for the next ones.
      .withMaterialized('due', due)
      .whereIn('id', trx('due').select('id'))
      .whereNull('closed_at')
      .update({ is_active: false, closed_at: trx.ref('ends_at') })
      .returning<ClosedBallot[]>(['id', 'kind', 'listed', 'category'])
  );
}

/** The next moment at which a poll opens or a ballot closes, or null. Nothing is done when a community poll opens. */
export async function nextTurn(db: Database, now: number): Promise<number | null> {
  const ends = await db('ballots').whereNull('closed_at').min('ends_at as moment').first<Moment>();
  const starts = await db('ballots')
    .where({ kind: 'poll' })
    .whereNull('closed_at')
    .where('starts_at', '>', now)
    .min('starts_at as moment')
    .first<Moment>();
  const moments = [ends.moment, starts.moment].filter((moment) => moment !== null);
  return moments.length === 0 ? null : Math.min(...moments);
}

/** How many polls opened after `from` and not after `to`. */
export async function startedSince(db: Database, from: number, to: number): Promise<number> {
  const row = await db('ballots')
    .where({ kind: 'poll' })
    .whereNull('closed_at')
    .where('starts_at', '>', from)
    .where('starts_at', '<=', to)
    .count('* as count')
    .first<{ count: number }>();
  return row.count;
}

interface Moment {
  moment: number | null;
}
