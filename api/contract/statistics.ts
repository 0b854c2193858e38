import type { FromSchema } from 'json-schema-to-ts';

/** The three headline figures of the home page. */
export const statisticsSchema = {
  $id: 'Statistics',
  type: 'object',
  required: ['totalVotes', 'totalParticipants', 'totalPolls'],
  additionalProperties: false,
  properties: {
    totalVotes: { type: 'integer', minimum: 0, description: 'Votes on all polls that anyone may list' },
    totalParticipants: { type: 'integer', minimum: 0, description: 'Distinct voters seen by this installation' },
    totalPolls: { type: 'integer', minimum: 0, description: 'Polls that anyone may list' },
  },
} as const;
export type Statistics = FromSchema<typeof statisticsSchema>;
