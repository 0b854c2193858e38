import type { FromSchema } from 'json-schema-to-ts';
import { pollIdParams, pollIdSchema } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';
import { interventionReasons, interventionSchema } from './vote-figures.ts';
import { pollKinds, pollProtections, protections } from './vocabulary.ts';

const share = { type: 'number', minimum: 0, maximum: 1 } as const;
const minute = { ...count, description: 'Minutes since 1970' } as const;
const reason = { type: 'string', enum: interventionReasons } as const;
const maybeNumber = { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] } as const;

/** Votes that the detector noticed because they look as if one person or program had cast them, and why. */
const flagSchema = {
  $id: 'Flag',
  type: 'object',
  required: ['id', 'option', 'reason', 'score', 'votes', 'counted', 'genuine', 'signals', 'chart'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', minLength: 1, maxLength: 40, description: 'Stays while the votes become more' },
    option: { type: 'string', description: 'Text of the option that they favor' },
    reason,
    score: { ...count, maximum: 100 },
    votes: count,
    counted: { ...count, description: 'Those of them that are counted' },
    genuine: { type: 'boolean', description: 'Somebody took them for genuine, and they have hardly become more since' },
    signals: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kind', 'strength', 'value', 'usual'],
        additionalProperties: false,
        properties: {
          kind: {
            type: 'string',
            enum: ['network-share', 'networks', 'choice', 'new-devices', 'new-accounts', 'rate', 'pace'],
          },
          strength: share,
          value: { type: 'number', minimum: 0 },
          usual: maybeNumber,
        },
      },
    },
    chart: {
      type: 'object',
      required: ['from', 'step', 'votes'],
      additionalProperties: false,
      properties: { from: minute, step: count, votes: { type: 'array', items: count } },
    },
  },
} as const;
export type Flag = FromSchema<typeof flagSchema>;

