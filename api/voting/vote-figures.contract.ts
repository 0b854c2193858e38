import type { Circumstance } from '#contract/vocabulary.ts';
import { Type } from 'typebox';
import { closed, count, described, moment, named, oneOf } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { protections, randomOrders } from '#contract/vocabulary.ts';

/** What a decision did first: hold votes until somebody decides, or set them aside at once. */
export const interventionActions = ['hold', 'set-aside'] as const;
/** Where a decision stands: only the votes of held and set-aside ones are not counted. */
export const interventionStates = ['held', 'set-aside', 'released', 'expired'] as const;
/** Why operators and creators hold votes or set them aside; `api/domain/integrity/reasons.ts` has the words. */
export const givenReasons = [
  ...(['automated-network', 'automated-networks', 'new-accounts', 'unusual-rate'] as const),
  ...(['unchecked-browser', 'operator-test'] as const),
] as const;
/** All reasons why votes are held or set aside. */
export const interventionReasons = [...givenReasons, 'written-answer'] as const;

/** A decision about recorded votes of a poll. */
export const interventionSchema = named('Intervention', {
  number: Type.Integer({ minimum: 1, description: 'Counted per poll' }),
  action: oneOf(interventionActions),
  reason: oneOf(interventionReasons),
  votes: count,
  state: oneOf(interventionStates),
});
export type Intervention = Static<typeof interventionSchema>;

/** Votes of a flagged poll with at most one per network. */
export const independentVotesSchema = named('IndependentVotes', {
  votes: described(count, 'At most one per network, without votes that the detector can’t vouch for'),
  options: Type.Array(closed({ id: Type.String(), votes: count }), { description: 'In the poll’s own order' }),
  leaders: Type.Array(Type.String(), {
    description: 'The options that lead if only independent and imported votes are counted',
  }),
  asOf: moment,
  isFinal: Type.Boolean({
    description: 'Counted after the end. Nobody can count it again: networks are deleted 30 days after the end',
  }),
});
export type IndependentVotes = Static<typeof independentVotesSchema>;

/** The member of a poll whose ballots are never published; others leave it out. */
export const ballotsPublished = {
  publishBallots: Type.Optional(
    Type.Boolean({ description: 'False: its ballots are never published. True if left out' }),
  ),
};

/** The member of a poll whose result differs from its log; others leave it out. */
export const logDifference = {
  differsFromLog: Type.Optional(
    Type.Boolean({ description: 'True: its result doesn’t match its log. False if left out' }),
  ),
};

/** Votes that count like others, by a circumstance that is reported. */
const votesApartSchema = named('VotesApart', {
  afterResults: Type.Optional(described(count, 'From browsers that had looked at the results before')),
  publishedOrder: Type.Optional(
    described(count, 'From browsers that showed the published order, on a poll whose order varies'),
  ),
  embedded: Type.Optional(described(count, 'Cast in an embed on another site')),
  onScreen: Type.Optional(described(count, 'Cast in a room, with the code on its screen')),
} satisfies Record<Circumstance, unknown>);
export type VotesApart = Static<typeof votesApartSchema>;

/** The member of a poll that counts votes apart; others leave it out. */
export const countedApart = {
  votesApart: Type.Optional(
    described(
      votesApartSchema,
      'Of the votes received, those of certain circumstances; left out for none, where results are hidden, and in answers to votes',
    ),
  ),
};

/** The member of a poll whose order of options varies; others leave it out. */
export const variedOrder = {
  optionOrder: Type.Optional(
    oneOf(randomOrders, {
      description:
        'The order of the options that voters see varies from browser to browser; a number is of those at the end that stay there. Left out: all see the order of options',
    }),
  ),
};

/** The members of a poll that say what a vote on it needs. */
export const ballotProtection = {
  protection: Type.Optional(oneOf(protections, { description: 'What a vote needs; left out: any browser' })),
  protectionRaises: Type.Optional(
    Type.Array(
      closed({ level: oneOf(protections), at: moment, votesBefore: described(count, 'Votes received before') }),
      { description: 'When votes came to need more while the poll ran; left out: never' },
    ),
  ),
};

/** What became of the votes of a poll. `totalVotes` and the votes of options are counted votes. */
export const allVoteFigures = {
  receivedVotes: described(count, 'Counted votes, votes set aside, and held votes together'),
  setAsideVotes: described(count, 'Not counted, for a reason that interventions give'),
  heldVotes: described(count, 'Not counted until somebody decides; the result is provisional'),
  interventions: Type.Array(interventionSchema, { description: 'By number' }),
};

/** The same as members of a poll, which leaves them out without any decision: all votes received are counted then. */
export const voteFigures = {
  ...Type.Partial(Type.Object(allVoteFigures)).properties,
  otherLeader: Type.Optional(
    Type.String({ description: 'On cards without options: that independent votes have another leader' }),
  ),
  independent: Type.Optional(
    described(independentVotesSchema, 'Left out unless the detector flagged votes of the poll'),
  ),
};
