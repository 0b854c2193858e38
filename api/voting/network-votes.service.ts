import { setImmediate } from 'node:timers/promises';
import { count } from '#domain/integrity/marks.ts';
import type { Counts } from '#domain/integrity/marks.ts';
import type { NetworkVotes, PollNetworks } from '#domain/integrity/network-shares.ts';
import type { Database } from '#platform/database.ts';
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
    const row = await db('installation').where({ name: watermark }).first<{ value: string } | undefined>('value');
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
        await trx.raw(
          `insert into network_votes (ballot_key, network, option_key, votes)
           select v.ballot_key, v.network, v.option_key, count(*)
           from votes as v join ballots as b on b.key = v.ballot_key and b.erased_at is null
           where v.id > ? and v.id <= ? and v.network is not null
           group by v.ballot_key, v.network, v.option_key
           on conflict (ballot_key, network, option_key) do update
           set votes = network_votes.votes + excluded.votes`,
          [after, through],
        );
        const counted = await votesWithin(trx, { after, through }).distinct('ballot_key').pluck<number[]>('ballot_key');
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
}

/** The votes of a ballot by network, as of the last call of {@link countNetworkVotes}. */
export async function networkVotesOf(db: Database, ballotKey: number): Promise<PollNetworks> {
  const networks = (having: string) =>
    db('network_votes').where({ ballot_key: ballotKey }).groupBy('network').havingRaw(having);
  const rows = await db('network_votes')
    .where({ ballot_key: ballotKey })
    .whereIn('network', networks('sum(votes) > 1').select('network'))
    .orderBy(['network', 'option_key'])
    .select<NetworkRow[]>('network', 'option_key as option', 'votes');
  const alone = await db
    .from(networks('sum(votes) = 1').min({ option: 'option_key' }).as('alone'))
    .groupBy('option')
    .select<{ option: number; votes: number }[]>('option', db.raw('count(*) as votes'));
  const several = [...Map.groupBy(rows, ({ network }) => network)].map(([network, own]): NetworkVotes => ({
    network,
    options: new Map(own.map(({ option, votes }) => [option, votes])),
  }));
  return { several, alone: new Map(alone.map(({ option, votes }) => [option, votes])) };
}

/** Networks that one query can name. */
const networksPerQuery = 10_000;

/** The votes, by option, of those of these networks that voted once. */
export async function votesAloneOf(db: Database, ballotKey: number, networks: readonly number[]): Promise<Counts> {
  const votes = new Map<number, number>();
  for (let from = 0; from < networks.length; from += networksPerQuery) {
    const rows = await db('network_votes')
      .where({ ballot_key: ballotKey })
      .whereIn('network', networks.slice(from, from + networksPerQuery))
      .groupBy('network')
      .havingRaw('sum(votes) = 1')
      .min<{ option: number }[]>({ option: 'option_key' });
    for (const { option } of rows) count(votes, option, 1);
  }
  return votes;
}
