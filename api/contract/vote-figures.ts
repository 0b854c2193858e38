import type { FromSchema } from 'json-schema-to-ts';
import { count, moment } from './scalars.ts';
import { protections } from './vocabulary.ts';

/** What a decision did first: hold votes until somebody decides, or set them aside at once. */
export const interventionActions = ['hold', 'set-aside'] as const;
/** Where a decision stands: only the votes of held and set-aside ones are not counted. */
export const interventionStates = ['held', 'set-aside', 'released', 'expired'] as const;
/** Why votes are held or set aside; `api/domain/integrity/reasons.ts` has the words. */
export const interventionReasons = [
  ...(['automated-network', 'automated-networks', 'new-accounts', 'unusual-rate'] as const),
  ...(['unchecked-browser', 'operator-test'] as const),
] as const;

/** A decision about recorded votes of a poll. */
export const interventionSchema = {
  $id: 'Intervention',
  type: 'object',
  required: ['number', 'action', 'reason', 'votes', 'state'],
  additionalProperties: false,
  properties: {
    number: { type: 'integer', minimum: 1, description: 'Counted per poll' },
    action: { type: 'string', enum: interventionActions },
    reason: { type: 'string', enum: interventionReasons },
    votes: count,
    state: { type: 'string', enum: interventionStates },
  },
} as const;
export type Intervention = FromSchema<typeof interventionSchema>;

/** Votes of a flagged poll with at most one per network. */
export const independentVotesSchema = {
  $id: 'IndependentVotes',
  type: 'object',
  required: ['votes', 'options', 'leaders', 'asOf', 'isFinal'],
  additionalProperties: false,
  properties: {
    votes: { ...count, description: 'At most one per network, without votes that the detector can’t vouch for' },
    options: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'votes'],
        additionalProperties: false,
        properties: { id: { type: 'string' }, votes: count },
      },
      description: 'In the poll’s own order',
    },
    leaders: {
      type: 'array',
      items: { type: 'string' },
      description: 'The options that lead if only independent and imported votes are counted',
    },
    asOf: moment,
    isFinal: {
      type: 'boolean',
      description: 'Counted after the end. Nobody can count it again: networks are deleted 30 days after the end',
    },
  },
} as const;
export type IndependentVotes = FromSchema<typeof independentVotesSchema>;

/** The member of a poll whose ballots are never published; others leave it out. */
export const ballotsPublished = {
  publishBallots: { type: 'boolean', description: 'False: its ballots are never published. True if left out' },
} as const;

/** The member of a poll whose result differs from its log; others leave it out. */
export const logDifference = {
  differsFromLog: { type: 'boolean', description: 'True: its result doesn’t match its log. False if left out' },
} as const;

/** The members of a poll that say what a vote on it needs. */
export const ballotProtection = {
  protection: { type: 'string', enum: protections, description: 'What a vote needs; left out: any browser' },
  protectionRaises: {
    type: 'array',
    description: 'When votes came to need more while the poll ran; left out: never',
    items: {
      type: 'object',
      required: ['level', 'at', 'votesBefore'],
      additionalProperties: false,
      properties: {
        level: { type: 'string', enum: protections },
        at: moment,
        votesBefore: { ...count, description: 'Votes received before' },
      },
    },
  },
} as const;

/**
 * The members of a poll that say what became of its votes; a poll without any decision leaves them out, because all votes
 * received are counted then. `totalVotes` and the votes of options are counted votes.
 */
export const voteFigures = {
  receivedVotes: { ...count, description: 'Counted votes, votes set aside, and held votes together' },
  setAsideVotes: { ...count, description: 'Not counted, for a reason that interventions give' },
  heldVotes: { ...count, description: 'Not counted until somebody decides; the result is provisional' },
  interventions: { type: 'array', items: interventionSchema, description: 'By number' },
  otherLeader: { type: 'string', description: 'On cards without options: that independent votes have another leader' },
  independent: { ...independentVotesSchema, description: 'Left out unless the detector flagged votes of the poll' },
} as const;
