import { selects } from '#domain/integrity/cluster.ts';
import { detect } from '#domain/integrity/detector.ts';
import { slotMinutes } from '#domain/integrity/marks.ts';
import { accountAges } from '#domain/integrity/vote-traits.ts';
import { seededRandom } from '#api/testing/random.ts';
import type { Random } from '#api/testing/random.ts';
import {
  attack,
  crowd,
  dayMinutes,
  group,
  historyOf,
  newsLink,
  trafficOf,
  withinLimits,
} from '#api/testing/vote-traffic.ts';
import type { GeneratedVote } from '#api/testing/vote-traffic.ts';
import { tableOf } from '#ci/bench/report.ts';

/** Shares of three options that add up to 1. */
function shares(random: Random): number[] {
  const weights = [1, 2, 3].map(() => random.whole(5, 100));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

/** A group that agrees on one option to this degree. */
const leaning = (random: Random, low: number, high: number) => {
  const agreement = random.whole(low, high) / 100;
  return random.shuffled([agreement, ((1 - agreement) * 2) / 3, (1 - agreement) / 3]);
};

type Event = (random: Random) => GeneratedVote[];

const start = (random: Random) => random.whole(420, 1_080);
const honestEvents: Record<string, Event> = {
  'a class of 20 to 40': (random) =>
    group(random, {
      people: random.whole(20, 40),
      shares: leaning(random, 34, 100),
      start: start(random),
      minutes: 10,
    }),
  'a school of 100 to 200': (random) =>
    group(random, {
      people: random.whole(100, 200),
      shares: leaning(random, 34, 85),
      start: start(random),
      minutes: 90,
    }),
  'a company of 100 to 300': (random) =>
    group(random, {
      ...{ people: random.whole(100, 300), shares: leaning(random, 34, 85) },
      ...{ start: start(random), minutes: random.whole(15, 300) },
    }),
  'a company of 300 of which nine in ten agree': (random) =>
    group(random, {
      people: 300,
      shares: leaning(random, 88, 92),
      start: start(random),
      minutes: random.whole(15, 300),
    }),
  'a link on a news site': (random) =>
    newsLink(random, {
      ...{ votes: random.whole(500, 10_000), shares: leaning(random, 34, 80) },
      ...{ start: start(random), minutes: random.whole(10, 120) },
    }),
  'readers of a site who nearly all agree': (random) =>
    newsLink(random, {
      votes: random.whole(200, 800),
      shares: leaning(random, 93, 97),
      start: start(random),
      minutes: 120,
    }),
};

const option = (random: Random) => random.whole(0, 2);
const steady = (random: Random) => ({ start: random.whole(0, 900), minutes: random.whole(120, 500) });
const attacks: Record<string, Event> = {
  'one network, 1 to 25 votes per minute': (random) =>
    attack(random, { perMinute: random.whole(1, 25), ...steady(random), option: option(random), addresses: 20 }),
  'one network, 500 votes per minute all day': (random) =>
    attack(random, { perMinute: 500, start: 0, minutes: dayMinutes, addresses: 200, option: option(random) }),
  'one network, 90 votes per 5 minutes for 2 hours': (random) =>
    attack(random, { perMinute: 18, start: start(random), minutes: 120, option: option(random) }),
  'one /48 with 100 to 600 fresh accounts': (random) =>
    attack(random, {
      ...{ perMinute: 4, start: start(random), minutes: random.whole(25, 150) },
      ...{ addresses: 600, ipv6: true, traits: accountAges.underOneDay, option: option(random) },
    }),
  '200 addresses, a slow drip': (random) =>
    attack(random, {
      perMinute: random.whole(5, 20) / 10,
      start: 0,
      minutes: dayMinutes,
      subnets: 200,
      option: option(random),
    }),
  '200 addresses, 1,200 votes, of which 88% agree': (random) =>
    attack(random, { perMinute: 60, start: start(random), minutes: 20, subnets: 200, agreement: 0.88, option: 1 }),
  '19 addresses, 59 votes each': (random) =>
    attack(random, { perMinute: 1_121, start: start(random), minutes: 1, subnets: 19, option: option(random) }),
  '20 networks, 40 votes each': (random) =>
    attack(random, { perMinute: 2, start: start(random), minutes: 400, subnets: 20, option: option(random) }),
  'one network, one vote in five for others': (random) =>
    attack(random, { perMinute: random.whole(2, 10), ...steady(random), agreement: 0.8, option: random.whole(1, 2) }),
  'one network, 50 votes': (random) =>
    attack(random, { perMinute: 1, start: start(random), minutes: 50, option: option(random) }),
  '500 networks, one vote each': (random) =>
    attack(random, {
      perMinute: 1,
      start: start(random) / 2,
      minutes: 500,
      subnets: 1_000_000,
      option: option(random),
    }),
};

interface Row {
  days: number;
  flagged: number;
  held: number;
  /** Votes: all recorded ones of its kind, and those in flagged and held clusters. */
  votes: number;
  votesFlagged: number;
  votesHeld: number;
}

const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`);

/**
 * Precision and recall of the detector on generated days. Each day is a poll of a random size with random honest events, and
 * every second one is attacked in a random way. Prints a row for each kind of day.
 */
export function measureDetector(days = 600, seed = 1): void {
  const random = seededRandom(seed);
  const rows = new Map<string, Row>();
  const sums = { attacked: 0, caught: 0, alarms: 0, flagged: [0, 0], held: [0, 0], attackVotes: 0 };

  for (let day = 0; day < days; day += 1) {
    const usual = shares(random);
    const perDay = random.pick([0, 20, 100, 500, 2_000, 8_000]);
    const history = historyOf(perDay, random.whole(0, 6), usual);
    const event = random.chance(0.5) ? random.pick(Object.keys(honestEvents)) : null;
    const crime = day % 2 === 0 ? random.pick(Object.keys(attacks)) : null;
    const votes = withinLimits([
      ...crowd(random, { votes: perDay, shares: usual }),
      ...(event ? honestEvents[event]!(random) : []),
      ...(crime ? attacks[crime]!(random) : []),
    ]);
    const { clusters } = detect(trafficOf(votes, { history }));
    const inside = (some: typeof clusters) => {
      const tests = some.map(({ criteria }) => selects(criteria));
      return votes.filter((vote) => {
        const minute = Math.floor(vote.minute / slotMinutes) * slotMinutes;
        return tests.some((matches) => matches({ ...vote, minute, votes: 1, counted: 1 }));
      });
    };
    const flagged = inside(clusters);
    const held = inside(clusters.filter(({ hold }) => hold));
    const attacking = (some: readonly GeneratedVote[]) => some.filter((vote) => vote.attack).length;
    const name = crime ?? `(honest) ${event ?? 'a usual day'}`;
    const row = rows.get(name) ?? { days: 0, flagged: 0, held: 0, votes: 0, votesFlagged: 0, votesHeld: 0 };
    const own = (some: readonly GeneratedVote[]) => (crime ? attacking(some) : some.length);
    row.days += 1;
    row.flagged += Number(flagged.length > 0);
    row.held += Number(held.length > 0);
    row.votes += own(votes);
    row.votesFlagged += own(flagged);
    row.votesHeld += own(held);
    rows.set(name, row);
    sums.attackVotes += attacking(votes);
    for (const [sum, some] of [
      [sums.flagged, flagged],
      [sums.held, held],
    ] as const) {
      sum[0]! += attacking(some);
      sum[1]! += some.length;
    }
    if (crime) {
      sums.attacked += 1;
      sums.caught += Number(flagged.length > 0);
    } else sums.alarms += Number(flagged.length > 0);
  }

  console.log(
    tableOf(
      [...rows]
        .sort(([a], [b]) => (a < b ? 1 : -1))
        .map(([name, row]) => ({
          ...{ 'day with': name, days: `${row.days}`, flagged: percent(row.flagged, row.days) },
          ...{ held: percent(row.held, row.days), 'votes flagged': percent(row.votesFlagged, row.votes) },
          'votes held': percent(row.votesHeld, row.votes),
        })),
    ),
  );
  const summary = (name: string, right: number, found: number, all: number) => ({
    ...{ '': name, precision: percent(right, found), recall: percent(right, all) },
  });
  console.log(
    `\n${tableOf([
      summary('polls flagged', sums.caught, sums.caught + sums.alarms, sums.attacked),
      summary('votes flagged', sums.flagged[0]!, sums.flagged[1]!, sums.attackVotes),
      summary('votes held', sums.held[0]!, sums.held[1]!, sums.attackVotes),
    ])}`,
  );
}
