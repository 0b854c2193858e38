import type { Database } from '#platform/database.ts';
import { priorities, recordChanges } from './changes.service.ts';

/**
 * Records what pages show differently after a decision about votes of a ballot: the poll, with a new date of its report,
 * and what lists it. Call it in the transaction of the decision.
 */
export async function recordRecount(trx: Database, now: number, ballotId: string): Promise<void> {
  const ballot = await trx('ballots')
    .where({ id: ballotId })
    .first<Ballot | undefined>('kind', 'category', 'listed', 'closed_at');
  if (!ballot) return;
  const { kind, category, listed, closed_at } = ballot;
  if (kind === 'poll') {
    // Always a different date: the answers to votes keep what they say about the poll as long as it stays the same.
    const updated_at = trx.raw('case when updated_at = ? then updated_at + 1 else ? end', [now, now]);
    await trx('polls').where({ id: ballotId }).update({ updated_at });
  }
  if (!listed) return;
  const change = kind === 'community' ? kind : closed_at === null ? 'poll' : 'report';
  await recordChanges(trx, now, [{ kind: change, key: ballotId, event: 'recounted' }]);
  // The poll may have left the most voted ones, which the publisher couldn't see afterward.
  if (change === 'report' && category !== null)
    await recordChanges(trx, now, [{ kind: 'related', key: category }], priorities.background);
}

interface Ballot {
  readonly kind: 'poll' | 'community';
  readonly category: string | null;
  readonly listed: boolean | 0 | 1;
  readonly closed_at: number | null;
}
