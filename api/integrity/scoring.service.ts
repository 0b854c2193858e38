import { setImmediate } from 'node:timers/promises';
import { detectorScores } from '#domain/integrity/cluster.ts';
import type { PollTraffic } from '#domain/integrity/cluster.ts';
import { detect } from '#domain/integrity/detector.ts';
import type { Detection } from '#domain/integrity/detector.ts';
import { chosenOptions, count, total } from '#domain/integrity/marks.ts';
import type { Mark } from '#domain/integrity/marks.ts';
import { leastVotes } from '#domain/integrity/network-clusters.ts';
import { unusualNetworks } from '#domain/integrity/network-shares.ts';
import type { PollNetworks } from '#domain/integrity/network-shares.ts';
import type { Database, Row } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import type { BallotMethod } from '#contract/vocabulary.ts';
import { totalOf } from '#api/voting/choices.model.ts';
import { challengeUntil } from '#api/voting/challenge-switch.service.ts';
import type { ChallengeSwitch } from '#api/voting/challenge-switch.service.ts';
import type { DecisionContext } from '#api/voting/decisions.service.ts';
import { countNetworkVotes, networkVotesOf } from '#api/voting/network-votes.service.ts';
import { marksOfNetworks, recentMarks } from '#api/voting/recent-marks.service.ts';
import { holdClusters, openFlags } from './holds.service.ts';
import { countIndependent, finishIndependent } from './independent-votes.service.ts';

/**
 * What the detector looks at besides the networks of all votes: the votes of the last `hours`, and no more than the newest
 * `most` of all polls; for `budgetMs` at most, busiest polls first.
 */
export const scoringRule = { hours: 24, most: 200_000, budgetMs: 10_000 } as const;

/** How long votes need a challenge after the last one of a suspicious cluster, in minutes. */
export const challengeMinutes = 60;

export type ScoringContext = DecisionContext & { readonly log: Logger };

/** A ballot that is scored. */
interface ScoredBallot {
  readonly key: number;
  readonly id: string;
  readonly kind: 'poll' | 'community';
  readonly listed: boolean | 0 | 1;
  readonly starts_at: number;
  readonly challenge: ChallengeSwitch;
  readonly closed_at: number | null;
  readonly method: BallotMethod;
  readonly total_votes: number;
}

/**
 * Scores every poll with new votes, even after its end, because an attack can begin minutes before. Stores the scores of
 * those with enough recent votes or unusual networks, requires challenges on polls under attack, and holds votes if the evidence is strong.
 */
export async function scorePolls(context: ScoringContext, signal?: AbortSignal): Promise<void> {
  const { db, clock, log, intake } = context;
  const now = clock.now();
  const began = performance.now();
  const since = now - scoringRule.hours * 3_600_000;
  const touched = await countNetworkVotes(context);
  const byBallot = await recentMarks(db, { since, most: scoringRule.most });
  const flagged = await db('integrity_scores').where('score', '>=', detectorScores.flagged).pluck('ballot_key');
  const busy = [...new Set([...byBallot.keys(), ...touched])]
    .map((key) => ({ key, marks: byBallot.get(key) ?? [] }))
    .map(({ key, marks }) => ({ key, marks, votes: total(marks) }))
    .filter(({ key, votes }) => votes >= leastVotes || touched.has(key) || (votes > 0 && flagged.includes(key)))
    .sort((a, b) => b.votes - a.votes);

  let looked = 0;
  for (const { key, marks, votes } of busy) {
    if (signal?.aborted) return;
    if (performance.now() - began > scoringRule.budgetMs) {
      log.warn({ polls: busy.length - looked }, 'scored only the busiest polls in time');
      break;
    }
    looked += 1;
    try {
      await scorePoll(context, { key, marks, votes, now });
    } catch (error) {
      // One poll must not keep the others from being looked at.
      log.error({ err: error, ballot: key }, 'could not score a poll');
    }
    await setImmediate();
  }
  await finishIndependent(context, now);
  if (looked === busy.length)
    await intake.runExclusive(() => db('integrity_scores').where('scored_at', '<', now).del());
}

