import { rateLimits } from '#contract/rate-limits.ts';
import type { PollTraffic } from '#domain/integrity/cluster.ts';
import { addressesPerSubnet, count, chosenOptions, slotMinutes, subnetOfNetwork } from '#domain/integrity/marks.ts';
import type { Mark } from '#domain/integrity/marks.ts';
import { unusualNetworks } from '#domain/integrity/network-shares.ts';
import type { PollNetworks } from '#domain/integrity/network-shares.ts';
import { accountAges, cookieTrait } from '#domain/integrity/vote-traits.ts';
import type { Random } from './random.ts';

/** One vote of generated traffic; `minute` counts from the start of the day. */
export interface GeneratedVote {
  readonly minute: number;
  /** An IPv4 address or an IPv6 /48. */
  readonly network: number;
  /** Addresses of one subnet share some limits; so do the /64 of one IPv6 /48, which is one network. */
  readonly address: number;
  readonly traits: number;
  readonly option: number;
  /** The further options that it counts for. */
  readonly further?: readonly number[];
  readonly attack: boolean;
}

const { none, underOneDay, sevenDays } = accountAges;
/** Subnets of the crowd; others have larger numbers. */
const subnets = 60_000;
export const dayMinutes = 1_440;

/** A number with the distribution of waiting times; at least 0. */
const skewed = (random: Random) => -Math.log(1 - random.whole(0, 999_999) / 1_000_000);

/** An option by its share. */
export function optionOf(random: Random, shares: readonly number[]): number {
  let left = random.whole(0, 999_999) / 1_000_000;
  const place = shares.findIndex((share) => (left -= share) < 0);
  return place < 0 ? shares.length - 1 : place;
}

/** The minute of a vote on a normal day: few at night, most in the evening. */
function minuteOfDay(random: Random): number {
  for (;;) {
    const minute = random.whole(0, dayMinutes - 1);
    const activity = 0.5 - 0.45 * Math.cos(((minute - 180) / dayMinutes) * 2 * Math.PI);
    if (random.chance(activity)) return minute;
  }
}

/** What people bring: some a cookie of an earlier vote, a few an account. */
function personTraits(random: Random, returningShare: number): number {
  const account = random.chance(0.06) ? sevenDays : random.chance(0.01) ? underOneDay : none;
  return account | (random.chance(returningShare) ? cookieTrait : 0);
}

/** Where a vote comes from. */
const placeOf = (subnet: number, address: number, ipv6 = false): Pick<GeneratedVote, 'network' | 'address'> => ({
  network: subnet * addressesPerSubnet + (ipv6 ? 0 : address),
  address,
});

interface Crowd {
  readonly votes: number;
  readonly shares: readonly number[];
  /** Share of them that have voted here before. */
  readonly returning?: number;
  /** When they vote; by default over the whole day. */
  readonly minute?: () => number;
}

/**
 * People from everywhere. A few subnets (of carriers) have many of them, most have one; people of one subnet agree more
 * often than others.
 */
export function crowd(random: Random, { votes, shares, returning = 0.3, minute }: Crowd): GeneratedVote[] {
  const last = new Map<number, number>();
  return Array.from({ length: votes }, () => {
    // The rank of a subnet with a heavy tail: 5% of all votes come from the 60 largest ones.
    const subnet = random.chance(0.05) ? random.whole(0, 59) : Math.floor(random.whole(0, 999) ** 1.2 * 15) % subnets;
    const before = last.get(subnet);
    const option = before !== undefined && random.chance(0.08) ? before : optionOf(random, shares);
    last.set(subnet, option);
    return {
      minute: minute?.() ?? minuteOfDay(random),
      ...placeOf(subnet, random.whole(0, 250)),
      ...{ traits: personTraits(random, returning), option, attack: false },
    };
  });
}

/** People behind one address: a class, a company. `minutes` is the time in which most of them vote. */
export function group(
  random: Random,
  { people, shares, start, minutes }: { people: number; shares: readonly number[]; start: number; minutes: number },
): GeneratedVote[] {
  const place = placeOf(subnets + random.whole(0, 1_000_000), 1);
  return Array.from({ length: people }, () => ({
    minute: Math.min(dayMinutes - 1, start + Math.floor((skewed(random) * minutes) / 3)),
    ...{ ...place, traits: personTraits(random, 0.15), option: optionOf(random, shares), attack: false },
  }));
}

/** Readers who follow a link on a news site. */
export function newsLink(
  random: Random,
  { votes, shares, start, minutes }: { votes: number; shares: readonly number[]; start: number; minutes: number },
): GeneratedVote[] {
  const minute = () => Math.min(dayMinutes - 1, start + random.whole(0, minutes - 1));
  return crowd(random, { votes, shares, returning: 0.03, minute });
}

