import { commonTraits, detectorScores, finding, newDeviceSignal, paceSignal, rateSignal, spanOf } from './cluster.ts';
import type { ClusterFinding, PollTraffic } from './cluster.ts';
import { total } from './marks.ts';
import { shareTest } from './network-shares.ts';
import { clamp, onLogScale } from './statistics.ts';

/** Networks that the criteria of one cluster name; the others follow once these are decided. */
const networksNamed = 5_000;

/** The networks that vote unlike the independent votes, as clusters of all their votes, whatever they are for. */
export function shareClusters({ marks, history, now, unusual }: PollTraffic): ClusterFinding[] {
  const first = marks.reduce((earliest, { minute }) => Math.min(earliest, minute), now);
  const counted = new Set(unusual.marks.flatMap((mark) => (mark.counted > 0 ? [mark.network] : [])));
  return unusual.findings.flatMap(({ option, evidence, share, usual, networks: all }) => {
    // What was decided about the others is done.
    const networks = all.filter((network) => counted.has(network)).slice(0, networksNamed);
    if (networks.length === 0) return [];
    const named = new Set(networks);
    const own = unusual.marks.filter(({ network }) => named.has(network));
    const rest = marks.filter(({ network }) => !named.has(network));
    const span = spanOf(own);
    const traits = commonTraits(own);
    return finding(unusual.marks, {
      option,
      // From the first vote on: a few early ones belong to it.
      criteria: {
        networks,
        from: own.reduce((earliest, { minute }) => Math.min(earliest, minute), now),
        to: span.to,
        ...(traits && { traits }),
      },
      reason: 'automated-networks',
      score:
        detectorScores.flagged +
        (detectorScores.held - detectorScores.flagged) * onLogScale(evidence, shareTest.flagged, shareTest.held),
      hold: evidence >= shareTest.held,
      signals: [
        { kind: 'networks', value: networks.length, usual: null, strength: clamp(networks.length / 20) },
        { kind: 'choice', value: share, usual, strength: 1 },
        newDeviceSignal(own, rest),
        rateSignal(total(own), span, { votes: history.votes + total(rest), minutes: history.minutes + now - first }),
        paceSignal(span.slots),
      ],
    });
  });
}
