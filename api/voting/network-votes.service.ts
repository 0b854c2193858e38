import { setImmediate } from 'node:timers/promises';
import { count } from '#domain/integrity/marks.ts';
import type { OptionVotes } from '#domain/integrity/marks.ts';
import type { PollNetworks } from '#domain/integrity/network-shares.ts';
import type { Database } from '#platform/database.ts';
import { countedFurther } from './choices.model.ts';
import { newestCommittedVote } from './collect.service.ts';
import type { VotingIntake } from './group-commit.ts';
import { idsPerQuery } from './recent-marks.service.ts';
import { votesWithin } from './vote-ranges.queries.ts';

/** The row of `installation` with the id of the newest vote that `network_votes` has. */
const watermark = 'detector.votes';

/**
 * Adds the votes that were recorded since the last call to `network_votes`, each once. Several processes may call it; votes
 * that are cast meanwhile wait for a few thousand rows at most. Returns the keys of the ballots that it added votes of.
 */
export async function countNetworkVotes(context: {
  readonly db: Database;
  readonly intake: Pick<VotingIntake, 'runExclusive'>;
}): Promise<ReadonlySet<number>> {
  const { db, intake } = context;
  const touched = new Set<number>();
  const newest = await newestCommittedVote(db);
  for (;;) {
    const row = await db('installation').where({ name: watermark }).first('value');
    const after = Number(row?.value ?? 0);
    if (after >= newest) return touched;
    const through = Math.min(newest, after + idsPerQuery);
    await intake.runExclusive(() =>
      db.transaction(async (trx) => {
        const moved = await trx('installation')
          .where({ name: watermark, value: String(after) })
          .update({ value: String(through) });
        // Otherwise another process was faster.
        if (moved === 0) return;
        const votes = votesWithin(trx, { after, through }).whereNotNull('network');
        const further = votes.clone().whereNotNull('further_options').toQuery();
        await trx.raw(
          `insert into network_votes (ballot_key, network, option_key, votes, further)
           select n.ballot_key, n.network, n.option_key, count(*), sum(n.further)
           from (
             select ballot_key, network, option_key, 0 as further from (${votes.toQuery()}) w
             union all
             select v.ballot_key, v.network, f.key, 1 from ${countedFurther(`(${further})`)}
           ) n join ballots b on b.key = n.ballot_key and b.erased_at is null
           group by n.ballot_key, n.network, n.option_key
           on conflict (ballot_key, network, option_key) do update
           set votes = network_votes.votes + excluded.votes, further = network_votes.further + excluded.further`,
        );
        const counted = await votesWithin(trx, { after, through }).distinct('ballot_key').pluck('ballot_key');
        for (const key of counted) touched.add(key);
      }),
    );
    // Votes go first.
    await setImmediate();
  }
}

interface NetworkRow {
  readonly network: number;
  readonly option: number;
  readonly votes: number;
  readonly further: number;
}

/** The sum of the votes of these rows, each vote once. */
const voters = 'sum(votes - further)';

/** Those for written answers that wait or were rejected are left out: they don’t count. */
const votesOnBallot = (db: Database, ballotKey: number) =>
  db('network_votes')
    .where({ ballot_key: ballotKey })
    .whereNotIn(
      'option_key',
      db('ballot_options')
        .where('ballot_id', db('ballots').where({ key: ballotKey }).select('id'))
        .whereIn('written', ['waiting', 'rejected'])
        .select('key'),
    );

/** The votes of a ballot by network, as of the last call of {@link countNetworkVotes}. */
export async function networkVotesOf(db: Database, ballotKey: number): Promise<PollNetworks> {
  const ofBallot = () => votesOnBallot(db, ballotKey);
  const rowsOf = (having: string) =>
    ofBallot().whereIn('network', ofBallot().groupBy('network').havingRaw(having).select('network'));
  const rows = await rowsOf(`${voters} > 1`)
    .orderBy(['network', 'option_key'])
    .select<NetworkRow[]>('network', 'option_key as option', 'votes', 'further');
  const alone = await rowsOf(`${voters} = 1`)
    .groupBy('option_key')
    .select<Omit<NetworkRow, 'network'>[]>(
      'option_key as option',
      db.raw('sum(votes) as votes'),
      db.raw('sum(further) as further'),
    );
  const several = [...Map.groupBy(rows, ({ network }) => network)];
  return { several: several.map(([network, own]) => ({ network, ...sumOf(own) })), alone: sumOf(alone) };
}

const sumOf = (rows: readonly Omit<NetworkRow, 'network'>[]): OptionVotes => ({
  votes: rows.reduce((sum, { votes, further }) => sum + votes - further, 0),
  options: new Map(rows.map(({ option, votes }) => [option, votes])),
});

/** Networks that one query can name. */
const networksPerQuery = 10_000;

/** The votes, by option, of those of these networks that voted once; of a ballot on which a vote chooses one option. */
export async function votesAloneOf(
  db: Database,
  ballotKey: number,
  networks: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const votes = new Map<number, number>();
  for (let from = 0; from < networks.length; from += networksPerQuery) {
    const rows = await votesOnBallot(db, ballotKey)
      .whereIn('network', networks.slice(from, from + networksPerQuery))
      .groupBy('network')
      .havingRaw('sum(votes) = 1')
      .min<{ option: number }[]>({ option: 'option_key' });
    for (const { option } of rows) count(votes, option, 1);
  }
  return votes;
}
