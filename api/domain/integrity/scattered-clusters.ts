import { commonTraits, detectorScores, finding, newDeviceSignal, paceSignal, rateSignal, spanOf } from './cluster.ts';
import type { ClusterFinding, PollTraffic, Signal } from './cluster.ts';
import { count, countBy, isNewcomer, largest, total } from './marks.ts';
import type { Counts, Mark } from './marks.ts';
import { clamp, onLogScale, unanimity } from './statistics.ts';

/** How much more often than others two people of one small network, such as a family, agree. */
const familyCorrelation = 0.2;

/** Least networks and votes that can look as if one program used them all. */
const least = { networks: 20, votes: 100 } as const;

/**
 * Votes of a network from which on its agreement counts, tried in this order: many honest networks have two votes, few have
 * five.
 */
const leastSizes = [2, 3, 5] as const;

/** Besides the score: least votes for which they are held, and least share of them that chance does not explain. */
const holdFrom = { votes: 200, unexplained: 0.9 } as const;

/** The share assumed for an option when too few independent votes tell. */
const cautiousShare = 0.85;
const enoughVotes = 50;

const weights = { networks: 50, volume: 20, devices: 15, pace: 10, rate: 5 } as const;

/** The votes of many networks that agree more than chance explains: a botnet that votes a few times from each address. */
export function scatteredCluster(traffic: PollTraffic): ClusterFinding[] {
  const { marks, history, now } = traffic;
  const byNetwork = [...Map.groupBy(marks, ({ network }) => network)].map(([network, own]) => ({
    network,
    own,
    votes: total(own),
    options: countBy(own, ({ option }) => option),
    newcomers: total(own, ({ traits }) => isNewcomer(traits)),
  }));
  const first = marks.reduce((earliest, { minute }) => Math.min(earliest, minute), now);
  // Those who voted alone from their network, who voted before, and who came back.
  const independent = new Map<number, number>(history.options);
  for (const { own, votes } of byNetwork)
    for (const mark of own) if (votes === 1 || !isNewcomer(mark.traits)) count(independent, mark.option, mark.votes);

  const found: ClusterFinding[] = [];
  for (const size of leastSizes) {
    const several = byNetwork.filter(({ votes }) => votes >= size);
    const agreeing = several.filter(({ votes, options, newcomers }) => options.size === 1 && newcomers >= 0.9 * votes);
    const option = largest(countOptions(agreeing))?.key;
    if (option === undefined) break;
    const unanimous = agreeing.filter(({ options }) => options.has(option));
    if (unanimous.length < least.networks) break;
    const chosen = new Set(unanimous);
    const usual = shareIn(independent, option);
    const chance = ({ votes }: { readonly votes: number }) => unanimity(votes, usual, familyCorrelation);
    const expected = several.reduce((sum, one) => sum + chance(one), 0);
    const variance = several.reduce((sum, one) => sum + chance(one) * (1 - chance(one)), 0);
    const deviation = (unanimous.length - expected) / Math.sqrt(Math.max(1, variance));
    // Networks that disagree are people; so many that agree come with them.
    const explained = several
      .filter((one) => !chosen.has(one))
      .reduce((sum, one) => sum + chance(one) / Math.max(0.05, 1 - chance(one)), 0);
    const unexplained = 1 - explained / unanimous.length;
    const own = unanimous.flatMap((one) => one.own);
    if (total(own) < least.votes) break;
    const networks: Signal = {
      kind: 'networks',
      ...{ value: unanimous.length, usual: Math.round(expected) },
      strength: clamp((deviation - 4) / 6) * clamp((unexplained - 0.3) / 0.4),
    };
    const which = { networks: unanimous.map(({ network }) => network), option, first };
    found.push(clusterOf(traffic, own, which, networks, unexplained >= holdFrom.unexplained));
  }
  found.sort((a, b) => Number(b.hold) - Number(a.hold) || b.score - a.score);
  const [best] = found;
  return best && best.score >= detectorScores.flagged ? [best] : newDevicesAgree(traffic, first);
}

/**
 * New devices, each from a network of its own, that agree while everybody else doesn’t. That may be a link on a page whose
 * readers share an opinion: it is shown, and never held.
 */
function newDevicesAgree(traffic: PollTraffic, first: number): ClusterFinding[] {
  const { marks, history } = traffic;
  const newcomers = marks.filter(({ traits }) => isNewcomer(traits));
  const others = new Map<number, number>(history.options);
  for (const { traits, option, votes } of marks) if (!isNewcomer(traits)) count(others, option, votes);
  const known = [...others.values()].reduce((sum, one) => sum + one, 0);
  const chosen = largest(countBy(newcomers, ({ option }) => option));
  if (chosen === undefined || chosen.votes < least.votes || known < enoughVotes) return [];
  const agreement = chosen.votes / total(newcomers);
  const usual = shareIn(others, chosen.key);
  if (agreement < 0.93) return [];
  const own = newcomers.filter(({ option }) => option === chosen.key);
  const choice: Signal = {
    kind: 'choice',
    ...{ value: agreement, usual, strength: clamp((agreement - usual - 0.15) / 0.3) },
  };
  return [clusterOf(traffic, own, { option: chosen.key, first }, choice, false)];
}

function clusterOf(
  { marks, history, now }: PollTraffic,
  own: readonly Mark[],
  {
    networks,
    option,
    first,
  }: { readonly networks?: readonly number[]; readonly option: number; readonly first: number },
  main: Signal,
  mayHold: boolean,
): ClusterFinding {
  const votes = total(own);
  const ownMarks = new Set(own);
  const rest = marks.filter((mark) => !ownMarks.has(mark));
  const historic = [...history.options.values()].reduce((sum, one) => sum + one, 0);
  const span = spanOf(own);
  const devices = newDeviceSignal(own, rest);
  const rate = rateSignal(votes, span, { votes: historic + total(rest), minutes: history.minutes + now - first });
  const pace = paceSignal(span.slots);
  const score =
    main.strength *
    (weights.networks +
      weights.volume * onLogScale(votes, 50, 600) +
      weights.devices * devices.strength +
      weights.pace * pace.strength +
      weights.rate * rate.strength);
  const traits = commonTraits(own);
  return finding(marks, {
    criteria: {
      ...(networks && { networks }),
      option,
      ...{ from: span.from, to: span.to },
      ...(traits && { traits }),
    },
    reason: networks ? 'automated-networks' : 'unusual-rate',
    score,
    hold: mayHold && score >= detectorScores.held && votes >= holdFrom.votes,
    signals: [main, devices, rate, pace],
  });
}

/** The votes of networks by the option that each agrees on. */
function countOptions(networks: readonly { readonly options: Counts; readonly votes: number }[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { options } of networks) for (const [option, votes] of options) count(counts, option, votes);
  return counts;
}

/** The share of an option among independent votes; a cautious one when they are few. */
function shareIn(votes: Counts, option: number): number {
  const all = [...votes.values()].reduce((sum, one) => sum + one, 0);
  if (all < enoughVotes) return cautiousShare;
  return Math.min(0.95, Math.max(0.05, (votes.get(option) ?? 0) / all));
}
