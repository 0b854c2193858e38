import { Type } from 'typebox';
import { pollIdSchema } from '#api/polls/polls.contract.ts';
import { interventionSchema } from '#api/voting/vote-figures.contract.ts';
import { get } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { closed, count, described, maybeMoment, moment, named, oneOf } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { pollKinds } from '#contract/vocabulary.ts';

/** Decisions that the list has, newest first. */
export const listedInterventions = 100;

/** What became of all votes on publicly listed polls, and the decisions about them. */
export const interventionListSchema = named('InterventionList', {
  receivedVotes: described(count, 'Counted votes, votes set aside, and held votes together'),
  countedVotes: described(count, 'As in the headline figures, imported votes included'),
  importedVotes: described(count, 'Those of the counted votes that came with imports'),
  setAsideVotes: count,
  heldVotes: described(count, 'Votes that wait for a decision'),
  decisions: described(count, 'How many there are; the list has the newest'),
  interventions: Type.Array(
    named('ListedIntervention', {
      ...interventionSchema.properties,
      poll: closed({ id: pollIdSchema, kind: oneOf(pollKinds), question: Type.String() }),
      madeAt: moment,
      decidedAt: described(maybeMoment, 'When votes were set aside, or counted after all'),
    }),
    { maxItems: listedInterventions, description: 'Newest first' },
  ),
});
export type InterventionList = Static<typeof interventionListSchema>;

export const interventionEndpoints = {
  interventions: {
    ...get('/api/integrity'),
    client: false,
    summary: 'Votes received, counted, set aside, and held on all listed polls, and the newest decisions about votes',
    status: 200,
    response: interventionListSchema,
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
