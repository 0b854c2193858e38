import { communityPollFor } from '#api/polls/community/community-polls.service.ts';
import { BallotModel, lifespanOf } from '#api/voting/ballot.model.ts';
import { recordedVotes } from '#api/voting/voting.service.ts';
import type { Voter } from '#api/voting/voter.ts';
import type { Guessed, GuessAccuracy } from './guesses.contract.ts';
import { closerThan, guessError } from '#domain/guess.ts';
import type { GuessedLead } from '#domain/guess.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import type { Attempts } from '#platform/attempts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';

interface GuessContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly attempts: Attempts;
}

/**
 * Adds the guess of a voter to the sums of a poll, and of the member; returns it against the result and earlier guesses.
 * Throws POLL_NOT_FOUND, POLL_CLOSED, VOTE_REQUIRED, INVALID_OPTION, RATE_LIMITED for a second guess, FORBIDDEN where this
 * voter doesn’t see the result, and what `communityPollFor` throws.
 */
export async function guess(
  { db, clock, attempts }: GuessContext,
  pollId: string,
  guessed: GuessedLead,
  voter: Voter | null,
): Promise<Guessed> {
  const poll = await BallotModel.query(db).findById(pollId).withGraphFetched('options');
  const seen = poll?.kind === 'community' ? await communityPollFor({ db, clock }, pollId, voter) : null;
  const phase = poll && phaseOf(lifespanOf(poll), clock.now());
  if (!poll || (seen === null && phase === 'upcoming')) throw errors.pollNotFound();
  if (phase === 'closed') throw errors.pollClosed();
  if (!(await recordedVotes(db, voter, [pollId])).has(pollId)) throw errors.voteRequired();
  if (seen?.options.some(({ votes }) => votes === null)) throw errors.forbidden();
  const { options, total_votes: totalVotes } = poll;
  const option = options.find(({ option_id }) => option_id === guessed.optionId);
  const result = { options: options.map(({ option_id: id, votes }) => ({ id, votes })), totalVotes };
  const points = guessError(guessed, result);
  if (!option?.offered || points === null) throw errors.invalidOption();
  const known = [voter?.device, voter?.cookie, voter?.userId].flatMap((id) => id ?? []);
  await attempts.count(
    known.map((id) => ['guessOnPoll', `${pollId} ${id}`]),
    errors.rateLimited,
  );

  return db.transaction(async (trx) => {
    const earlier = await guessesOn(trx, pollId);
    const others = earlier.map(({ guesses, ...other }) => ({ guesses, error: guessError(other, result) ?? Infinity }));
    await trx('guesses')
      .insert({
        ballot_key: trx('ballots').where({ id: pollId }).select('key'),
        option_key: trx('ballot_options').where({ ballot_id: pollId, option_id: guessed.optionId }).select('key'),
        percent: guessed.percent,
        guesses: 1,
      })
      .onConflict(['ballot_key', 'option_key', 'percent'])
      .merge({ guesses: trx.raw('guesses.guesses + 1') });
    const { guessers, percent } = closerThan(points, others);
    const userId = voter?.userId ?? null;
    return {
      points,
      guessers,
      closerThan: percent,
      accuracy: userId === null ? null : await addTo(trx, userId, points),
    };
  });
}

/** The guesses on a poll, with how often each was made. */
async function guessesOn(db: Database, pollId: string): Promise<(GuessedLead & { guesses: number })[]> {
  const rows = await db('guesses as guess')
    .join('ballots as ballot', 'ballot.key', 'guess.ballot_key')
    .join('ballot_options as option', 'option.key', 'guess.option_key')
    .where('ballot.id', pollId)
    .select<{ optionId: string; percent: number; guesses: number | string }[]>(
      'option.option_id as optionId',
      'percent',
      'guesses',
    );
  return rows.map((row) => ({ ...row, guesses: Number(row.guesses) }));
}

/** PostgreSQL returns large integers as strings. */
type AccuracyRow = Record<keyof GuessAccuracy, number | string>;

async function addTo(trx: Database, userId: string, points: number): Promise<GuessAccuracy> {
  const [row] = await trx('guess_accuracy')
    .insert({ user_id: userId, guesses: 1, points })
    .onConflict('user_id')
    .merge({
      guesses: trx.raw('guess_accuracy.guesses + 1'),
      points: trx.raw('guess_accuracy.points + ?', [points]),
    })
    .returning(['guesses', 'points']);
  return presentAccuracy(row!);
}

/** A member’s guessing accuracy; null before the first guess. */
export async function accuracyOf(db: Database, userId: string): Promise<GuessAccuracy | null> {
  const row = await db('guess_accuracy').where({ user_id: userId }).first('guesses', 'points');
  return row === undefined ? null : presentAccuracy(row);
}

const presentAccuracy = ({ guesses, points }: AccuracyRow): GuessAccuracy => ({
  guesses: Number(guesses),
  points: Number(points),
});
