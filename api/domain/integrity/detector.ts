import { detectorScores } from './cluster.ts';
import type { ClusterFinding, PollTraffic } from './cluster.ts';
import { networkClusters } from './network-clusters.ts';
import { shareClusters } from './share-clusters.ts';
import type { Mark } from './marks.ts';
import { countBy, largest, slotMinutes, total } from './marks.ts';

/** What the detector says about the recent votes of one poll. */
export interface Detection {
  /** 0…100: that of its most suspicious cluster. */
  readonly score: number;
  readonly votes: number;
  /** Votes per hour now and in the poll’s own history; null where that is shorter than an hour. */
  readonly hourly: number;
  readonly hourlyBefore: number | null;
  readonly burst: Burst | null;
  /** The most suspicious first; only those from `detectorScores.flagged` on. */
  readonly clusters: readonly ClusterFinding[];
}

/** Five minutes in which a poll got far more votes than usual. People who follow a link look like that, too. */
interface Burst {
  /** The first of them. */
  readonly minute: number;
  readonly votes: number;
  /** Votes of as many other minutes, on average; null where the poll was hardly open before. */
  readonly usual: number | null;
}

/** Least votes of a burst, more than a class has, and how many times the usual votes they are at least. */
const burstRule = { votes: 100, times: 10 } as const;

function burstOf(marks: readonly Mark[], all: { readonly votes: number; readonly minutes: number }): Burst | null {
  const { key: minute, votes } = largest(countBy(marks, (mark) => mark.minute)) ?? { key: 0, votes: 0 };
  const others = all.minutes - slotMinutes;
  const usual = others < slotMinutes ? null : ((all.votes - votes) * slotMinutes) / others;
  return votes >= burstRule.votes && votes >= burstRule.times * (usual ?? 0) ? { minute, votes, usual } : null;
}

/**
 * The suspicious clusters. Networks that vote alike go first if their votes are held, then single subnets, then the other
 * networks that vote alike.
 */
function clustersOf(traffic: PollTraffic): ClusterFinding[] {
  const flagged = ({ score }: ClusterFinding) => score >= detectorScores.flagged;
  const networksOf = (clusters: readonly ClusterFinding[]) =>
    new Set(clusters.flatMap(({ criteria }) => criteria.networks ?? []));
  const together = shareClusters(traffic).filter(flagged);
  const held = together.filter(({ hold }) => hold);
  const subnets = networkClusters(traffic, networksOf(held)).filter(flagged);
  const judged = networksOf(subnets);
  const others = together.filter(({ hold, criteria }) => !hold && !criteria.networks?.every((one) => judged.has(one)));
  return [...held, ...subnets, ...others];
}

/**
 * Scores the recent votes of one open poll and describes suspicious clusters so that exactly their votes can be set aside.
 * Pure; the time is linear in the number of marks.
 */
export function detect(traffic: PollTraffic): Detection {
  const { marks, history } = traffic;
  const clusters = clustersOf(traffic).sort((a, b) => b.score - a.score);
  const votes = total(marks);
  const first = marks.reduce((earliest, { minute }) => Math.min(earliest, minute), traffic.now);
  const burst = burstOf(marks, { votes: history.votes + votes, minutes: history.minutes + traffic.now - first });
  return {
    score: clusters[0]?.score ?? 0,
    votes,
    hourly: (votes * 60) / Math.max(60, traffic.now - first),
    hourlyBefore: history.minutes < 60 ? null : (history.votes * 60) / history.minutes,
    burst,
    clusters,
  };
}
