import type { FromSchema } from 'json-schema-to-ts';
import { pollIdParams } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';
import { findingProperties, findingRequired, nextProtection } from './suspicion.ts';
import { interventionSchema } from './vote-figures.ts';

/** Characters of the note that a creator adds to a decision. */
export const decisionNoteMax = 500;

/** A decision about votes of a community poll as its creator sees it: sums of groups of votes, never a single one. */
const ownDecisionSchema = {
  ...interventionSchema,
  $id: 'OwnDecision',
  required: [...interventionSchema.required, 'madeAt', 'decidedAt', 'expiresAt', 'evidence'],
  properties: {
    ...interventionSchema.properties,
    madeAt: moment,
    decidedAt: maybeMoment,
    expiresAt: { ...maybeMoment, description: 'When held votes are counted again unless somebody decides' },
    evidence: {
      type: 'object',
      required: ['networks', 'option', 'from', 'to'],
      additionalProperties: false,
      properties: {
        networks: { ...count, description: 'How many networks the votes came from; 0: any' },
        option: { ...maybeText, description: 'The text of the option they chose; null: any' },
        from: maybeMoment,
        to: maybeMoment,
      },
    },
  },
} as const;
export type OwnDecision = FromSchema<typeof ownDecisionSchema>;

/** Votes that look automated and are still counted, without the digests of their networks. */
const ownClusterSchema = {
  $id: 'OwnCluster',
  type: 'object',
  required: ['id', ...findingRequired],
  additionalProperties: false,
  properties: { id: { type: 'string', minLength: 1, maxLength: 40 }, ...findingProperties },
} as const;

const suspiciousVotesSchema = {
  type: 'object',
  required: ['clusters', 'decisions', 'nextProtection'],
  additionalProperties: false,
  properties: {
    nextProtection,
    clusters: { type: 'array', items: ownClusterSchema },
    decisions: { type: 'array', items: ownDecisionSchema },
  },
} as const;
/** What the creator of a community poll sees of suspicious votes. */
export type OwnSuspiciousVotes = FromSchema<typeof suspiciousVotesSchema>;

const note = { type: 'string', maxLength: decisionNoteMax } as const;
const errors = [
  ...(['POLL_NOT_FOUND', 'PRIVATE_POLL_AUTH_REQUIRED', 'PRIVATE_POLL_ACCESS_DENIED'] as const),
  ...(['UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_FAILED'] as const),
] as const;

export const ownDecisionEndpoints = {
  ownDecisions: {
    ...routes.ownDecisions,
    signedIn: true,
    summary: 'Suspicious votes of one of the caller’s community polls, and what was decided about them',
    params: pollIdParams,
    status: 200,
    response: suspiciousVotesSchema,
    errors,
  },
  setOwnVotesAside: {
    ...routes.setOwnVotesAside,
    signedIn: true,
    summary: 'Set aside the counted votes of a suspicious cluster on the caller’s own community poll',
    params: pollIdParams,
    body: {
      type: 'object',
      required: ['cluster'],
      additionalProperties: false,
      properties: { cluster: ownClusterSchema.properties.id, note },
    },
    status: 200,
    response: suspiciousVotesSchema,
    errors: [...errors, 'NOT_FOUND', 'INVALID_OPTION', 'CONFLICT'],
  },
  decideOwnVotes: {
    ...routes.decideOwnVotes,
    signedIn: true,
    summary: 'Set held votes of an own community poll aside, or count votes again; the answer has all decisions',
    params: {
      type: 'object',
      required: ['id', 'number'],
      additionalProperties: false,
      properties: { ...pollIdParams.properties, number: { type: 'string', pattern: '^[1-9][0-9]{0,8}$' } },
    },
    body: {
      type: 'object',
      required: ['action'],
      additionalProperties: false,
      properties: {
        action: { type: 'string', enum: ['set-aside', 'release'] },
        note,
      },
    },
    status: 200,
    response: suspiciousVotesSchema,
    errors: [...errors, 'NOT_FOUND', 'CONFLICT'],
  },
} as const satisfies Record<string, Endpoint>;
