import { hash } from 'node:crypto';
import type { ClusterFinding } from '#domain/integrity/cluster.ts';
import type { Detection } from '#domain/integrity/detector.ts';
import { subnetOfNetwork } from '#domain/integrity/marks.ts';
import type { Database } from '#platform/database.ts';
import { HttpError } from '#platform/errors.ts';
import type { Logger } from '#platform/logger.ts';
import { decisionsOf, setAside } from '#api/voting/decisions.service.ts';
import type { Cluster, DecisionContext, VoteDecision } from '#api/voting/decisions.service.ts';

/** Days for which a hold waits for the operator’s decision; then the votes count again. */
export const holdDays = 7;

/** The name under which the detector’s decisions are recorded. */
export const detectorActor = 'detector';

/** Minutes without a vote after which a cluster is complete. */
const quietMinutes = 15;

/** While a cluster grows, its new votes are held, or the flag is open again, once they are this share of those decided about. */
const growth = 0.5;

/** Identifies a flag while its votes become more, by what they are for and its first network; those of one subnet are one. */
export function flagId(pollId: string, { criteria, reason, option }: ClusterFinding): string {
  const { option: only, networks = [] } = criteria;
  const first = networks.reduce((least, network) => Math.min(least, network), Infinity);
  const place = only === undefined ? first : subnetOfNetwork(first);
  return hash('sha256', JSON.stringify([pollId, reason, option, place])).slice(0, 16);
}

/** Tells which flags of ballots somebody took for genuine; one whose votes have become far more since is open again. */
export async function genuineFlags(db: Database, ballotIds: readonly string[]) {
  const rows = await db('integrity_actions')
    .whereIn('ballot_id', [...ballotIds])
    .whereNotNull('flag')
    .groupBy('flag')
    .select<{ flag: string; votes: number | string }[]>('flag', db.raw('max(votes) as votes'));
  const answered = new Map(rows.map(({ flag, votes }) => [flag, Number(votes)]));
  return (ballotId: string, finding: ClusterFinding): boolean =>
    finding.votes <= (answered.get(flagId(ballotId, finding)) ?? 0) * (1 + growth);
}

/** The flags of a ballot that nobody took for genuine; most ballots have none. */
export async function openFlags(
  db: Database,
  ballotId: string,
  { clusters }: Detection,
): Promise<Detection['clusters']> {
  if (clusters.length === 0) return clusters;
  const isGenuine = await genuineFlags(db, [ballotId]);
  return clusters.filter((finding) => !isGenuine(ballotId, finding));
}

/** A cluster as criteria with public ids and milliseconds; null if its option is gone. */
export function clusterOf(
  { criteria, score, signals, votes }: ClusterFinding,
  optionIds: ReadonlyMap<number, string>,
): Cluster | null {
  const { networks, traits, option } = criteria;
  const optionId = option === undefined ? undefined : optionIds.get(option);
  if (option !== undefined && optionId === undefined) return null;
  return {
    ...(networks && { networks }),
    ...(traits && { traits }),
    ...(optionId !== undefined && { optionId }),
    ...{ from: criteria.from * 60_000, to: criteria.to * 60_000, evidence: { score, votes, signals } },
  };
}

/** Whether two clusters have votes of the same program: the same option if each has one, and a network of both. */
function overlaps(one: Cluster, other: Cluster): boolean {
  const networks = new Set(one.networks);
  const isSame = one.optionId === undefined || other.optionId === undefined || one.optionId === other.optionId;
  return isSame && (other.networks ?? []).some((network) => networks.has(network));
}

/**
 * Holds the counted votes of clusters with strong evidence. What the operator has counted again, or nobody decided in time,
 * is left alone from then on; a growing cluster is held in a few steps.
 */
export async function holdClusters(
  context: DecisionContext & { readonly log: Logger },
  ballotId: string,
  clusters: Detection['clusters'],
  optionIds: ReadonlyMap<number, string>,
): Promise<void> {
  const strong = clusters.filter(({ hold, counted }) => hold && counted > 0);
  if (strong.length === 0) return;
  const { db, clock, log } = context;
  const now = clock.now();
  const decisions = await decisionsOf(db, [ballotId]);
  for (const finding of strong) {
    const cluster = clusterOf(finding, optionIds);
    if (
      cluster === null ||
      !isDue(
        finding,
        decisions.filter((made) => overlaps(cluster, made.cluster)),
        now,
      )
    )
      continue;
    const how = { ballotId, cluster, reason: finding.reason, actor: detectorActor };
    try {
      const { votes } = await setAside(context, { ...how, hold: { expiresAt: now + holdDays * 86_400_000 } });
      log.warn({ poll: ballotId, votes, reason: finding.reason, score: finding.score }, 'held suspicious votes');
    } catch (error) {
      // The operator was faster, or the poll was deleted.
      if (!(error instanceof HttpError && error.status < 500)) throw error;
    }
  }
}

/** Whether the counted votes of a cluster are to be held now, after these decisions about it. */
function isDue({ counted, criteria }: ClusterFinding, earlier: readonly VoteDecision[], now: number): boolean {
  if (earlier.some(({ state }) => state === 'released' || state === 'expired')) return false;
  const taken = earlier.reduce((sum, { votes }) => sum + votes, 0);
  return counted >= taken * growth || now >= (criteria.to + quietMinutes) * 60_000;
}
