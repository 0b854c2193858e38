import { describe, expect, test } from 'vitest';
import { seededRandom } from '#api/testing/random.ts';
import type { Random } from '#api/testing/random.ts';
import { runsSlow } from '#api/testing/slow.ts';
import { networksOf, optionOf } from '#api/testing/vote-traffic.ts';
import { independentVotes, shareTest, unusualNetworks } from './network-shares.ts';

interface Vote {
  readonly network: number;
  readonly option: number;
  readonly attack: boolean;
}

/** Votes of some networks, each with so many; people of one network agree by `together`, each network around the shares. */
interface Crowd {
  readonly networks: number;
  readonly size: (random: Random) => number;
  readonly shares: readonly number[];
  /** How much of a network follows its first voter. */
  readonly together?: number;
  readonly attack?: boolean;
}

const usual = [0.5, 0.3, 0.2];
const one = () => 1;
const exactly = (size: number) => () => size;
const between = (low: number, high: number) => (random: Random) => random.whole(low, high);

/** People of 140 networks, six of which are households. */
const people: readonly Crowd[] = [
  { networks: 134, size: one, shares: usual },
  { networks: 6, size: exactly(2), shares: usual, together: 0.4 },
];

function cast(random: Random, crowds: readonly Crowd[]): Vote[] {
  let network = 0;
  return crowds.flatMap(({ networks, size, shares, together = 0, attack = false }) =>
    Array.from({ length: networks }, () => {
      network += 1;
      const first = optionOf(random, shares);
      return Array.from({ length: size(random) }, (_, place) => ({
        network,
        option: place === 0 || random.chance(together) ? first : optionOf(random, shares),
        attack,
      }));
    }).flat(),
  );
}

const seeds = Array.from({ length: runsSlow ? 300 : 8 }, (_, seed) => seed + 1);

describe('people', () => {
  const crowds: readonly [name: string, crowds: readonly Crowd[]][] = [
    ['of 140 networks', people],
    [
      'of 1,800 networks, as after a link on a news site',
      [
        { networks: 1_600, size: one, shares: usual },
        { networks: 200, size: exactly(2), shares: usual, together: 0.3 },
      ],
    ],
    [
      'of whom 60% are in 60 shared networks, and 92% agree',
      [
        { networks: 800, size: one, shares: [0.92, 0.05, 0.03] },
        { networks: 60, size: exactly(20), shares: [0.92, 0.05, 0.03] },
      ],
    ],
    ['with two classes of 40 that agree', [...people, { networks: 2, size: exactly(40), shares: [0, 1, 0] }]],
    [
      'with 30 offices where half of the people follow the first',
      [...people, { networks: 30, size: between(5, 60), shares: usual, together: 0.5 }],
    ],
    [
      'of households and offices on a new site, with five who vote alone',
      [
        { networks: 5, size: one, shares: usual },
        { networks: 60, size: between(2, 4), shares: usual, together: 0.6 },
        { networks: 20, size: between(5, 30), shares: usual, together: 0.5 },
      ],
    ],
    [
      'with eight offices that each have an opinion',
      [...people, { networks: 8, size: between(20, 60), shares: [0.35, 0.45, 0.2], together: 0.5 }],
    ],
    [
      'with 40 networks of mobile carriers that differ by 10 points',
      [
        { networks: 600, size: one, shares: usual },
        { networks: 40, size: between(5, 45), shares: [0.4, 0.4, 0.2], together: 0.1 },
      ],
    ],
    [
      'of households that mostly agree',
      [
        { networks: 300, size: one, shares: usual },
        { networks: 300, size: between(2, 4), shares: usual, together: 0.6 },
      ],
    ],
    [
      'of a school that nearly all share a network, on a new site',
      [
        { networks: 20, size: one, shares: usual },
        { networks: 60, size: between(2, 4), shares: usual, together: 0.6 },
      ],
    ],
    [
      'who follow a link of people with one opinion',
      [
        ...people,
        { networks: 400, size: one, shares: [0.05, 0.9, 0.05] },
        { networks: 30, size: exactly(3), shares: [0.05, 0.9, 0.05] },
      ],
    ],
    [
      'without anybody who votes alone from a network',
      [{ networks: 50, size: between(2, 9), shares: usual, together: 0.5 }],
    ],
  ];

  test.each(crowds)('%s are never flagged', (_, some) => {
    for (const seed of seeds)
      expect(unusualNetworks(networksOf(cast(seededRandom(seed), some))), `${seed}`).toEqual([]);
  });
});

