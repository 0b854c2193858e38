import { expect, test } from 'vitest';
import { InstantRunoff, utils } from 'votes';
import { seededRandom } from '#api/testing/random.ts';
import type { Random } from '#api/testing/random.ts';
import { leastRankedBallots } from '#contract/limits.ts';
import { mayListBallots } from '#domain/listed-ballots.ts';
import { instantRunoff } from './instant-runoff.ts';
import type { Ranking } from './instant-runoff.ts';

/** Rankings such as “7 ABC, 3 B”. */
const rankings = (text: string): Ranking[] =>
  text.split(', ').map((part) => {
    const [votes, letters] = part.split(' ');
    return { votes: Number(votes), options: Array.from(letters!, (letter) => letter.charCodeAt(0) - 65) };
  });

/** The rounds as lines: votes with – for options that are gone, exhausted votes, and who is eliminated. */
const told = (count: number, text: string) => {
  const { rounds, winner } = instantRunoff(count, rankings(text));
  const letter = (option: number | null) => (option === null ? '–' : String.fromCharCode(65 + option));
  return [
    ...rounds.map(
      ({ votes, exhausted, eliminated, byRule }) =>
        `${votes.map((one) => one ?? '–').join(' ')} | ${exhausted} | ${letter(eliminated)}${byRule ? '=' : ''}`,
    ),
    letter(winner),
  ];
};

test('An option with more than half of the first preferences wins in one round', () => {
  expect(told(3, '6 ABC, 3 BA, 2 C')).toEqual(['6 3 2 | 0 | –', 'A']);
});

test('Votes of the last option go to their next preference, or are exhausted', () => {
  expect(told(4, '8 A, 7 BC, 4 CBA, 2 DCB, 1 D')).toEqual([
    '8 7 4 3 | 0 | D',
    '8 7 6 – | 1 | C',
    '8 13 – – | 1 | –',
    'B',
  ]);
});

test('A vote that ranks only options that are gone counts for nobody, and half is of the votes that are left', () => {
  expect(told(3, '5 A, 4 B, 3 C')).toEqual(['5 4 3 | 0 | C', '5 4 – | 3 | –', 'A']);
});

test('Of equal options, the one with fewer votes in the round before is eliminated', () => {
  // B and C are equal in round 2, and C had fewer first preferences.
  expect(told(4, '6 A, 5 BA, 4 CB, 1 DC')).toEqual(['6 5 4 1 | 0 | D', '6 5 5 – | 0 | C=', '6 9 – – | 1 | –', 'B']);
});

test('Of options that have been equal in all rounds, the last one of the poll is eliminated', () => {
  expect(told(4, '5 A, 4 B, 2 CB, 2 DB')).toEqual(['5 4 2 2 | 0 | D=', '5 6 2 – | 0 | C', '5 8 – – | 0 | –', 'B']);
});

test('If all options that are left were equal in all rounds, nobody wins', () => {
  expect(told(3, '2 A, 2 B, 1 C')).toEqual(['2 2 1 | 0 | C', '2 2 – | 1 | –', '–']);
  expect(told(2, '0 A')).toEqual(['0 0 | 0 | –', '–']);
  expect(told(2, '3 A, 3 B')).toEqual(['3 3 | 0 | –', '–']);
});

test('A tie of the last two is decided by the round before', () => {
  expect(told(3, '3 AB, 4 B, 1 CA')).toEqual(['3 4 1 | 0 | C', '4 4 – | 0 | A=', '– 7 – | 1 | –', 'B']);
});

test('Comparisons of pairs count a ranked option above one that is not ranked', () => {
  expect(instantRunoff(3, rankings('5 AB, 2 C, 1 BCA')).pairwise).toEqual([
    [0, 5, 5],
    [1, 0, 6],
    [2 + 1, 2, 0],
  ]);
});

function election(random: Random) {
  const options = random.whole(2, 10);
  const appeal = Array.from({ length: options }, () => random.whole(1, 9));
  const all = [...appeal.keys()];
  return {
    options,
    votes: Array.from({ length: random.whole(1, 400) }, () => {
      const drawn = all.map((option) => ({ option, liking: random.whole(0, 99) * appeal[option]! }));
      const order = drawn.sort((a, b) => b.liking - a.liking).map(({ option }) => option);
      // Most rankings are incomplete.
      return order.slice(0, random.whole(1, options));
    }),
  };
}

test('A thousand random elections without ties have the rounds, the winner, and the pairs of an independent counter', () => {
  const random = seededRandom(40);
  let [compared, drawn, exhausting] = [0, 0, 0];
  for (; compared < 1_000; drawn += 1) {
    const { options, votes } = election(random);
    const candidates = Array.from({ length: options }, (_, option) => String(option));
    const ballots = votes.map((ranking) => ({ ranking: ranking.map((option) => [String(option)]), weight: 1 }));
    const expected = new InstantRunoff({ candidates, ballots }).computeRounds();
    // The other counter eliminates all equal options at once.
    if (expected.some(({ roundResult }) => roundResult.eliminated.length > 1)) continue;
    const { rounds, winner, pairwise } = instantRunoff(
      options,
      votes.map((ranking) => ({ options: ranking, votes: 1 })),
    );
    expect(rounds.map(({ byRule }) => byRule)).not.toContain(true);
    expect(String(winner)).toBe(expected.at(-1)!.roundResult.eliminated[0]);
    for (const [place, round] of rounds.entries()) {
      const { scores, eliminated } = expected[place]!.roundResult;
      expect(round.votes).toEqual(candidates.map((name) => scores[name] ?? null));
      expect(round.exhausted).toBe(votes.length - Object.values(scores).reduce((sum, count) => sum + count, 0));
      if (round.eliminated !== null) expect([String(round.eliminated)]).toEqual(eliminated);
    }
    expect(pairwise).toEqual(utils.matrixFromBallots(ballots, candidates).array);
    compared += 1;
    if (rounds.at(-1)!.exhausted > 0) exhausting += 1;
  }
  expect([compared, drawn > compared, exhausting > 400]).toEqual([1_000, true, true]);
});

test('Equal rankings counted together give what they give one by one, also in elections with ties', () => {
  const random = seededRandom(41);
  let byRule = 0;
  for (let drawn = 0; drawn < 300; drawn++) {
    const { options, votes } = election(random);
    const single = votes.map((ranking) => ({ options: ranking, votes: 1 }));
    const grouped = [...Map.groupBy(single, (ranking) => ranking.options.join())].map(([, same]) => ({
      ...{ options: same[0]!.options, votes: same.length },
    }));
    const runoff = instantRunoff(options, single);
    expect(instantRunoff(options, random.shuffled(grouped))).toEqual(runoff);
    if (runoff.rounds.some((round) => round.byRule)) byRule += 1;
    for (const { votes: counts, exhausted } of runoff.rounds)
      expect(counts.reduce<number>((sum, count) => sum + (count ?? 0), exhausted)).toBe(votes.length);
  }
  expect(byRule).toBeGreaterThan(20);
});

test('Ballots of a ranked poll can be listed from a hundred on, and those of others always', () => {
  expect(leastRankedBallots).toBe(100);
  const said = [0, 99, 100].map((ballots) => mayListBallots(ballots, { method: 'ranked' }));
  expect(said).toEqual([false, false, true]);
  expect(mayListBallots(1, { method: 'several' })).toBe(true);
});
