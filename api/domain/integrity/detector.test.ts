import { describe, expect, test } from 'vitest';
import { seededRandom } from '#api/testing/random.ts';
import { runsSlow } from '#api/testing/slow.ts';
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
import { finding, newDeviceSignal, selects } from './cluster.ts';
import { detect } from './detector.ts';
import { slotMinutes } from './marks.ts';
import { accountAges, cookieTrait } from './vote-traits.ts';

const shares = [0.45, 0.35, 0.2];
const { underOneDay } = accountAges;

/** A poll by its votes per day and its days before, and a seed. */
interface Poll {
  readonly perDay: number;
  readonly days: number;
  readonly seed: number;
}

const polls = [
  { perDay: 0, days: 0 },
  { perDay: 40, days: 3 },
  { perDay: 2_000, days: 5 },
];
const seeds = runsSlow ? [1, 2, 3] : [1];
const cases: Poll[] = polls.flatMap((poll) => seeds.map((seed) => ({ ...poll, seed })));

type Cast = (random: ReturnType<typeof seededRandom>) => GeneratedVote[];

/** The detection at the end of a day on which the usual votes and these ones were cast, and how many of each it covers. */
function detected(cast: Cast, { perDay, days, seed }: Poll, until = dayMinutes) {
  const random = seededRandom(seed);
  const votes = withinLimits([...crowd(random, { votes: perDay, shares }), ...cast(random)]).filter(
    ({ minute }) => minute < until,
  );
  const found = detect(trafficOf(votes, { until, history: historyOf(perDay, days, shares) }));
  const within = (clusters: typeof found.clusters) =>
    votes.filter((vote) => {
      const minute = Math.floor(vote.minute / slotMinutes) * slotMinutes;
      return clusters.some(({ criteria }) => selects(criteria)({ ...vote, minute, votes: 1, counted: 1 }));
    });
  const attacking = votes.filter((vote) => vote.attack).length;
  const held = within(found.clusters.filter(({ hold }) => hold));
  return {
    found,
    attacking,
    flaggedShare: within(found.clusters).filter((vote) => vote.attack).length / attacking,
    heldShare: held.filter((vote) => vote.attack).length / attacking,
    heldHonest: held.filter((vote) => !vote.attack).length,
  };
}

const allDay = { start: 0, minutes: dayMinutes };
const attacks: readonly [name: string, cast: Cast][] = [
  ['10 votes per minute all day from one network', (random) => attack(random, { perMinute: 10, ...allDay })],
  [
    '25 votes per minute all day from one network',
    (random) => attack(random, { perMinute: 25, ...allDay, addresses: 20 }),
  ],
  [
    '500 votes per minute for two hours from one network, most of which the limits refuse',
    (random) => attack(random, { perMinute: 500, start: 600, minutes: 120, addresses: 200 }),
  ],
  ['90 votes per five minutes for two hours', (random) => attack(random, { perMinute: 18, start: 600, minutes: 120 })],
  [
    'fresh accounts in one /48',
    (random) =>
      attack(random, { perMinute: 4, start: 600, minutes: 150, addresses: 600, ipv6: true, traits: underOneDay }),
  ],
  [
    'a slow drip from 200 addresses with one choice',
    (random) => attack(random, { perMinute: 1, ...allDay, subnets: 200 }),
  ],
];

describe.each(attacks)('%s', (_, cast) => {
  test.each(cases)('is flagged and held on a poll with $perDay votes a day ($seed)', (poll) => {
    const { found, flaggedShare, heldShare, heldHonest, attacking } = detected(cast, poll);
    expect(found.clusters[0]?.signals.length).toBeGreaterThan(1);
    expect(flaggedShare).toBeGreaterThan(0.9);
    expect(heldShare).toBeGreaterThan(0.9);
    expect(heldHonest / attacking).toBeLessThan(0.03);
  });
});

