import type { GuessAccuracy } from '#api/polls/guesses/guesses.contract.ts';
import type { PollOption } from '#api/polls/polls.contract.ts';
import { percentWhole } from './poll-results.ts';

/** Which option leads, and with what percentage. */
export interface GuessedLead {
  readonly optionId: string;
  readonly percent: number;
}

/** A result that a guess is compared with. */
interface GuessedResult {
  readonly options: readonly Pick<PollOption, 'id' | 'votes'>[];
  readonly totalVotes: number;
}

/**
 * The whole percentage points by which a guess is off: the distance to the option’s share plus, if another option leads,
 * how far the guessed one is behind. Null for an unknown option.
 */
export function guessError({ optionId, percent }: GuessedLead, { options, totalVotes }: GuessedResult): number | null {
  const option = options.find(({ id }) => id === optionId);
  if (option === undefined) return null;
  const share = percentWhole(option.votes, totalVotes);
  const lead = percentWhole(Math.max(...options.map(({ votes }) => votes)), totalVotes);
  return Math.abs(percent - share) + (lead - share);
}

/**
 * Within how many points somebody has read the crowd: by how much the guesses were off on average, rounded up, so that it is
 * never less; null without guesses.
 */
export function readWithin({ guesses, points }: GuessAccuracy): number | null {
  return guesses === 0 ? null : Math.ceil(points / guesses);
}

/** The percentage of other guesses, given as errors with their frequencies, that are further off than one. */
export function closerThan(
  error: number,
  others: readonly { readonly error: number; readonly guesses: number }[],
): { readonly guessers: number; readonly percent: number } {
  const sum = (list: typeof others) => list.reduce((total, { guesses }) => total + guesses, 0);
  const guessers = sum(others);
  const worse = sum(others.filter((other) => other.error > error));
  return { guessers, percent: guessers === 0 ? 0 : Math.floor((worse * 100) / guessers) };
}
