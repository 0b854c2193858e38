import { Type } from 'typebox';
import { accessErrors } from '#api/polls/community/community-polls.contract.ts';
import { pollIdParams } from '#api/polls/polls.contract.ts';
import { post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { count, described, named, nullable } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

/** How accurate someone’s guesses are: the sum of the points by which they were off. */
export const accuracySchema = named('GuessAccuracy', { guesses: count, points: count });
export type GuessAccuracy = Static<typeof accuracySchema>;

/** A guess against the result at that time. */
const guessedSchema = named('Guessed', {
  points: described(count, 'By how many percentage points the guess is off'),
  guessers: described(count, 'Earlier guesses on this poll'),
  closerThan: Type.Integer({ minimum: 0, maximum: 100, description: 'Percentage of these that are further off' }),
  accuracy: nullable(accuracySchema, { description: 'Of the member, with this guess; null when signed out' }),
});
export type Guessed = Static<typeof guessedSchema>;

/** Guesses of results. */
export const guessEndpoints = {
  guess: {
    ...post('/api/polls/:id/guesses'),
    device: 'optional',
    summary:
      'Guess which option of a poll of either kind leads, and with which share, after voting on it; kept as sums only',
    params: pollIdParams,
    body: named('Guess', {
      optionId: Type.String({ minLength: 1, maxLength: 80 }),
      percent: Type.Integer({ minimum: 0, maximum: 100 }),
    }),
    status: 200,
    response: guessedSchema,
    errors: [...accessErrors, 'INVALID_OPTION', 'POLL_CLOSED', 'VOTE_REQUIRED', 'FORBIDDEN', 'VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Endpoint>;