const honest: readonly [name: string, cast: Cast][] = [
  ['nothing unusual', () => []],
  [
    'a class of 40 that mostly agrees',
    (random) => group(random, { people: 40, shares: [0.9, 0.1], start: 600, minutes: 10 }),
  ],
  ['a class of 40 that agrees', (random) => group(random, { people: 40, shares: [1], start: 600, minutes: 10 })],
  [
    'a company of 300 behind one address',
    (random) => group(random, { people: 300, shares: [0.2, 0.65, 0.15], start: 540, minutes: 240 }),
  ],
  [
    'a company of 300 that votes within half an hour',
    (random) => group(random, { people: 300, shares: [0.7, 0.2, 0.1], start: 540, minutes: 30 }),
  ],
  [
    '10,000 votes in ten minutes by readers of a news site',
    (random) => newsLink(random, { votes: 10_000, shares: [0.6, 0.3, 0.1], start: 700, minutes: 10 }),
  ],
];

describe.each(honest)('%s', (_, cast) => {
  test.each(cases)('is not flagged on a poll with $perDay votes a day ($seed)', (poll) => {
    for (const until of [630, 712, dayMinutes]) {
      const { found } = detected(cast, poll, until);
      expect(found.clusters.map(({ criteria, score, signals }) => ({ criteria, score, signals }))).toEqual([]);
      expect(found.score).toBe(0);
    }
  });
});

test('a program that votes for all options is flagged once it casts more votes than a network has people', () => {
  const { found } = detected((random) => attack(random, { perMinute: 10, ...allDay, agreement: 0.6 }), {
    perDay: 40,
    days: 3,
    seed: 1,
  });
  expect(found.clusters[0]).toMatchObject({ reason: 'automated-network', hold: false });
});

describe('on a poll with several choices', () => {
  /** What a day of people is found to be, each of whom chooses the leader with others, and who else voted. */
  const found = (cast: Cast, seed = 1) => {
    const random = seededRandom(seed);
    const likes = [0.8, 0.5, 0.4];
    const several = (vote: GeneratedVote): GeneratedVote => {
      const [option = 0, ...further] = likes.flatMap((share, place) => (random.chance(share) ? [place] : []));
      return vote.attack ? vote : { ...vote, option, further };
    };
    const votes = [...crowd(random, { votes: 300, shares }), ...cast(random)].map(several);
    const history = { votes: 600, options: new Map([480, 300, 240].entries()), minutes: 2 * dayMinutes };
    return detect(trafficOf(votes, { history }));
  };
  const program = (options: (random: ReturnType<typeof seededRandom>) => Pick<GeneratedVote, 'option' | 'further'>) =>
    found((random) =>
      attack(random, { perMinute: 2.5, start: 600, minutes: 120 }).map((vote) => ({ ...vote, ...options(random) })),
    );

  test('a program is found alike whether it names its option first or after a random one, and beside the leader', () => {
    const other = (random: ReturnType<typeof seededRandom>) => (random.chance(0.5) ? 0 : 1);
    const expected = { option: 2, hold: true, votes: 300 };
    const first = program((random) => ({ option: 2, further: [other(random)] }));
    const second = program((random) => ({ option: other(random), further: [2] }));
    expect(first.clusters).toMatchObject([expected]);
    expect(second).toEqual(first);
    const beside = program(() => ({ option: 0, further: [2] }));
    expect(beside.clusters).toMatchObject([expected]);
  });

  test('people are not suspicious because the votes for the options add up to more than the votes', () => {
    for (const seed of seeds)
      for (const cast of honest.map(([, own]) => own)) expect(found(cast, seed).clusters).toEqual([]);
  });
});

/** The burst in votes by minute of a poll that has been open for so many minutes before the first one. */
function burstIn(votes: readonly (readonly [minute: number, votes: number])[], open: number) {
  const marks = votes.map(([minute, count]) => ({
    ...{ minute, network: minute, traits: 0, option: 0 },
    ...{ votes: count, counted: count },
  }));
  const now = Math.max(...votes.map(([minute]) => minute)) + slotMinutes;
  const history = { votes: 0, options: new Map<number, number>(), minutes: open };
  return detect({ marks, unusual: { findings: [], marks: [] }, now, options: 3, history }).burst;
}

