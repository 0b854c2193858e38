import { Type } from 'typebox';
import { pollIdParams, pollIdSchema } from '#api/polls/polls.contract.ts';
import { givenReasons, interventionReasons, interventionSchema } from '#api/voting/vote-figures.contract.ts';
import { get, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import {
  adjusted,
  closed,
  count,
  defaulted,
  described,
  maybeMoment,
  maybeText,
  moment,
  named,
  nullable,
  oneOf,
  query,
} from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { pollKinds, pollProtections, protections } from '#contract/vocabulary.ts';

const share = Type.Number({ minimum: 0, maximum: 1 });
const minute = described(count, 'Minutes since 1970');
const reason = oneOf(interventionReasons);
const maybeNumber = nullable(Type.Number({ minimum: 0 }));

/** Votes that the detector noticed because they look as if one person or program had cast them, and why. */
const flagSchema = named('Flag', {
  id: Type.String({ minLength: 1, maxLength: 40, description: 'Stays while the votes become more' }),
  option: Type.String({ description: 'Text of the option that they favor' }),
  reason,
  score: adjusted(count, { maximum: 100 }),
  votes: count,
  counted: described(count, 'Those of them that are counted'),
  genuine: Type.Boolean({ description: 'Somebody took them for genuine, and they have hardly become more since' }),
  signals: Type.Array(
    closed({
      kind: oneOf(['network-share', 'networks', 'choice', 'new-devices', 'new-accounts', 'rate', 'pace']),
      strength: share,
      value: Type.Number({ minimum: 0 }),
      usual: maybeNumber,
    }),
  ),
  chart: closed({ from: minute, step: count, votes: Type.Array(count) }),
});
export type Flag = Static<typeof flagSchema>;

/** Votes that are held or set aside, and what became of them; never a single vote, and no digests of networks. */
const decisionSchema = named('VoteDecision', {
  ...interventionSchema.properties,
  madeBy: oneOf(['detector', 'operator', 'creator']),
  madeAt: moment,
  decidedAt: maybeMoment,
  expiresAt: described(maybeMoment, 'When a hold ends unless somebody decides'),
  evidence: closed({
    networks: described(count, 'How many networks the votes came from; 0: any'),
    option: described(maybeText, 'The text of the option they chose; null: any'),
    from: maybeMoment,
    to: maybeMoment,
  }),
});
export type VoteDecision = Static<typeof decisionSchema>;

/** The level to raise a poll to. */
const nextProtection = nullable(oneOf(pollProtections), {
  description: 'The next higher level that this site offers; null: none, or the poll is closed',
});

const challengeSwitch = oneOf(['auto', 'on', 'off']);

/** What is flagged on a poll, and what was decided about its votes. */
const flaggedVotes = {
  flags: Type.Array(flagSchema, { description: 'Of the detector’s last run, highest score first' }),
  decisions: Type.Array(decisionSchema, { description: 'Newest first' }),
  nextProtection,
};
const flaggedVotesSchema = named('FlaggedVotes', flaggedVotes);
export type FlaggedVotes = Static<typeof flaggedVotesSchema>;

/** A poll with flags or a burst, or with votes that are held, or that needs challenges. */
const flaggedPollSchema = named('FlaggedPoll', {
  id: pollIdSchema,
  kind: oneOf(pollKinds),
  question: described(maybeText, 'null: a private poll'),
  score: adjusted(count, { maximum: 100 }),
  scoredAt: described(maybeMoment, 'null: too few recent votes'),
  countedVotes: count,
  setAsideVotes: described(count, 'Held ones included'),
  heldVotes: count,
  challenge: challengeSwitch,
  challengedUntil: described(maybeMoment, 'Until when the detector requires challenges'),
  protection: oneOf(protections, { description: 'What votes need' }),
  figures: nullable(
    closed({
      votes: described(count, 'Votes of the last day'),
      hourly: Type.Number({ minimum: 0 }),
      hourlyBefore: maybeNumber,
      burst: nullable(
        closed({
          minute: described(minute, 'The first of five minutes with far more votes than usual'),
          votes: count,
          usual: maybeNumber,
        }),
      ),
    }),
  ),
  ...flaggedVotes,
});
export type FlaggedPoll = Static<typeof flaggedPollSchema>;

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
const actionSchema = named('IntegrityAction', {
  at: moment,
  actor: Type.String(),
  action: Type.Unsafe<IntegrityAction>({ enum: integrityActions }),
  pollId: Type.String(),
  reason: nullable(reason),
  votes: count,
  note: Type.String(),
});

/** Problems of the vote log. */
const pollProblems = Type.Array(closed({ pollId: Type.String(), problem: Type.String() }));

const logAlertsSchema = named('LogAlerts', {
  behindSeconds: described(count, 'Age of the oldest vote that is not in the log; 0 without any'),
  overdue: described(count, 'Polls whose next checkpoint, or whose closing in the log, is late'),
  problems: described(pollProblems, 'Logs that can’t be continued or closed'),
  differences: described(pollProblems, 'Results that differ from their log'),
  witnesses: Type.Array(closed({ name: Type.String(), since: moment, problem: Type.String() }), {
    description: 'Witnesses that have not cosigned the log for a day',
  }),
});
export type LogAlerts = Static<typeof logAlertsSchema>;

/** Actions that the audit log shows. */
export const actionsListed = 50;

const adminErrors = ['POLL_NOT_FOUND', 'VALIDATION_FAILED', 'ADMIN_REQUIRED'] as const;
const creatorErrors = [
  ...(['POLL_NOT_FOUND', 'PRIVATE_POLL_AUTH_REQUIRED', 'PRIVATE_POLL_ACCESS_DENIED'] as const),
  ...(['UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_FAILED'] as const),
] as const;
const decideErrors = ['NOT_FOUND', 'CONFLICT'] as const;
const note = defaulted(Type.String({ maxLength: 500, description: 'For the audit log; not published' }), '');

/** What operators and the creators of community polls do about flagged votes. */
const decideFlag = {
  summary: 'Set the counted votes of a flag aside, hold them, or take them for genuine; answers how many',
  params: pollIdParams,
  body: closed({
    flag: flagSchema.properties.id,
    reason: Type.Optional(described(oneOf(givenReasons), 'Published; by default that of the flag')),
    note,
    action: defaulted(oneOf(['set-aside', 'hold', 'genuine']), 'set-aside'),
  }),
  status: 200,
  response: closed({
    votes: Type.Optional(described(count, 'Left out while many are still being marked: they count until then')),
  }),
} as const;
const decideVotes = {
  summary: 'Set held votes aside, or count votes after all that are held or set aside',
  params: closed({ id: pollIdSchema, number: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }) }),
  body: closed({ action: oneOf(['set-aside', 'release']), note }),
  status: 204,
} as const;

