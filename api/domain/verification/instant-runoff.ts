/** Votes that rank the same options in the same order: positions in the poll’s own order, from 0, the favorite first. */
export interface Ranking {
  readonly options: readonly number[];
  readonly votes: number;
}

/** One round of the count. */
export interface Round {
  /** Votes by option, in the poll’s own order; null for an option that an earlier round eliminated. */
  readonly votes: readonly (number | null)[];
  /** Votes that rank no option that is left. */
  readonly exhausted: number;
  /** The option that this round eliminates; null in the last one. */
  readonly eliminated: number | null;
  /** Whether others had as few votes, so that the rule for ties chose it. */
  readonly byRule: boolean;
}

export interface Runoff {
  readonly rounds: readonly Round[];
  /** The option with more than half of the votes that the last round counts; null if all that are left are equal. */
  readonly winner: number | null;
  /** By option, then by another one: the votes that rank the first above the second, or rank only the first. */
  readonly pairwise: readonly (readonly number[])[];
}

/** Whether two counts have the same rounds, winner, and pairs. */
export const isSameRunoff = (one: Runoff, other: Runoff): boolean => {
  const text = ({ rounds, winner, pairwise }: Runoff) =>
    JSON.stringify([rounds.map((round) => [round.votes, round.exhausted, round.eliminated]), winner, pairwise]);
  return text(one) === text(other);
};

/**
 * Counts rankings by instant runoff: until an option has more than half of the votes that rank one that is left, the option
 * with the fewest is eliminated, and its votes go to their next one. Of equal ones it is the one with the fewest votes in the
 * round before, or the one before that; if they were equal in all rounds, the last one in the poll’s own order. If all that
 * are left were equal in all rounds, nobody wins. Votes for options that are not on the poll must not be in the list.
 */
export function instantRunoff(optionCount: number, rankings: readonly Ranking[]): Runoff {
  const left = new Set(Array.from({ length: optionCount }, (_, option) => option));
  const rounds: Round[] = [];
  for (;;) {
    const { votes, exhausted } = roundOf(optionCount, rankings, left);
    const most = Math.max(...[...left].map((option) => votes[option]!));
    const counted = [...left].reduce((sum, option) => sum + votes[option]!, 0);
    const history = [votes, ...rounds.map((round) => round.votes).reverse()];
    const last = lastOf([...left], history);
    if (most * 2 > counted || last === null) {
      rounds.push({ votes, exhausted, eliminated: null, byRule: false });
      const winner = last === null && left.size > 1 ? null : [...left].find((option) => votes[option] === most)!;
      return { rounds, winner, pairwise: pairwiseOf(optionCount, rankings) };
    }
    const byRule = [...left].some((option) => option !== last && votes[option] === votes[last]);
    rounds.push({ votes, exhausted, eliminated: last, byRule });
    left.delete(last);
  }
}

function roundOf(optionCount: number, rankings: readonly Ranking[], left: ReadonlySet<number>) {
  const votes = Array.from({ length: optionCount }, (_, option) => (left.has(option) ? 0 : null));
  let exhausted = 0;
  for (const ranking of rankings) {
    const chosen = ranking.options.find((option) => left.has(option));
    if (chosen === undefined) exhausted += ranking.votes;
    else votes[chosen]! += ranking.votes;
  }
  return { votes, exhausted };
}

/** The option to eliminate by its votes in these rounds, newest first; null if all have been equal. */
function lastOf(left: readonly number[], history: readonly Round['votes'][]): number | null {
  let tied = left;
  for (const votes of history) {
    const fewest = Math.min(...tied.map((option) => votes[option]!));
    tied = tied.filter((option) => votes[option] === fewest);
  }
  return tied.length === left.length ? null : tied.at(-1)!;
}

function pairwiseOf(optionCount: number, rankings: readonly Ranking[]): number[][] {
  const pairwise = Array.from({ length: optionCount }, () => new Array<number>(optionCount).fill(0));
  for (const { options, votes } of rankings) {
    const below = new Set(pairwise.keys());
    for (const option of options) {
      below.delete(option);
      for (const other of below) pairwise[option]![other]! += votes;
    }
  }
  return pairwise;
}