test('a burst is the busiest five minutes of an otherwise quiet poll', () => {
  const quiet = [
    [1_010, 3],
    [1_500, 130],
    [1_505, 4],
  ] as const;
  expect(burstIn(quiet, 1_000)).toMatchObject({ minute: 1_500, votes: 130 });
  expect(burstIn(quiet, 1_000)?.usual).toBeCloseTo((7 * 5) / 1_495);
});

test('a poll that is equally busy all the time has no burst', () => {
  const steady = Array.from({ length: 288 }, (_, slot) => [slot * slotMinutes, 250] as const);
  expect(burstIn(steady, 0)).toBeNull();
  expect(burstIn([...steady, [1_440, 3_000]], 0)).toMatchObject({ minute: 1_440, usual: 250 });
  expect(burstIn([...steady, [1_440, 500]], 0)).toBeNull();
});

test('a burst needs a hundred votes: a class of forty voting on two polls is not reported', () => {
  expect(burstIn([[1_200, 99]], 1_200)).toBeNull();
  expect(burstIn([[1_200, 100]], 1_200)).toEqual({ minute: 1_200, votes: 100, usual: 0 });
});

test('a burst of a poll that has just opened has no comparison', () => {
  expect(burstIn([[2_000, 300]], 1)).toEqual({ minute: 2_000, votes: 300, usual: null });
  expect(burstIn([[2_000, 300]], 10)).toEqual({ minute: 2_000, votes: 300, usual: 0 });
});

test('a poll without votes has a score of 0', () => {
  const unusual = { findings: [], marks: [] };
  expect(
    detect({ marks: [], unusual, now: 0, options: 3, history: { votes: 0, options: new Map(), minutes: 0 } }),
  ).toEqual({
    ...{ score: 0, votes: 0, hourly: 0, hourlyBefore: null },
    ...{ burst: null, clusters: [] },
  });
});

test.each([
  [0, []],
  [cookieTrait, ['new-devices']],
])('new devices are evidence only if fewer of the other votes came from new ones', (othersTraits, kinds) => {
  const vote = { minute: 0, option: 0, votes: 10, counted: 10 };
  const [own, others] = [
    { ...vote, network: 1, traits: 0 },
    { ...vote, network: 2, traits: othersTraits },
  ];
  const criteria = { networks: [1], option: 0, from: 0, to: 5 };
  const signals = [newDeviceSignal([own], [others])];
  const about = { criteria, option: 0, reason: 'automated-network', score: 90, hold: true } as const;
  const cluster = finding([own, others], { ...about, signals });
  expect(cluster.signals.map(({ kind }) => kind)).toEqual(kinds);
});

test('an attack of hundreds of thousands of votes is described by the networks whose votes still count', () => {
  const marks = Array.from({ length: 200_000 }, (_, place) => ({
    ...{ minute: 5 * Math.floor(place / 200), network: place % 200, traits: 0, option: 1, votes: 1 },
    counted: place % 200 < 150 ? 0 : 1,
  }));
  const networks = Array.from({ length: 200 }, (_, network) => network);
  const findings = [{ option: 1, evidence: 1e9, share: 1, usual: 0.3, networks }];
  const history = { votes: 0, options: new Map<number, number>(), minutes: 0 };
  const all = detect({ marks: [], unusual: { findings, marks }, now: 5_000, options: 3, history });
  expect(all.clusters[0]).toMatchObject({ votes: 50_000, counted: 50_000, criteria: { from: 0 } });
  expect(all.clusters[0]!.criteria.networks).toHaveLength(50);
  const decided = marks.map((mark) => ({ ...mark, counted: 0 }));
  expect(detect({ marks: [], unusual: { findings, marks: decided }, now: 5_000, options: 3, history }).score).toBe(0);
});

test('the chart of a cluster adds up to its votes', () => {
  const { found } = detected(attacks[3]![1], { perDay: 40, days: 3, seed: 2 });
  const { chart, votes } = found.clusters[0]!;
  expect(chart.votes.length).toBeLessThanOrEqual(48);
  expect(chart.votes.reduce((sum, one) => sum + one, 0)).toBe(votes);
});