describe('a program', () => {
  const bot = (networks: number, votes: number, shares: readonly number[]): Crowd => ({
    ...{ networks, size: exactly(votes), shares, attack: true },
  });
  const attacks: readonly [name: string, attack: Crowd][] = [
    ['that votes six times from each of 200 addresses for one option', bot(200, 6, [0, 1, 0])],
    ['that mixes its choices 88/8/4', bot(200, 6, [0.08, 0.88, 0.04])],
    ['that votes six times from each of 200 addresses for the leader', bot(200, 6, [1, 0, 0])],
    ['that votes 59 times from each of 19 addresses', bot(19, 59, [0, 1, 0])],
    ['that votes twice from each of 100 addresses', bot(100, 2, [0, 1, 0])],
    ['that votes ten times from each of 20 addresses', bot(20, 10, [0, 1, 0])],
    ['that votes 30 times from each of ten addresses', bot(10, 30, [0, 1, 0])],
    ['that votes 59 times from each of five addresses', bot(5, 59, [0, 1, 0])],
  ];

  test.each(attacks)('%s is flagged, and on average hardly anybody else', (_, attack) => {
    let [lost, honest] = [0, 0];
    for (const seed of seeds) {
      const votes = cast(seededRandom(seed), [...people, attack]);
      const flagged = new Set(unusualNetworks(networksOf(votes)).flatMap(({ networks }) => networks));
      const left = votes.filter((vote) => vote.attack && !flagged.has(vote.network)).length;
      expect(left, `${seed}`).toBeLessThanOrEqual(attack.networks * 0.1);
      lost += votes.filter((vote) => !vote.attack && flagged.has(vote.network)).length;
      honest += votes.filter((vote) => !vote.attack).length;
    }
    expect(lost / honest).toBeLessThanOrEqual(0.05);
  });

  test('whose first vote of each address is for another option is flagged all the same', () => {
    for (const seed of seeds) {
      const votes = cast(seededRandom(seed), [...people, bot(200, 6, [0, 1, 0])]).map((vote, place, all) =>
        vote.attack && all[place - 1]?.network !== vote.network ? { ...vote, option: 0 } : vote,
      );
      const flagged = new Set(unusualNetworks(networksOf(votes)).flatMap(({ networks }) => networks));
      expect(votes.filter(({ attack, network }) => attack && !flagged.has(network))).toEqual([]);
    }
  });

  test('that names its option after a random other one is flagged all the same, and people who choose several are not', () => {
    for (const seed of seeds) {
      const random = seededRandom(seed);
      const votes = cast(random, [...people, bot(200, 6, [0.5, 0, 0.5])]).map((vote) => ({
        ...vote,
        further: vote.attack ? [1] : [0, 1, 2].filter((option) => option !== vote.option && random.chance(0.4)),
      }));
      const found = unusualNetworks(networksOf(votes));
      expect(found[0]!.option).toBe(1);
      const flagged = new Set(found.flatMap(({ networks }) => networks));
      expect(votes.filter(({ attack, network }) => attack && !flagged.has(network))).toEqual([]);
      expect(unusualNetworks(networksOf(votes.filter(({ attack }) => !attack)))).toEqual([]);
    }
  });

  test('that votes three times in four for its option is flagged where only 15 people vote alone', () => {
    for (const seed of seeds) {
      const votes = cast(seededRandom(seed), [
        { networks: 15, size: one, shares: [1, 0, 0] },
        bot(100, 8, [0.25, 0.75, 0]),
      ]);
      expect(unusualNetworks(networksOf(votes)).map(({ option }) => option)).toContain(1);
    }
  });

  test.each([
    ['twice', 2, [0.4, 0.6, 0]],
    ['twice, seven in ten for its option', 2, [0.2, 0.7, 0.1]],
    ['three times', 3, [0.2, 0.8, 0]],
  ] as const)('that votes %s from each of 200 addresses takes along few who share a network', (_, votes, shares) => {
    const lost = seeds.map((seed) => {
      const all = cast(seededRandom(seed), [...people, bot(200, votes, shares)]);
      const flagged = new Set(unusualNetworks(networksOf(all)).flatMap(({ networks }) => networks));
      return all.filter(({ attack, network }) => !attack && flagged.has(network)).length / 146;
    });
    expect(lost.reduce((sum, own) => sum + own, 0) / lost.length).toBeLessThanOrEqual(0.03);
  });

  test('that hides among networks of companies is flagged without them', () => {
    const companies: Crowd = { networks: 60, size: exactly(20), shares: usual, together: 0.2 };
    const found = seeds.map((seed) => {
      const votes = cast(seededRandom(seed), [
        { networks: 600, size: one, shares: usual },
        companies,
        bot(60, 10, [0, 1, 0]),
      ]);
      const flagged = new Set(unusualNetworks(networksOf(votes)).flatMap(({ networks }) => networks));
      return {
        left: votes.filter(({ attack, network }) => attack && !flagged.has(network)).length,
        lost: votes.filter(({ attack, network }) => !attack && flagged.has(network)).length / 1_800,
      };
    });
    expect(found.filter(({ left }) => left > 60).length).toBeLessThanOrEqual(seeds.length * 0.05);
    for (const { lost } of found) expect(lost).toBeLessThanOrEqual(0.05);
  });

  test('that votes as often for each option as everybody else changes no share, and is not flagged', () => {
    for (const seed of seeds)
      expect(unusualNetworks(networksOf(cast(seededRandom(seed), [...people, bot(200, 6, usual)])))).toEqual([]);
  });
});

