import { percentWhole } from '#domain/poll-results.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { rankedTexts as texts } from '#texts/ranked.ts';
import type { AnyPoll } from './ballot.ts';

type Counted = Pick<AnyPoll, 'runoff'> & {
  readonly options: readonly { readonly text: string }[];
};

interface RunoffResult {
  /** Votes of the option with the most in the last round. */
  readonly votes: number;
  /** Votes that the last round counts. */
  readonly of: number;
  readonly finding: string;
}

/** The result of a ranked poll; null for other polls, without its rounds, and without votes. */
export function runoffResult(poll: Counted): RunoffResult | null {
  const { runoff, options } = poll;
  const last = runoff?.rounds.at(-1);
  if (!runoff || !last) return null;
  const votes = last.votes.map((count) => count ?? 0);
  const of = votes.reduce((sum, count) => sum + count, 0);
  if (of === 0) return null;
  const most = Math.max(...votes);
  const result = { votes: most, of };
  if (runoff.winner === null) {
    const equal = options.filter((_, place) => votes[place] === most);
    return { ...result, finding: texts.tie(equal.map(({ text }) => text)) };
  }
  const [percent, counted] = [formatPercent(percentWhole(most, of), 0), formatCount(of)];
  return { ...result, finding: texts.wins(options[runoff.winner]!.text, runoff.rounds.length, percent, counted) };
}