async function scorePoll(
  context: ScoringContext,
  {
    key,
    marks,
    votes,
    now,
  }: { readonly key: number; readonly marks: readonly Mark[]; readonly votes: number; readonly now: number },
): Promise<void> {
  const { db, intake } = context;
  const ballot = await ballotOf(db, key);
  if (!ballot) return;
  const networks = await networkVotesOf(db, key);
  const unusual = await unusualMarks(db, key, networks);
  if (votes < leastVotes && unusual.findings.length === 0) return;
  const options = await optionsOf(db, ballot.id);
  const detection = detect({ ...trafficOf(ballot, options, marks, now), unusual });
  const clusters = await openFlags(db, ballot.id, detection);
  const score = Math.max(0, ...clusters.map((finding) => finding.score));
  await intake.runExclusive(() => storeScore(db, key, { detection, score, now }));
  await countIndependent(context, ballot, { detection, networks, asOf: now });
  if (score < detectorScores.flagged) return;
  await requireChallenges(context, ballot, clusters);
  await holdClusters(context, ballot.id, clusters, new Map(options.map(({ key, option_id: id }) => [key, id])));
}

async function unusualMarks(db: Database, ballotKey: number, votes: PollNetworks): Promise<PollTraffic['unusual']> {
  const findings = unusualNetworks(votes);
  if (findings.length === 0) return { findings, marks: [] };
  const networks = new Set(findings.flatMap((found) => found.networks));
  return { findings, marks: await marksOfNetworks(db, ballotKey, networks) };
}

function ballotOf(db: Database, key: number): Promise<ScoredBallot | undefined> {
  return db('ballots')
    .where({ key })
    .first('key', 'id', 'kind', 'listed', 'starts_at', 'challenge', 'closed_at', 'method', 'total_votes');
}

function optionsOf(db: Database, ballotId: string): Promise<OptionRow[]> {
  return db('ballot_options')
    .where({ ballot_id: ballotId })
    .select('key', 'option_id', 'votes', 'base_votes', 'votes_on_screen', 'offered');
}

/** The detector’s input about a ballot, without the networks of all its votes. */
function trafficOf(
  { starts_at: startsAt, method, total_votes: total }: ScoredBallot,
  options: readonly OptionRow[],
  marks: readonly Mark[],
  now: number,
): Omit<PollTraffic, 'unusual'> {
  const recent = new Map<number, number>();
  for (const mark of marks) for (const option of chosenOptions(mark)) count(recent, option, mark.counted);
  // A room may agree: its votes are neither judged nor what others are compared with.
  const before = options.map(
    ({ key, votes, base_votes: imported, votes_on_screen: inRooms }) =>
      [key, Math.max(0, votes - imported - inRooms - (recent.get(key) ?? 0))] as const,
  );
  const counted =
    marks.reduce((sum, mark) => sum + mark.counted, 0) +
    options.reduce((sum, { votes_on_screen: inRooms }) => sum + inRooms, 0);
  const votes = totalOf(
    { method, total_votes: total - counted },
    before.map(([, votes]) => ({ votes })),
  );
  const first = marks.reduce((earliest, { minute }) => Math.min(earliest, minute), Infinity);
  return {
    marks,
    now: Math.floor(now / 60_000),
    options: options.filter(({ offered }) => offered).length,
    history: { votes, options: new Map(before), minutes: Math.max(0, first - Math.floor(startsAt / 60_000)) },
  };
}

type OptionRow = Pick<
  Row<'ballot_options'>,
  'key' | 'option_id' | 'votes' | 'base_votes' | 'votes_on_screen' | 'offered'
>;

async function storeScore(
  db: Database,
  key: number,
  { detection, score: ofFlags, now }: { readonly detection: Detection; readonly score: number; readonly now: number },
): Promise<void> {
  const score = Math.max(ofFlags, detection.burst ? detectorScores.shown : 0);
  // The ballot may have been deleted.
  await db.raw(
    `insert into integrity_scores (ballot_key, score, detection, scored_at)
     select key, ?, ?, ? from ballots where key = ?
     on conflict (ballot_key) do update
     set score = excluded.score, detection = excluded.detection, scored_at = excluded.scored_at`,
    [score, JSON.stringify(detection), now, key],
  );
}

/** Requires challenges while a suspicious cluster grows, and for a while after, unless the operator decided otherwise. */
async function requireChallenges(
  { db, clock, log, intake }: ScoringContext,
  { id, challenge, closed_at: closedAt }: ScoredBallot,
  clusters: Detection['clusters'],
): Promise<void> {
  const last = Math.max(...clusters.map(({ criteria }) => criteria.to)) * 60_000;
  const until = last + challengeMinutes * 60_000;
  const now = clock.now();
  if (closedAt !== null || challenge !== 'auto' || until <= now) return;
  if (await intake.runExclusive(() => challengeUntil(db, id, until)))
    log.warn({ poll: id, until: new Date(until).toISOString() }, 'votes on a poll need a challenge');
}
