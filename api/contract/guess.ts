import type { FromSchema } from 'json-schema-to-ts';
import { accessErrors } from './community-poll.ts';
import { pollIdParams } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count } from './scalars.ts';

/** How accurate someone’s guesses are: the sum of the points by which they were off. */
export const accuracySchema = {
  $id: 'GuessAccuracy',
  type: 'object',
  required: ['guesses', 'points'],
  additionalProperties: false,
  properties: { guesses: count, points: count },
} as const;
export type GuessAccuracy = FromSchema<typeof accuracySchema>;

/** A guess against the result at that time. */
const guessedSchema = {
  $id: 'Guessed',
  type: 'object',
  required: ['points', 'guessers', 'closerThan', 'accuracy'],
  additionalProperties: false,
  properties: {
    points: { ...count, description: 'By how many percentage points the guess is off' },
    guessers: { ...count, description: 'Earlier guesses on this poll' },
    closerThan: { type: 'integer', minimum: 0, maximum: 100, description: 'Percentage of these that are further off' },
    accuracy: {
      anyOf: [accuracySchema, { type: 'null' }],
      description: 'Of the member, with this guess; null when signed out',
    },
  },
} as const;
export type Guessed = FromSchema<typeof guessedSchema>;

/** Guesses of results. */
export const guessEndpoints = {
  guess: {
    ...routes.guess,
    summary:
      'Guess which option of a poll of either kind leads, and with which share, after voting on it; kept as sums only',
    params: pollIdParams,
    body: {
      $id: 'Guess',
      type: 'object',
      required: ['optionId', 'percent'],
      additionalProperties: false,
      properties: {
        optionId: { type: 'string', minLength: 1, maxLength: 80 },
        percent: { type: 'integer', minimum: 0, maximum: 100 },
      },
    },
    status: 200,
    response: guessedSchema,
    errors: [...accessErrors, 'INVALID_OPTION', 'POLL_CLOSED', 'VOTE_REQUIRED', 'FORBIDDEN', 'VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Endpoint>;
