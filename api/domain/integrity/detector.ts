import { detectorScores } from './cluster.ts';
import type { ClusterFinding, PollTraffic } from './cluster.ts';
import { networkClusters } from './network-clusters.ts';
import { scatteredCluster } from './scattered-clusters.ts';
import { countBy, isNewAccount, isNewcomer, largest, shareOf, total } from './marks.ts';

/** What the detector says about the recent votes of one poll. */
export interface Detection {
  /** 0…100: that of its most suspicious cluster. */
  readonly score: number;
  readonly votes: number;
  /** Shares of the recent votes: of the network with the most, of new devices, and of accounts younger than a week. */
  readonly largestNetwork: number;
  readonly newDevices: number;
  readonly newAccounts: number;
  /** Votes per hour now and in the poll’s own history; null where that is shorter than an hour. */
  readonly hourly: number;
  readonly hourlyBefore: number | null;
  /** The most suspicious first; only those from `detectorScores.flagged` on. */
  readonly clusters: readonly ClusterFinding[];
}

/**
 * Scores the recent votes of one open poll and describes suspicious clusters so that exactly their votes can be set aside.
 * Pure; the time is linear in the number of marks.
 */
export function detect(traffic: PollTraffic): Detection {
  const { marks, history } = traffic;
  const networks = networkClusters(traffic);
  // A network that stands out alone would hide what several small ones have in common.
  const large = new Set(networks.map(({ criteria }) => criteria.networks?.[0]));
  const scattered = scatteredCluster({ ...traffic, marks: marks.filter(({ network }) => !large.has(network)) });
  const clusters = [...networks, ...scattered]
    .filter(({ score }) => score >= detectorScores.flagged)
    .sort((a, b) => b.score - a.score);
  const votes = total(marks);
  const first = marks.reduce((earliest, { minute }) => Math.min(earliest, minute), traffic.now);
  const historic = [...history.options.values()].reduce((sum, one) => sum + one, 0);
  return {
    score: clusters[0]?.score ?? 0,
    votes,
    largestNetwork: votes === 0 ? 0 : (largest(countBy(marks, ({ network }) => network))?.votes ?? 0) / votes,
    newDevices: shareOf(marks, ({ traits }) => isNewcomer(traits)),
    newAccounts: shareOf(marks, ({ traits }) => isNewAccount(traits)),
    hourly: (votes * 60) / Math.max(60, traffic.now - first),
    hourlyBefore: history.minutes < 60 ? null : (historic * 60) / history.minutes,
    clusters,
  };
}
