import { setTimeout as pause } from 'node:timers/promises';
import { insertRows } from '#platform/bulk-rows.ts';
import type { Database } from '#platform/database.ts';
import { newestCommittedVote } from '#api/voting/collect.service.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';
import { newestVoteId } from '#api/voting/voting.service.ts';

/** Ids of votes that one query counts, and milliseconds between two queries. */
const idsAtOnce = 50_000;
const betweenQueriesMs = 5;
const hourMs = 3_600_000;

/** The id up to which votes are counted, in the table of the installation. */
const watermark = 'insights.watermark';

interface HoursContext {
  readonly db: Database;
  readonly intake: Pick<VotingIntake, 'runExclusive'>;
  /** Ends between two queries; the next call continues. */
  readonly signal?: AbortSignal;
}

interface HourRow {
  readonly ballot_key: number;
  readonly hour: number;
  readonly votes: number;
}

/**
 * Adds the votes on weekly polls that were recorded since the last call to the sums per hour. Each vote is read once, by its
 * id, and before its time is erased. Several processes may call it at once.
 */
export async function countVoteHours({ db, intake, signal }: HoursContext): Promise<void> {
  await intake.runExclusive(() =>
    db('installation').insert({ name: watermark, value: '0' }).onConflict('name').ignore(),
  );
  const counted = () => db('installation').where({ name: watermark }).first<{ value: string }>('value');
  // On PostgreSQL, votes wait a moment for the other question.
  if (Number((await counted()).value) >= (await newestVoteId(db))) return;
  const newest = await newestCommittedVote(db);
  while (signal?.aborted !== true) {
    const { value } = await counted();
    const after = Number(value);
    if (after >= newest) return;
    const through = Math.min(newest, after + idsAtOnce);
    const hours = await hoursOf(db, after, through);
    await intake.runExclusive(() =>
      db.transaction(async (trx) => {
        const moved = await trx('installation')
          .where({ name: watermark, value })
          .update({ value: String(through) });
        // Another process was faster.
        if (moved === 0) return;
        const keys = [...new Set(hours.map(({ ballot_key }) => ballot_key))];
        const ballots = new Set(await trx('ballots').whereIn('key', keys).forKeyShare().pluck('key'));
        await insertRows(
          trx,
          'vote_hours',
          { ballot_key: 'bigint', hour: 'bigint', votes: 'bigint' },
          hours.filter(({ ballot_key }) => ballots.has(ballot_key)).map((sum) => ({ ...sum })),
          'on conflict (ballot_key, hour) do update set votes = vote_hours.votes + excluded.votes',
        );
      }),
    );
    await pause(betweenQueriesMs);
  }
}

/** The votes on weekly polls with ids above `after` up to `through` per hour, without those whose times are erased. */
async function hoursOf(db: Database, after: number, through: number): Promise<HourRow[]> {
  const rows = await db('votes')
    .where('id', '>', after)
    .where('id', '<=', through)
    .whereIn('ballot_key', db('ballots').where({ kind: 'poll' }).whereNull('erased_at').select('key'))
    .groupByRaw(`ballot_key, created_at / ${hourMs}`)
    .select<{ ballot_key: number; hour: number | string; votes: number | string }[]>(
      'ballot_key',
      db.raw(`created_at / ${hourMs} as hour`),
      db.raw('count(*) as votes'),
    );
  return rows.map(({ ballot_key, hour, votes }) => ({ ballot_key, hour: Number(hour), votes: Number(votes) }));
}
