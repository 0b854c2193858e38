import type { FromSchema } from 'json-schema-to-ts';
import { pollIdSchema } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeMoment, moment } from './scalars.ts';
import { interventionSchema } from './vote-figures.ts';
import { pollKinds } from './vocabulary.ts';

/** Decisions that the list has, newest first. */
export const listedInterventions = 100;

/** What became of all votes on publicly listed polls, and the decisions about them. */
export const interventionListSchema = {
  $id: 'InterventionList',
  type: 'object',
  required: [
    'receivedVotes',
    'countedVotes',
    'importedVotes',
    'setAsideVotes',
    'heldVotes',
    'decisions',
    'interventions',
  ],
  additionalProperties: false,
  properties: {
    receivedVotes: { ...count, description: 'Counted votes, votes set aside, and held votes together' },
    countedVotes: { ...count, description: 'As in the headline figures, imported votes included' },
    importedVotes: { ...count, description: 'Those of the counted votes that came with imports' },
    setAsideVotes: count,
    heldVotes: { ...count, description: 'Votes that wait for a decision' },
    decisions: { ...count, description: 'How many there are; the list has the newest' },
    interventions: {
      type: 'array',
      maxItems: listedInterventions,
      items: {
        ...interventionSchema,
        $id: 'ListedIntervention',
        required: [...interventionSchema.required, 'poll', 'madeAt', 'decidedAt'],
        properties: {
          ...interventionSchema.properties,
          poll: {
            type: 'object',
            required: ['id', 'kind', 'question'],
            additionalProperties: false,
            properties: {
              id: pollIdSchema,
              kind: { type: 'string', enum: pollKinds },
              question: { type: 'string' },
            },
          },
          madeAt: moment,
          decidedAt: { ...maybeMoment, description: 'When votes were set aside, or counted after all' },
        },
      },
      description: 'Newest first',
    },
  },
} as const;
export type InterventionList = FromSchema<typeof interventionListSchema>;

export const interventionEndpoints = {
  interventions: {
    ...routes.interventions,
    summary: 'Votes received, counted, set aside, and held on all listed polls, and the newest decisions about votes',
    status: 200,
    response: interventionListSchema,
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