/** Votes that are held or set aside, and what became of them; never a single vote, and no digests of networks. */
const decisionSchema = {
  ...interventionSchema,
  $id: 'VoteDecision',
  required: [...interventionSchema.required, ...(['madeBy', 'madeAt', 'decidedAt', 'expiresAt', 'evidence'] as const)],
  properties: {
    ...interventionSchema.properties,
    madeBy: { type: 'string', enum: ['detector', 'operator', 'creator'] },
    madeAt: moment,
    decidedAt: maybeMoment,
    expiresAt: { ...maybeMoment, description: 'When a hold ends unless somebody decides' },
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
export type VoteDecision = FromSchema<typeof decisionSchema>;

/** The level to raise a poll to. */
const nextProtection = {
  anyOf: [{ type: 'string', enum: pollProtections }, { type: 'null' }],
  description: 'The next higher level that this site offers; null: none, or the poll is closed',
} as const;

const challengeSwitch = { type: 'string', enum: ['auto', 'on', 'off'] } as const;

/** What is flagged on a poll, and what was decided about its votes. */
const flaggedVotes = {
  flags: { type: 'array', items: flagSchema, description: 'Of the detector’s last run, highest score first' },
  decisions: { type: 'array', items: decisionSchema, description: 'Newest first' },
  nextProtection,
} as const;
const flaggedVotesSchema = {
  $id: 'FlaggedVotes',
  type: 'object',
  required: ['flags', 'decisions', 'nextProtection'],
  additionalProperties: false,
  properties: flaggedVotes,
} as const;
export type FlaggedVotes = FromSchema<typeof flaggedVotesSchema>;

/** A poll with flags or a burst, or with votes that are held, or that needs challenges. */
const flaggedPollSchema = {
  $id: 'FlaggedPoll',
  type: 'object',
  required: [
    ...['id', 'kind', 'question', 'score', 'scoredAt', 'countedVotes', 'setAsideVotes', 'heldVotes'],
    ...['challenge', 'challengedUntil', 'protection', 'figures', ...flaggedVotesSchema.required],
  ],
  additionalProperties: false,
  properties: {
    id: pollIdSchema,
    kind: { type: 'string', enum: pollKinds },
    question: { ...maybeText, description: 'null: a private poll' },
    score: { ...count, maximum: 100 },
    scoredAt: { ...maybeMoment, description: 'null: too few recent votes' },
    countedVotes: count,
    setAsideVotes: { ...count, description: 'Held ones included' },
    heldVotes: count,
    challenge: challengeSwitch,
    challengedUntil: { ...maybeMoment, description: 'Until when the detector requires challenges' },
    protection: { type: 'string', enum: protections, description: 'What votes need' },
    figures: {
      anyOf: [
        {
          type: 'object',
          required: ['votes', 'hourly', 'hourlyBefore', 'burst'],
          additionalProperties: false,
          properties: {
            votes: { ...count, description: 'Votes of the last day' },
            hourly: { type: 'number', minimum: 0 },
            hourlyBefore: maybeNumber,
            burst: {
              anyOf: [
                {
                  type: 'object',
                  required: ['minute', 'votes', 'usual'],
                  additionalProperties: false,
                  properties: {
                    minute: { ...minute, description: 'The first of five minutes with far more votes than usual' },
                    votes: count,
                    usual: maybeNumber,
                  },
                },
                { type: 'null' },
              ],
            },
          },
        },
        { type: 'null' },
      ],
    },
    ...flaggedVotes,
  },
} as const;
export type FlaggedPoll = FromSchema<typeof flaggedPollSchema>;

/** What is done about votes of a poll, and changes of its browser check. */
export const integrityActions = [
  'genuine',
  'hold',
  'set-aside',
  'confirm',
  'release',
  'expire',
  'challenge-auto',
  'challenge-on',
  'challenge-off',
] as const;
export type IntegrityAction = (typeof integrityActions)[number];

/** One entry of the audit log of integrity actions. */
const actionSchema = {
  $id: 'IntegrityAction',
  type: 'object',
  required: ['at', 'actor', 'action', 'pollId', 'reason', 'votes', 'note'],
  additionalProperties: false,
  properties: {
    at: moment,
    actor: { type: 'string' },
    action: { enum: integrityActions },
    pollId: { type: 'string' },
    reason: { anyOf: [reason, { type: 'null' }] },
    votes: count,
    note: { type: 'string' },
  },
} as const;

/** Problems of the vote log. */
const pollProblems = {
  type: 'array',
  items: {
    type: 'object',
    required: ['pollId', 'problem'],
    additionalProperties: false,
    properties: { pollId: { type: 'string' }, problem: { type: 'string' } },
  },
} as const;

const logAlertsSchema = {
  $id: 'LogAlerts',
  type: 'object',
  required: ['behindSeconds', 'overdue', 'problems', 'differences', 'witnesses'],
  additionalProperties: false,
  properties: {
    behindSeconds: { ...count, description: 'Age of the oldest vote that is not in the log; 0 without any' },
    overdue: { ...count, description: 'Polls whose next checkpoint, or whose closing in the log, is late' },
    problems: { ...pollProblems, description: 'Logs that can’t be continued or closed' },
    differences: { ...pollProblems, description: 'Results that differ from their log' },
    witnesses: {
      type: 'array',
      description: 'Witnesses that have not cosigned the log for a day',
      items: {
        type: 'object',
        required: ['name', 'since', 'problem'],
        additionalProperties: false,
        properties: { name: { type: 'string' }, since: moment, problem: { type: 'string' } },
      },
    },
  },
} as const;
export type LogAlerts = FromSchema<typeof logAlertsSchema>;

/** Actions that the audit log shows. */
export const actionsListed = 50;

const adminErrors = ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'ADMIN_REQUIRED'] as const;
const creatorErrors = [
  ...(['POLL_NOT_FOUND', 'PRIVATE_POLL_AUTH_REQUIRED', 'PRIVATE_POLL_ACCESS_DENIED'] as const),
  ...(['UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_FAILED'] as const),
] as const;
const decideErrors = ['NOT_FOUND', 'CONFLICT'] as const;
const note = { type: 'string', maxLength: 500, default: '', description: 'For the audit log; not published' } as const;

/** What operators and the creators of community polls do about flagged votes. */
const decideFlag = {
  summary: 'Set the counted votes of a flag aside, hold them, or take them for genuine; answers how many',
  params: pollIdParams,
  body: {
    type: 'object',
    required: ['flag'],
    additionalProperties: false,
    properties: {
      flag: flagSchema.properties.id,
      reason: { ...reason, description: 'Published; by default that of the flag' },
      note,
      action: { type: 'string', enum: ['set-aside', 'hold', 'genuine'], default: 'set-aside' },
    },
  },
  status: 200,
  response: {
    type: 'object',
    additionalProperties: false,
    properties: {
      votes: { ...count, description: 'Left out while many are still being marked: they count until then' },
    },
  },
} as const;
const decideVotes = {
  summary: 'Set held votes aside, or count votes after all that are held or set aside',
  params: {
    type: 'object',
    required: ['id', 'number'],
    additionalProperties: false,
    properties: { id: pollIdSchema, number: { type: 'string', pattern: '^[1-9][0-9]{0,8}$' } },
  },
  body: {
    type: 'object',
    required: ['action'],
    additionalProperties: false,
    properties: { action: { type: 'string', enum: ['set-aside', 'release'] }, note },
  },
  status: 204,
} as const;

export const flagEndpoints = {
  flaggedPolls: {
    ...routes.flaggedPolls,
    admin: 'moderator',
    summary:
      'Polls with flagged votes and the evidence, highest score first, and the newest entries of the log of decisions; `poll`: this poll before them, whatever its state and visibility',
    query: { type: 'object', additionalProperties: false, properties: { poll: pollIdSchema } },
    status: 200,
    response: {
      type: 'object',
      required: ['polls', 'actions', 'log'],
      additionalProperties: false,
      properties: {
        polls: { type: 'array', items: flaggedPollSchema },
        actions: { type: 'array', items: actionSchema, maxItems: actionsListed },
        log: logAlertsSchema,
      },
    },
    errors: ['VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  switchChallenge: {
    ...routes.switchChallenge,
    admin: 'moderator',
    summary: 'Require challenges for votes on a poll: always, never, or while the detector says so',
    params: pollIdParams,
    body: {
      type: 'object',
      required: ['challenge'],
      additionalProperties: false,
      properties: { challenge: challengeSwitch, note },
    },
    status: 204,
    errors: adminErrors,
  },
  raiseProtection: {
    ...routes.raiseProtection,
    admin: 'moderator',
    summary:
      'Require more of votes on a running poll of either kind; earlier votes stay, and the poll’s page says since when',
    params: pollIdParams,
    body: {
      type: 'object',
      required: ['protection'],
      additionalProperties: false,
      properties: { protection: { type: 'string', enum: pollProtections }, note },
    },
    status: 204,
    errors: [...adminErrors, 'CONFLICT'],
  },
  decideFlag: {
    ...routes.decideFlag,
    ...decideFlag,
    admin: 'moderator',
    confirm: true,
    errors: [...adminErrors, ...decideErrors],
  },
  decideVotes: { ...routes.decideVotes, ...decideVotes, admin: 'moderator', errors: [...adminErrors, ...decideErrors] },
  ownFlags: {
    ...routes.ownFlags,
    signedIn: true,
    summary: 'Flagged votes of one of the caller’s community polls, and what was decided about them',
    params: pollIdParams,
    status: 200,
    response: flaggedVotesSchema,
    errors: creatorErrors,
  },
  decideOwnFlag: {
    ...routes.decideOwnFlag,
    ...decideFlag,
    signedIn: true,
    errors: [...creatorErrors, ...decideErrors],
  },
  decideOwnVotes: {
    ...routes.decideOwnVotes,
    ...decideVotes,
    signedIn: true,
    errors: [...creatorErrors, ...decideErrors],
  },
} as const satisfies Record<string, Endpoint>;
