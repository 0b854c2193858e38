import type { Detection } from '#domain/integrity/detector.ts';
import { count } from '#domain/integrity/marks.ts';
import { independentVotes } from '#domain/integrity/network-shares.ts';
import type { PollNetworks } from '#domain/integrity/network-shares.ts';
import type { Database } from '#platform/database.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import { writtenReason } from '#domain/integrity/reasons.ts';
import type { DecisionContext } from '#api/voting/decisions.service.ts';
import { networkVotesOf, votesAloneOf } from '#api/voting/network-votes.service.ts';

/** A ballot whose independent votes are counted. */
interface CountedBallot {
  readonly key: number;
  readonly id: string;
  readonly kind: 'poll' | 'community';
  readonly closed_at: number | null;
  /** Whether saved pages show it. */
  readonly listed: boolean | 0 | 1;
}

/** What was read of a ballot; `asOf`: a moment before which all votes were read. */
interface Look {
  /** Null where nothing was looked for. */
  readonly detection: Detection | null;
  readonly networks: PollNetworks;
  readonly asOf: number;
}

/** Ballots whose figure is finished at once; the rest follows a minute later. */
const finishedAtOnce = 200;

const networksOf = ({ clusters }: Detection): number[] => clusters.flatMap(({ criteria }) => criteria.networks ?? []);

/**
 * Counts the independent votes of a flagged ballot on which votes choose one option (of lists, one vote of each network would
 * say nothing about the others): one of each network, without the networks that the detector flags now
 * and those of votes that are held or set aside. A ballot that is no longer flagged and has no decision has no figure,
 * unless it has closed: then its figure stays.
 */
export async function countIndependent(
  context: DecisionContext,
  ballot: CountedBallot,
  { detection, networks, asOf }: Look,
): Promise<void> {
  const { db } = context;
  const { method } = await db('ballots').where({ key: ballot.key }).first<{ method: string }>('method');
  if (method === 'several') return;
  const before = await db('independent_votes').where({ ballot_key: ballot.key }).first();
  const isFinal = ballot.closed_at !== null && ballot.closed_at < asOf;
  // What waits for the creator says nothing about the network that it came from.
  const decided = await db('vote_decisions')
    .where({ ballot_key: ballot.key })
    .whereNot({ reason: writtenReason })
    .first('key');
  const isFlagged = detection !== null && detection.clusters.length > 0;
  if (!isFlagged && !decided && !(before && (isFinal || detection === null))) {
    if (before) await store(context, ballot, null);
    return;
  }
  const known = JSON.parse(before?.flagged ?? '[]') as number[];
  // Between its end and the last look at its votes, a closed poll keeps what was flagged.
  const flagged = new Set(detection === null || isFinal ? known : []);
  if (detection !== null) for (const network of networksOf(detection)) flagged.add(network);
  const excluded = new Set([...flagged, ...(decided ? await networksNotCounted(db, ballot.key) : [])]);
  // Networks with one vote come as sums, which the excluded ones are taken from.
  let { votes: left } = networks.alone;
  const options = new Map(networks.alone.options);
  for (const [option, votes] of await votesAloneOf(db, ballot.key, [...excluded])) {
    left -= votes;
    count(options, option, -votes);
  }
  const byKey = independentVotes({ ...networks, alone: { votes: left, options } }, excluded);
  const offered = await db('ballot_options')
    .where({ ballot_id: ballot.id })
    .orderBy('position')
    .select('key', 'option_id');
  const votes = JSON.stringify(Object.fromEntries(offered.map(({ key, option_id: id }) => [id, byKey.get(key) ?? 0])));
  const row = { votes, flagged: JSON.stringify([...flagged]), counted_at: asOf, final: isFinal };
  await store(context, ballot, row, before === undefined || isFinal);
}

/** Networks with votes of this ballot that are held or set aside. */
const networksNotCounted = (db: Database, ballotKey: number): Promise<number[]> =>
  db('votes as v')
    .join('vote_decisions as d', 'd.key', 'v.decision_key')
    .where('v.ballot_key', ballotKey)
    .whereIn('d.state', ['held', 'set-aside'])
    .whereNot('d.reason', writtenReason)
    .whereNotNull('v.network')
    .distinct('v.network')
    .pluck<number[]>('v.network');

/** Stores a figure, or removes it; saved pages that show it are published again where `isNews`. */
async function store(
  { db, clock, intake }: DecisionContext,
  { key, id, kind, closed_at: closedAt, listed }: CountedBallot,
  row: object | null,
  isNews = true,
): Promise<void> {
  await intake.runExclusive(() =>
    db.transaction(async (trx) => {
      if (row === null) await trx('independent_votes').where({ ballot_key: key }).del();
      else {
        // The ballot may have been deleted.
        if ((await trx('ballots').where({ key }).first('key')) === undefined) return;
        await trx('independent_votes')
          .insert({ ballot_key: key, ...row })
          .onConflict('ballot_key')
          .merge();
      }
      if (!isNews || !listed) return;
      const page = kind === 'poll' && closedAt !== null ? 'report' : kind;
      await recordChanges(trx, clock.now(), [{ kind: page, key: id, event: 'recounted' }]);
    }),
  );
}

/**
 * Counts once more for the ballots that have closed since, and for closed ones with a decision since; `asOf` as in
 * {@link Look}.
 */
export async function finishIndependent(context: DecisionContext, asOf: number): Promise<void> {
  const { db } = context;
  const due = await db('independent_votes as i')
    .join('ballots as b', 'b.key', 'i.ballot_key')
    .whereNull('b.erased_at')
    .where('b.closed_at', '<', asOf)
    .where((one) => {
      void one.where('i.final', false).orWhereRaw(
        `exists (select 1 from vote_decisions d where d.ballot_key = b.key
             and (d.made_at > i.counted_at or d.decided_at > i.counted_at))`,
      );
    })
    .limit(finishedAtOnce)
    .select<CountedBallot[]>('b.key', 'b.id', 'b.kind', 'b.closed_at', 'b.listed');
  for (const ballot of due)
    await countIndependent(context, ballot, {
      ...{ detection: null, asOf },
      networks: await networkVotesOf(db, ballot.key),
    });
}
