import type { Intervention } from '#api/voting/vote-figures.contract.ts';
import type { Database } from '#platform/database.ts';
import { testNow } from './test-app.ts';

/**
 * Stores a decision about votes of a ballot, and counts that many votes of its first option as not counted. Imported votes
 * become votes cast here, which are the only ones that can be set aside; the votes themselves are not stored.
 */
export async function seedDecision(
  db: Database,
  ballotId: string,
  { number = 1, ...decision }: Omit<Intervention, 'number' | 'action'> & { readonly number?: number },
): Promise<void> {
  const { state, reason, votes } = decision;
  const action = state === 'set-aside' ? 'set-aside' : 'hold';
  await db.transaction(async (trx) => {
    const ballot = await trx('ballots').where({ id: ballotId }).first<Ballot>('key', 'listed', 'in_totals');
    const { key } = ballot;
    await trx('vote_decisions').insert({
      ...{ ballot_key: key, number, action, state, reason, votes, cluster: '{}', first_id: 1, last_id: votes },
      ...{ made_by: 'operator', made_at: testNow, decided_at: state === 'held' ? null : testNow + number },
    });
    if (state === 'released' || state === 'expired') return;
    await trx('ballots')
      .where({ key })
      .update({ base_votes: 0 })
      .decrement('total_votes', votes)
      .increment('set_aside_votes', votes)
      .increment('held_votes', state === 'held' ? votes : 0);
    await trx('ballot_options')
      .where({ ballot_id: ballotId, position: 0 })
      .update({ base_votes: 0 })
      .decrement('votes', votes)
      .increment('set_aside', votes);
    if (ballot.listed && ballot.in_totals)
      await trx('statistics').where({ shard: 0 }).decrement('total_votes', votes).increment('set_aside_votes', votes);
  });
}

interface Ballot {
  readonly key: number;
  readonly listed: boolean | 0 | 1;
  readonly in_totals: boolean | 0 | 1;
}
