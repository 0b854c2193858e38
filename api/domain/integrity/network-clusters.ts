import { commonTraits, detectorScores, finding, newDeviceSignal, paceSignal, rateSignal, spanOf } from './cluster.ts';
import type { ClusterFinding, PollTraffic, Signal } from './cluster.ts';
import { chosenOptions, count, countOptions, isNewAccount, subnetOfNetwork, total } from './marks.ts';
import type { Counts } from './marks.ts';
import { clamp, onLogScale, surprise } from './statistics.ts';

/** Least votes of a subnet (an IPv4 /24 or an IPv6 /48) that can look suspicious: a class of forty must not, even if all agree. */
export const leastVotes = 60;

/** Votes from which on a single subnet hardly is people, and where that is certain. */
const crowd = { possible: 1_000, impossible: 5_000 } as const;

/** What the score of a subnet is the sum of. Largest sum without new accounts and crowd: 101. */
const weights = { choice: 46, volume: 20, share: 10, devices: 10, pace: 10, rate: 5, accounts: 20, crowd: 25 } as const;

/** Least votes and agreement, besides the score, for which a subnet’s votes are held. */
const holdFrom = { votes: 150, agreement: 0.97 } as const;

/**
 * The subnets with enough votes to be judged alone, each with the option on which its votes agree most unusually, without the
 * networks that are judged `together`.
 */
export function networkClusters(
  { marks, history, options, now }: PollTraffic,
  together: ReadonlySet<number>,
): ClusterFinding[] {
  const judged = marks.filter(({ network }) => !together.has(network));
  const candidates = [...Map.groupBy(judged, ({ network }) => subnetOfNetwork(network)).values()].filter(
    (own) => total(own) >= leastVotes,
  );
  if (candidates.length === 0) return [];
  const large = new Set(candidates.flatMap((own) => own.map(({ network }) => network)));
  const rest = judged.filter(({ network }) => !large.has(network));
  const all = total(marks);

  // What the others voted for: before, and recently from smaller networks. Few votes say little.
  const usualVotes = countOptions(rest);
  for (const [option, votes] of history.options) count(usualVotes, option, votes);
  const usualTotal = total(rest) + history.votes;
  const priorVotes = 10;
  // An option’s share by chance: a vote for several options counts for each.
  const chance = marks.reduce((sum, mark) => sum + mark.votes * chosenOptions(mark).length, 0) / all / options;
  const usualShare = (option: number) =>
    ((usualVotes.get(option) ?? 0) + priorVotes * chance) / (usualTotal + priorVotes);
  const first = marks.reduce((earliest, { minute }) => Math.min(earliest, minute), now);
  const calm = { votes: usualTotal, minutes: history.minutes + now - first };
  const restAccounts = total(rest) === 0 ? 0 : total(rest, ({ traits }) => isNewAccount(traits)) / total(rest);

  return candidates.map((own) => {
    const votes = total(own);
    const { option, agreement, usual, strength } = mostUnusual(countOptions(own), votes, usualShare);
    const chosen = own.filter((mark) => chosenOptions(mark).includes(option));
    const span = spanOf(chosen);

    const share: Signal = {
      kind: 'network-share',
      ...{ value: votes / all, usual: null, strength: clamp((votes / all - 0.05) / 0.35) },
    };
    const choice: Signal = {
      kind: 'choice',
      ...{ value: agreement, usual: usualTotal === 0 ? null : usual, strength },
    };
    const newShare = total(own, ({ traits }) => isNewAccount(traits)) / votes;
    const accounts: Signal = {
      kind: 'new-accounts',
      ...{ value: newShare, usual: restAccounts, strength: clamp((newShare - restAccounts - 0.3) / 0.5) },
    };
    const devices = newDeviceSignal(own, rest);
    const rate = rateSignal(votes, span, calm);
    const pace = paceSignal(span.slots);
    const volume = onLogScale(votes, 40, 600);
    const score =
      weights.choice * choice.strength * (0.5 + 0.5 * volume) +
      weights.volume * volume +
      weights.share * share.strength +
      weights.devices * devices.strength +
      weights.pace * pace.strength +
      weights.rate * rate.strength +
      weights.accounts * accounts.strength +
      weights.crowd * onLogScale(votes, crowd.possible, crowd.impossible) * share.strength;
    const traits = commonTraits(chosen);
    return finding(marks, {
      option,
      criteria: {
        networks: [...new Set(chosen.map(({ network }) => network))],
        option,
        ...{ from: span.from, to: span.to },
        ...(traits && { traits }),
      },
      reason: accounts.strength > 0.5 ? 'new-accounts' : 'automated-network',
      score,
      hold: score >= detectorScores.held && votes >= holdFrom.votes && agreement >= holdFrom.agreement,
      signals: [share, choice, devices, accounts, rate, pace],
    });
  });
}

/**
 * The option on which votes agree most unusually, by its share among them and its usual one, and how unusual that is (0…1); the
 * one with the most votes if none is. An option that nearly everybody chooses beside it says nothing.
 */
function mostUnusual(chosen: Counts, votes: number, usualShare: (option: number) => number) {
  return [...chosen]
    .sort(([, a], [, b]) => b - a)
    .map(([option, own]) => {
      const [agreement, usual] = [own / votes, usualShare(option)];
      const expected = Math.max(0.4, usual);
      const headroom = (agreement - expected) / (1 - expected);
      return { option, agreement, usual, strength: clamp((headroom - 0.4) / 0.6) * surprise(votes, usual) };
    })
    .reduce((best, one) => (one.strength > best.strength ? one : best));
}
