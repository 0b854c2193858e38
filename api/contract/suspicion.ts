import type { FromSchema } from 'json-schema-to-ts';
import { pollIdParams, pollIdSchema } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';
import { interventionReasons } from './vote-figures.ts';
import { pollKinds, pollProtections, protections } from './vocabulary.ts';

/** Networks that one cluster may name. */
export const clusterNetworks = 5_000;

const share = { type: 'number', minimum: 0, maximum: 1 } as const;
const minute = { ...count, description: 'Minutes since 1970' } as const;

const reason = { type: 'string', enum: interventionReasons } as const;

/** What selects the votes of a cluster; all of it must apply. Networks are digests that last a week. */
const criteriaSchema = {
  $id: 'ClusterCriteria',
  type: 'object',
  required: ['from', 'to'],
  additionalProperties: false,
  properties: {
    networks: { type: 'array', items: count, minItems: 1, maxItems: clusterNetworks },
    optionId: { type: 'string', minLength: 1, maxLength: 80, description: 'Absent: votes for any option' },
    from: minute,
    to: minute,
    traits: {
      type: 'object',
      required: ['mask', 'value'],
      additionalProperties: false,
      properties: { mask: { ...count, maximum: 15 }, value: { ...count, maximum: 15 } },
    },
  },
} as const;

/** The public part of a cluster of votes that look as if one person or program had cast them. */
export const findingProperties = {
  option: { type: 'string', description: 'Text of the option that the cluster favors' },
  reason,
  score: { ...count, maximum: 100 },
  hold: { type: 'boolean', description: 'The evidence is enough to hold them automatically' },
  votes: count,
  counted: { ...count, description: 'Votes of it that are still counted' },
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
        usual: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
      },
    },
  },
  chart: {
    type: 'object',
    required: ['from', 'step', 'votes'],
    additionalProperties: false,
    properties: { from: minute, step: count, votes: { type: 'array', items: count } },
  },
} as const;
export const findingRequired = ['option', 'reason', 'score', 'hold', 'votes', 'counted', 'signals', 'chart'] as const;

/** The same with what selects the votes. */
const clusterSchema = {
  $id: 'VoteCluster',
  type: 'object',
  required: ['criteria', ...findingRequired],
  additionalProperties: false,
  properties: { criteria: criteriaSchema, ...findingProperties },
} as const;
export type VoteCluster = FromSchema<typeof clusterSchema>;

/** A hold or a setting aside of votes, and what became of it. */
const decisionSchema = {
  $id: 'VoteDecision',
  type: 'object',
  required: ['number', 'action', 'state', 'reason', 'votes', 'madeBy', 'madeAt', 'decidedAt', 'expiresAt', 'note'],
  additionalProperties: false,
  properties: {
    number: { ...count, minimum: 1 },
    action: { type: 'string', enum: ['hold', 'set-aside'] },
    state: { type: 'string', enum: ['held', 'set-aside', 'released', 'expired'] },
    reason,
    votes: count,
    madeBy: { type: 'string' },
    madeAt: moment,
    decidedAt: maybeMoment,
    expiresAt: maybeMoment,
    note: { type: 'string' },
  },
} as const;
export type VoteDecision = FromSchema<typeof decisionSchema>;

/** The level to raise a poll to. */
export const nextProtection = {
  anyOf: [{ type: 'string', enum: pollProtections }, { type: 'null' }],
  description: 'The next higher level that this site offers; null: none, or the poll is closed',
} as const;

const challengeSwitch = { type: 'string', enum: ['auto', 'on', 'off'] } as const;

/** A poll under suspicion, or with votes that are held, or that needs challenges. */
const suspicionSchema = {
  $id: 'Suspicion',
  type: 'object',
  required: [
    ...['id', 'kind', 'question', 'score', 'scoredAt', 'countedVotes', 'setAsideVotes', 'heldVotes'],
    ...['challenge', 'challengedUntil', 'protection', 'nextProtection', 'figures', 'clusters', 'decisions'],
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
    nextProtection,
    figures: {
      anyOf: [
        {
          type: 'object',
          required: ['votes', 'largestNetwork', 'newDevices', 'newAccounts', 'hourly', 'hourlyBefore', 'burst'],
          additionalProperties: false,
          properties: {
            votes: { ...count, description: 'Votes of the last day' },
            largestNetwork: share,
            newDevices: share,
            newAccounts: share,
            hourly: { type: 'number', minimum: 0 },
            hourlyBefore: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
            burst: {
              anyOf: [
                {
                  type: 'object',
                  required: ['minute', 'votes', 'usual'],
                  additionalProperties: false,
                  properties: {
                    minute: { ...minute, description: 'The first of five minutes with far more votes than usual' },
                    votes: count,
                    usual: { anyOf: [{ type: 'number', minimum: 0 }, { type: 'null' }] },
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
    clusters: { type: 'array', items: clusterSchema },
    decisions: { type: 'array', items: decisionSchema },
  },
} as const;
export type Suspicion = FromSchema<typeof suspicionSchema>;

/** What is done about votes of a poll, and changes of its browser check. */
export const integrityActions = [
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

const errors = ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'ADMIN_REQUIRED'] as const;
const note = { type: 'string', maxLength: 500, default: '', description: 'For the audit log; not published' } as const;

/** The operator’s endpoints about suspicious votes. */
export const suspicionEndpoints = {
  suspicions: {
    ...routes.suspicions,
    admin: 'moderator',
    summary:
      'Polls under suspicion with the evidence, most suspicious first, and the newest integrity actions; `poll`: this poll before them, whatever its state and visibility',
    query: { type: 'object', additionalProperties: false, properties: { poll: pollIdSchema } },
    status: 200,
    response: {
      type: 'object',
      required: ['polls', 'actions', 'log'],
      additionalProperties: false,
      properties: {
        polls: { type: 'array', items: suspicionSchema },
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
    errors,
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
    errors: [...errors, 'CONFLICT'],
  },
  setVotesAside: {
    ...routes.setVotesAside,
    admin: 'moderator',
    confirm: true,
    summary: 'Set the counted votes of a cluster aside, or hold them; answers how many',
    params: pollIdParams,
    body: {
      type: 'object',
      required: ['criteria', 'reason'],
      additionalProperties: false,
      properties: { criteria: criteriaSchema, reason, note, hold: { type: 'boolean', default: false } },
    },
    status: 200,
    response: {
      type: 'object',
      additionalProperties: false,
      properties: {
        votes: { ...count, description: 'Left out while many are still being marked: they count until then' },
      },
    },
    errors: [...errors, 'INVALID_OPTION', 'CONFLICT'],
  },
  decideVotes: {
    ...routes.decideVotes,
    admin: 'moderator',
    summary: 'Set held votes aside, or count votes again that are held or set aside',
    params: {
      type: 'object',
      required: ['id', 'number'],
      additionalProperties: false,
      properties: { id: pollIdSchema, number: { type: 'string', pattern: '^[1-9][0-9]{0,8}$' } },
    },
    body: {
      type: 'object',
      required: ['decision'],
      additionalProperties: false,
      properties: { decision: { type: 'string', enum: ['set-aside', 'release'] }, note },
    },
    status: 204,
    errors: [...errors, 'CONFLICT'],
  },
} as const satisfies Record<string, Endpoint>;
