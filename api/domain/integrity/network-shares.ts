import { count } from './marks.ts';
import type { OptionVotes } from './marks.ts';
import { independentOf } from './statistics.ts';

/**
 * The test of shares: whether networks with several votes choose an option more often than networks with one vote do. A
 * program that votes several times from each address can choose its mix of options, but to change a result it has to vote
 * unlike everybody else, and that shows however it mixes.
 *
 * Each network counts as one observation: its share of votes for the option, or the share of its groups of k voters who all
 * chose it. So people behind one address may have an opinion of their own: a class that agrees is one network that agrees. The
 * statistic is a betting martingale for the mean of bounded observations (Waudby-Smith and Ramdas, “Estimating means of
 * bounded random variables by betting”, 2023): with shares s of m networks and the share p that honest networks have at
 * most, the mean of Π(1 + b(s/p − 1)) over some bets b is expected to be at most 1. By Markov’s inequality it exceeds E with
 * a probability of at most 1/E.
 */
export const shareTest = {
  /**
   * Networks with at least so many votes are tested together, by how often so many of their voters agree. One voter: their
   * share, which many networks show however they mix. Several: unanimity, which few networks show.
   */
  tests: [
    { size: 2, voters: 1 },
    { size: 5, voters: 1 },
    { size: 20, voters: 3 },
    { size: 5, voters: 4 },
    { size: 20, voters: 8 },
  ],
  /**
   * The correlation that voters of one honest network have at most, as with a network whose share is drawn from a beta
   * distribution: half of the people of an office follow the first of them.
   */
  correlation: 0.3,
  bets: [0.1, 0.3, 0.6, 0.9],
  /** Standard deviations above the share found among networks with one vote, for the bound p. */
  deviations: 2.33,
  /**
   * The part of the way from that bound to 1 by which networks of several people, such as those of mobile carriers, may
   * honestly differ from the others.
   */
  tolerance: 0.1,
  /**
   * Where fewer people voted alone from their networks, they hardly tell what is usual: an option that more than this share of
   * networks with several votes agree on is unusual, whatever they chose.
   */
  unknown: { voters: 30, share: 0.9 },
  /** From this evidence on, votes are flagged: at most one honest poll in a hundred. */
  flagged: 100,
  /** From this one on, they are held: at most one honest poll in ten thousand. */
  held: 10_000,
} as const;

/** Votes of one network, an IPv4 address or an IPv6 /48, on one poll. */
export interface NetworkVotes extends OptionVotes {
  readonly network: number;
}

/** All votes of a poll whose network is known. */
export interface PollNetworks {
  /** The networks with several votes. */
  readonly several: readonly NetworkVotes[];
  /** The votes of the others, one each. */
  readonly alone: OptionVotes;
}

/** Networks that vote unlike the independent votes. */
export interface ShareFinding {
  /** The option that they choose more often. */
  readonly option: number;
  /** How many times likelier than under the honest explanation; see {@link shareTest}. */
  readonly evidence: number;
  /** Mean share of the option among them, and among networks with one vote; 0…1. */
  readonly share: number;
  readonly usual: number;
  readonly networks: readonly number[];
}

/** Findings of one poll are searched for so often, each without the networks of those before it. */
const mostFindings = 5;

/** The groups of networks that vote unlike the independent votes, strongest evidence first; linear in their number. */
export function unusualNetworks({ several, alone }: PollNetworks): ShareFinding[] {
  let networks = several;
  const found: ShareFinding[] = [];
  while (found.length < mostFindings) {
    const next = strongest(networks, alone);
    if (next === undefined) break;
    found.push(next);
    const flagged = new Set(next.networks);
    networks = networks.filter(({ network }) => !flagged.has(network));
  }
  return found.sort((a, b) => b.evidence - a.evidence);
}

function strongest(networks: readonly NetworkVotes[], alone: OptionVotes): ShareFinding | undefined {
  const options = [...new Set(networks.flatMap((one) => [...one.options.keys()]))];
  const references = new Map(options.map((option) => [option, referenceOf(option, alone)]));
  const { tests } = shareTest;
  const bySize = new Map(tests.map(({ size }) => [size, networks.filter(({ votes }) => votes >= size)]));
  let best: { option: number; evidence: number; own: readonly NetworkVotes[] } | undefined;
  for (const [option, { bound }] of references) {
    const made = tests.map(({ size, voters }) => {
      const own = bySize.get(size)!;
      return { own, evidence: evidenceOf(own, option, { voters, bound }) };
    });
    // The mean of several tests is a test of the same strength.
    const evidence = made.reduce((sum, one) => sum + one.evidence, 0) / (tests.length * options.length);
    if (evidence < shareTest.flagged || evidence <= (best?.evidence ?? 0)) continue;
    const { own } = made.reduce((a, b) => (b.evidence > a.evidence ? b : a));
    best = { option, evidence, own };
  }
  if (best === undefined) return undefined;
  const { option, evidence, own } = best;
  const reference = references.get(option)!;
  const chosen = alike(own, option, reference);
  if (chosen.length === 0) return undefined;
  const share = chosen.reduce((sum, one) => sum + shareIn(one, option), 0) / chosen.length;
  return { option, evidence, share, usual: reference.usual, networks: chosen.map(({ network }) => network) };
}

/** What is known of an option from people who voted alone from their networks; shares from 0 to 1. */
interface Reference {
  readonly usual: number;
  /** The share that honest networks with several votes have at most, on average. */
  readonly bound: number;
}

