import type { VotesEvent } from '#api/events/events.ts';
import type { Database } from '#platform/database.ts';
import { priorities, recordChanges } from './changes.service.ts';

/** Has the pages published that show figures which a decision about votes has changed. */
export async function publishRecounts(trx: Database, events: readonly VotesEvent[]): Promise<void> {
  for (const { at, subject, counts } of events) if (counts) await publishRecount(trx, at, subject.id);
}

/** The poll, with a new date of its report, and what lists it. */
async function publishRecount(trx: Database, now: number, ballotId: string): Promise<void> {
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