test('the strongest evidence comes first, and says how the networks vote and how others do', () => {
  const votes = cast(seededRandom(1), [
    { networks: 400, size: one, shares: usual },
    { networks: 20, size: exactly(9), shares: [0, 0, 1] },
    { networks: 150, size: exactly(9), shares: [0, 1, 0] },
  ]);
  const found = unusualNetworks(networksOf(votes));
  expect(found.map(({ option }) => option)).toEqual([1, 2]);
  expect(found[0]!.share).toBeCloseTo(1, 1);
  expect(found[0]!.usual).toBeCloseTo(0.3, 1);
  expect(found[0]!.evidence).toBeGreaterThan(found[1]!.evidence);
  expect(found[1]!.evidence).toBeGreaterThan(shareTest.flagged);
});

const nobody = { votes: 0, options: new Map<number, number>() };

test('a poll without votes has no unusual networks', () => {
  expect(unusualNetworks({ several: [], alone: nobody })).toEqual([]);
});

describe('independent votes', () => {
  const poll = networksOf([
    ...[0, 0, 1].map((option, network) => ({ network, option })),
    ...[1, 1, 1, 0].map((option) => ({ network: 10, option })),
    ...[2, 2].map((option) => ({ network: 11, option })),
  ]);

  test('are one of each network, in the proportions of its votes', () => {
    expect(independentVotes(poll, new Set())).toEqual(
      new Map([
        [0, 2],
        [1, 2],
        [2, 1],
      ]),
    );
  });

  test('leave out the networks that are flagged', () => {
    expect(independentVotes(poll, new Set([10, 11]))).toEqual(
      new Map([
        [0, 2],
        [1, 1],
      ]),
    );
  });

  test('add up to the number of networks', () => {
    const several = [12, 13, 14].map((network) => ({
      ...{ network, votes: 2 },
      options: new Map([
        [0, 1],
        [1, 1],
      ]),
    }));
    const votes = independentVotes({ several, alone: nobody }, new Set());
    expect([...votes.values()].reduce((sum, own) => sum + own, 0)).toBe(3);
  });

  test('of a program never exceed the networks that it used, however it votes', () => {
    for (const shares of [
      [0, 1, 0],
      [0.3, 0.4, 0.3],
      [0.1, 0.8, 0.1],
    ]) {
      const honest = cast(seededRandom(7), people);
      const all = cast(seededRandom(7), [...people, { networks: 20, size: exactly(50), shares, attack: true }]);
      const sum = (votes: readonly Vote[]) =>
        [...independentVotes(networksOf(votes), new Set()).values()].reduce((total, own) => total + own, 0);
      expect(sum(all) - sum(honest)).toBe(20);
    }
  });
});
