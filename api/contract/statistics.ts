import type { FromSchema } from 'json-schema-to-ts';

/** The headline figures of the home page. Demonstration polls count toward none but the participants who vote on them. */
export const statisticsSchema = {
  $id: 'Statistics',
  type: 'object',
  required: ['totalVotes', 'importedVotes', 'totalParticipants', 'totalPolls'],
  additionalProperties: false,
  properties: {
    totalVotes: { type: 'integer', minimum: 0, description: 'Votes on all publicly listed polls' },
    importedVotes: { type: 'integer', minimum: 0, description: 'Those of them that came with imports' },
    totalParticipants: { type: 'integer', minimum: 0, description: 'Distinct voters on this site' },
    totalPolls: { type: 'integer', minimum: 0, description: 'Publicly listed polls' },
  },
} as const;
export type Statistics = FromSchema<typeof statisticsSchema>;
