import { LRUCache } from 'lru-cache';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import { instantRunoff } from '#domain/verification/instant-runoff.ts';
import type { Runoff } from '#domain/verification/instant-runoff.ts';
import type { Database } from '#platform/database.ts';
import { lifespanOf } from './ballot.model.ts';
import type { BallotModel } from './ballot.model.ts';
import { readFurther } from './choices.model.ts';
import { isCounted } from './voting.service.ts';

/** Counts that are kept; one has at most ten rounds. */
const countsCached = 500;
const cached = new WeakMap<Database, LRUCache<string, Promise<Runoff>>>();

/**
 * The rounds of a closed ballot’s counted votes, of which each ranks options: counted again when its counters or decisions change.
 * Null for others: while a ballot is open, the difference between two counts would be the ranking of the voter between them.
 */
export async function runoffOf(
  db: Database,
  ballot: Pick<BallotModel, 'id' | 'key' | 'method' | 'total_votes' | 'set_aside_votes'> &
    Parameters<typeof lifespanOf>[0],
  now: number,
): Promise<Runoff | null> {
  const { id, key, method, total_votes, set_aside_votes } = ballot;
  if (method !== 'ranked' || phaseOf(lifespanOf(ballot), now) !== 'closed') return null;
  // Read before the votes: a count is never older than what it is stored under.
  const newest = await db('integrity_actions').where({ ballot_id: id }).max('id as id').first<{ id: number | null }>();
  const counts = cached.get(db) ?? new LRUCache<string, Promise<Runoff>>({ max: countsCached });
  cached.set(db, counts);
  const name = [key, total_votes, set_aside_votes, newest.id].join();
  const known = counts.get(name);
  if (known) return known;
  const count = countRankings(db, id, key);
  counts.set(name, count);
  count.catch(() => counts.delete(name));
  return count;
}

async function countRankings(db: Database, id: string, key: number): Promise<Runoff> {
  const options = await db('ballot_options').where({ ballot_id: id }).orderBy('position').pluck('key');
  const rows = await db('votes')
    .where({ ballot_key: key })
    .whereRaw(isCounted())
    .groupBy('option_key', 'further_options')
    .select<{ option_key: number; further_options: string | null; votes: number | string }[]>(
      ...['option_key', 'further_options', db.raw('count(*) as votes')],
    );
  const places = new Map(options.map((option, place) => [option, place]));
  return instantRunoff(
    options.length,
    rows.map(({ option_key: first, further_options: further, votes }) => ({
      options: [first, ...readFurther(further)].map((option) => places.get(option)!),
      votes: Number(votes),
    })),
  );
}