function referenceOf(option: number, { votes: voters, options }: OptionVotes): Reference {
  const { unknown } = shareTest;
  if (voters === 0) return { usual: unknown.share / 2, bound: unknown.share };
  const usual = (options.get(option) ?? 0) / voters;
  const z = shareTest.deviations;
  // The upper end of Wilson’s interval.
  const spread = z * Math.sqrt((usual * (1 - usual)) / voters + z ** 2 / (4 * voters ** 2));
  const upper = (usual + z ** 2 / (2 * voters) + spread) / (1 + z ** 2 / voters);
  const bound = upper + shareTest.tolerance * (1 - upper);
  if (voters >= unknown.voters) return { usual, bound };
  return { usual: Math.min(usual, unknown.share / 2), bound: Math.min(bound, unknown.share) };
}

/** The mean of the bets, each of which is expected to be at most 1 for honest networks. */
function evidenceOf(
  networks: readonly NetworkVotes[],
  option: number,
  { voters, bound }: { readonly voters: number; readonly bound: number },
): number {
  const expected = agreementBound(voters, bound);
  const gains = networks.map((one) => agreementIn(one, option, voters) / expected - 1);
  let sum = 0;
  for (const bet of shareTest.bets) {
    let won = 0;
    for (const gain of gains) won += Math.log(1 + bet * gain);
    sum += Math.exp(Math.min(won, 600));
  }
  return sum / shareTest.bets.length;
}

/**
 * How often so many voters of one honest network all choose an option, at most: the moment of a beta distribution with this
 * mean. Less correlated networks, and networks that choose it less often, agree less.
 */
function agreementBound(voters: number, mean: number): number {
  const people = 1 / shareTest.correlation - 1;
  let agreed = 1;
  for (let voter = 0; voter < voters; voter += 1) agreed *= (mean * people + voter) / (people + voter);
  return agreed;
}

/** The share of the groups of so many voters of a network who all chose the option; with one voter, its share. */
function agreementIn({ options, votes }: NetworkVotes, option: number, voters: number): number {
  const own = options.get(option) ?? 0;
  let agreed = 1;
  for (let voter = 0; voter < voters; voter += 1) agreed *= Math.max(0, own - voter) / (votes - voter);
  return agreed;
}

/** Honest networks of each size that the fit begins with, so that few networks that hardly differ don’t belong. */
const honestBefore = 10;

/** Votes that most networks with several voters have at most. */
const household = 3;

/** Rounds of the fit; it hardly changes after ten. */
const fitRounds = 30;

/**
 * The networks that rather belong to those who vote unlike the others. A mixture of two groups is fitted by expectation
 * maximization: one chooses the option as often as usual, the other more often than honest networks do. Their proportion is
 * fitted for each size, so that pairs of one household aren’t taken for the addresses of a program that votes more often.
 */
function alike(networks: readonly NetworkVotes[], option: number, { usual: known, bound }: Reference): NetworkVotes[] {
  const usual = clampShare(known);
  const members = networks.map((network) => ({
    network,
    own: shareIn(network, option),
    weight: independentOf(network.votes),
    size: sizeClass(network.votes),
    belongs: 0,
  }));
  const bySize = [...Map.groupBy(members, ({ size }) => size).values()].map((some) => ({ some, part: 0.5 }));
  let share = clampShare(1);
  for (let round = 0; round < fitRounds; round += 1) {
    const [gain, loss] = [Math.log(share / usual), Math.log((1 - share) / (1 - usual))];
    let [weights, chosen] = [0, 0];
    for (const group of bySize) {
      let belonging = 0;
      for (const one of group.some) {
        const odds = (group.part / (1 - group.part)) * Math.exp(one.weight * (one.own * gain + (1 - one.own) * loss));
        one.belongs = odds / (1 + odds);
        belonging += one.belongs;
        weights += one.belongs * one.weight;
        chosen += one.belongs * one.weight * one.own;
      }
      group.part = Math.min(0.99, Math.max(0.01, belonging / (group.some.length + honestBefore)));
    }
    if (weights === 0) return [];
    share = clampShare(Math.max(bound, chosen / weights));
  }
  // Where most networks of a size belong, the others of this size still don’t if they vote like everybody else. Most people
  // who share a network are a household, so its votes have to be likelier among the unusual networks than among the others.
  const [gain, loss] = [Math.log(share / usual), Math.log((1 - usual) / (1 - share))];
  const likelier = Math.max(usual, loss / (gain + loss));
  const least = ({ size }: { readonly size: number }) => (size <= household ? likelier : usual);
  return members.filter((one) => one.belongs > 0.5 && one.own > least(one)).map(({ network }) => network);
}

/** Networks whose proportions are fitted together: few votes exactly, since pairs of one household aren’t triples of a program. */
const sizeClass = (votes: number): number => (votes < 8 ? votes : 5 + Math.floor(Math.log2(votes)));

const clampShare = (share: number): number => Math.min(0.995, Math.max(0.005, share));

const shareIn = (network: NetworkVotes, option: number): number => agreementIn(network, option, 1);

/**
 * Independent votes by option, where a vote chooses one: one of each network, in the proportions of its votes, without the
 * `flagged` networks. Whole numbers that add up to the number of networks.
 */
export function independentVotes(
  { several, alone }: PollNetworks,
  flagged: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  const shares = new Map<number, number>(alone.options);
  let all = alone.votes;
  for (const { network, options, votes } of several) {
    if (flagged.has(network)) continue;
    all += 1;
    for (const [option, own] of options) count(shares, option, own / votes);
  }
  const whole = new Map([...shares].map(([option, share]) => [option, Math.floor(share + 1e-9)]));
  const rest = [...shares].sort(([a, x], [b, y]) => (y % 1) - (x % 1) || a - b);
  const missing = all - [...whole.values()].reduce((sum, one) => sum + one, 0);
  for (const [option] of rest.slice(0, missing)) count(whole, option, 1);
  return whole;
}