interface Attack {
  readonly perMinute: number;
  readonly start: number;
  readonly minutes: number;
  /** How many subnets and how many addresses in each: the /64 of one IPv6 /48 if so chosen, otherwise of an IPv4 /24. */
  readonly subnets?: number;
  readonly addresses?: number;
  readonly ipv6?: boolean;
  readonly traits?: number;
  /** The share of its votes that are for its option; the others are for option 0. */
  readonly agreement?: number;
  readonly option?: number;
}

/** A program that votes at a steady rate with some jitter, each time with a new device. */
export function attack(random: Random, { perMinute, start, minutes, ...how }: Attack): GeneratedVote[] {
  const { subnets: used = 1, addresses = 1, ipv6 = false, traits = none, agreement = 1, option = 1 } = how;
  const base = subnets + 2_000_000 + random.whole(0, 1_000_000_000);
  return Array.from({ length: Math.round(perMinute * minutes) }, (_, place) => ({
    minute: Math.min(dayMinutes - 1, start + Math.floor(place / perMinute + random.whole(0, 99) / 100)),
    ...placeOf(base + random.whole(0, used - 1), random.whole(0, addresses - 1), ipv6),
    traits,
    option: random.chance(agreement) ? option : 0,
    attack: true,
  }));
}

/** The votes that the existing limits let through. */
export function withinLimits(votes: readonly GeneratedVote[]): GeneratedVote[] {
  const used = new Map<string, number>();
  const room = (key: string, { points }: { readonly points: number }) => (used.get(key) ?? 0) < points;
  return [...votes]
    .sort((a, b) => a.minute - b.minute)
    .filter(({ minute, network, address }) => {
      const hour = Math.floor(minute / 60);
      const limits: [string, { readonly points: number }][] = [
        [`${network} ${address} ${minute}`, rateLimits.vote],
        [`${network} ${address} h${hour}`, rateLimits.pollVotes],
        [`${subnetOfNetwork(network)} h${hour}`, rateLimits.pollVotesNearby],
      ];
      if (!limits.every(([key, limit]) => room(key, limit))) return false;
      for (const [key] of limits) used.set(key, (used.get(key) ?? 0) + 1);
      return true;
    });
}

/** The votes by network, as the database counts them; `votes` are one if not given. */
export function networksOf(
  all: readonly (Pick<GeneratedVote, 'network' | 'option' | 'further'> & { readonly votes?: number })[],
): PollNetworks {
  const networks = [...Map.groupBy(all, ({ network }) => network)].map(([network, own]) => {
    const options = new Map<number, number>();
    for (const vote of own) for (const option of chosenOptions(vote)) count(options, option, vote.votes ?? 1);
    return { network, votes: own.reduce((sum, { votes = 1 }) => sum + votes, 0), options };
  });
  const alone = new Map<number, number>();
  const once = networks.filter(({ votes }) => votes === 1);
  for (const { options } of once) for (const option of options.keys()) count(alone, option, 1);
  return { several: networks.filter(({ votes }) => votes > 1), alone: { votes: once.length, options: alone } };
}

/** What the detector gets of a day of votes, at the end of minute `until`; earlier votes are the poll’s history. */
export function trafficOf(
  votes: readonly GeneratedVote[],
  { until = dayMinutes, history }: { until?: number; history: PollTraffic['history'] },
): PollTraffic {
  const marks = new Map<string, Mark>();
  for (const { minute: at, network, traits, option, further = [] } of votes) {
    if (at >= until) continue;
    const minute = Math.floor(at / slotMinutes) * slotMinutes;
    const key = [minute, network, traits, option, ...further].join();
    const votes = (marks.get(key)?.votes ?? 0) + 1;
    marks.set(key, { minute, network, traits, option, further, votes, counted: votes });
  }
  const findings = unusualNetworks(networksOf(votes.filter(({ minute }) => minute < until)));
  const networks = new Set(findings.flatMap((found) => found.networks));
  const unusual = { findings, marks: [...marks.values()].filter(({ network }) => networks.has(network)) };
  return { marks: [...marks.values()], unusual, now: until, options: 3, history };
}

/** The history of a poll that had these votes per day for some days. */
export function historyOf(perDay: number, days: number, shares: readonly number[]): PollTraffic['history'] {
  return {
    votes: perDay * days,
    options: new Map(shares.map((share, option) => [option, Math.round(share * perDay * days)])),
    minutes: days * dayMinutes,
  };
}
