import { setImmediate } from 'node:timers/promises';
import { slotMinutes } from '#domain/integrity/marks.ts';
import type { Mark } from '#domain/integrity/marks.ts';
import type { Database } from '#platform/database.ts';
import { isCounted, newestVoteId } from './voting.service.ts';

/** Ids that one query covers: its rows block the event loop for a few milliseconds. */
export const idsPerQuery = 5_000;

interface MarkRow extends Mark {
  readonly ballot_key: number;
}

/**
 * Votes cast here since a moment, counted by ballot, time, network, traits, and option. Reads no more than about the newest
 * `most` votes, by their ids. Votes whose network is erased or unknown are left out.
 */
export async function recentMarks(
  db: Database,
  { since, most }: { readonly since: number; readonly most: number },
): Promise<ReadonlyMap<number, readonly Mark[]>> {
  const newest = await newestVoteId(db);
  const byBallot = new Map<number, Mark[]>();
  const slotMs = slotMinutes * 60_000;
  for (let after = Math.max(0, newest - most); after < newest; after += idsPerQuery) {
    const rows = await db('votes')
      .where('id', '>', after)
      .where('id', '<=', Math.min(newest, after + idsPerQuery))
      .where('created_at', '>=', since)
      .whereNotNull('network')
      .whereNotNull('traits')
      .groupByRaw(`ballot_key, created_at / ${slotMs}, network, traits, option_key`)
      .select<MarkRow[]>(
        ...['ballot_key', 'network', 'traits', 'option_key as option'],
        db.raw(`created_at / ${slotMs} * ${slotMinutes} as minute`),
        db.raw('count(*) as votes'),
        db.raw(`sum(case when ${isCounted()} then 1 else 0 end) as counted`),
      );
    for (const { ballot_key: key, ...mark } of rows) {
      const marks = byBallot.get(key);
      if (marks) marks.push(mark);
      else byBallot.set(key, [mark]);
    }
    // Votes go first.
    await setImmediate();
  }
  return byBallot;
}