export const flagEndpoints = {
  flaggedPolls: {
    ...get('/api/admin/flags'),
    admin: 'moderator',
    summary:
      'Polls with flagged votes and the evidence, highest score first, and the newest entries of the log of decisions; `poll`: this poll before them, whatever its state and visibility',
    query: query({ poll: pollIdSchema }),
    status: 200,
    response: closed({
      polls: Type.Array(flaggedPollSchema),
      actions: Type.Array(actionSchema, { maxItems: actionsListed }),
      log: logAlertsSchema,
    }),
    errors: ['VALIDATION_FAILED', 'ADMIN_REQUIRED'],
  },
  switchChallenge: {
    ...post('/api/admin/flags/:id/challenge'),
    admin: 'moderator',
    summary: 'Require challenges for votes on a poll: always, never, or while the detector says so',
    params: pollIdParams,
    body: closed({ challenge: challengeSwitch, note }),
    status: 204,
    errors: adminErrors,
  },
  raiseProtection: {
    ...post('/api/admin/flags/:id/protection'),
    admin: 'moderator',
    summary:
      'Require more of votes on a running poll of either kind; earlier votes stay, and the poll’s page says since when',
    params: pollIdParams,
    body: closed({ protection: oneOf(pollProtections), note }),
    status: 204,
    errors: [...adminErrors, 'CONFLICT'],
  },
  decideFlag: {
    ...post('/api/admin/flags/:id/decisions'),
    ...decideFlag,
    admin: 'moderator',
    confirm: true,
    errors: [...adminErrors, ...decideErrors],
  },
  decideVotes: {
    ...post('/api/admin/flags/:id/decisions/:number'),
    ...decideVotes,
    admin: 'moderator',
    errors: [...adminErrors, ...decideErrors],
  },
  ownFlags: {
    ...get('/api/community-polls/:id/decisions'),
    signedIn: true,
    summary: 'Flagged votes of one of the caller’s community polls, and what was decided about them',
    params: pollIdParams,
    status: 200,
    response: flaggedVotesSchema,
    errors: creatorErrors,
  },
  decideOwnFlag: {
    ...post('/api/community-polls/:id/decisions'),
    ...decideFlag,
    signedIn: true,
    errors: [...creatorErrors, ...decideErrors],
  },
  decideOwnVotes: {
    ...post('/api/community-polls/:id/decisions/:number'),
    ...decideVotes,
    signedIn: true,
    errors: [...creatorErrors, ...decideErrors],
  },
} as const satisfies Record<string, Endpoint>;
