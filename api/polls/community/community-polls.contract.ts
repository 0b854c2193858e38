import { Type } from 'typebox';
import { chosenOptions, pollIdParams, pollIdSchema, receiptSchema, voteErrors } from '#api/polls/polls.contract.ts';
import {
  ballotProtection,
  variedOrder,
  ballotsPublished,
  logDifference,
  countedApart,
  voteFigures,
} from '#api/voting/vote-figures.contract.ts';
import * as limits from '#contract/limits.ts';
import { promiseSchema } from '#contract/promise.ts';
import { del, get, patch, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import {
  closed,
  count,
  defaulted,
  described,
  maybeDayOrMoment,
  maybeMoment,
  maybeText,
  moment,
  named,
  nullable,
  oneOf,
  query,
} from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import {
  ballotMethods,
  communityCategories,
  communitySorts,
  communityStates,
  deviceIdPattern,
  pollProtections,
  resultVisibilities,
  visibilities,
  optionOrders,
} from '#contract/vocabulary.ts';

/** An option of a community poll. `votes` is null where `resultVisibility` hides the counts. */
const communityOptionSchema = named('CommunityPollOption', {
  id: Type.String(),
  text: Type.String(),
  votes: nullable(count),
  addedAt: Type.Optional(described(moment, 'Of an answer that a voter wrote: when it could be chosen')),
  merged: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Ids, in the poll’s log, of answers that voters wrote whose votes count here',
    }),
  ),
});

const place = Type.Integer({ minimum: 0, description: 'An option, by its place in `options` from 0 on' });

/** How a ranked poll was counted, after its end. */
export const runoffSchema = named('Runoff', {
  rounds: Type.Array(
    closed({
      votes: Type.Array(nullable(count), { description: 'By option; null for those that an earlier round eliminated' }),
      exhausted: described(count, 'Votes that rank no option that is left'),
      eliminated: nullable(place, { description: 'The option with the fewest votes; null in the last round' }),
      byRule: described(
        Type.Boolean(),
        'Others had as few votes: the one with fewer votes before, or else the last one',
      ),
    }),
  ),
  winner: nullable(place, { description: 'Null if all options that are left were equal in all rounds' }),
  pairwise: Type.Array(Type.Array(count), {
    description: 'By option, then by another one: votes that rank the first above the second, or only the first',
  }),
});

/** A community poll as the caller may see it. `createdBy` and `allowedUsers` are in responses to its creator only. */
export const communityPollSchema = named('CommunityPoll', {
  id: pollIdSchema,
  question: Type.String(),
  description: Type.String(),
  options: Type.Array(communityOptionSchema),
  totalVotes: described(count, 'Counted votes: the base of percentages'),
  method: Type.Optional(
    oneOf(ballotMethods, {
      description:
        'How a vote chooses; left out: single. Votes of several count for each option that they choose; those of ranked for the first one, until a round of `runoff` eliminates it; rounds are counted after the end',
    }),
  ),
  minChoices: Type.Optional(described(count, 'The least options of a vote; left out: 1')),
  maxChoices: Type.Optional(described(count, 'The most options of a vote; left out: 1')),
  runoff: Type.Optional(runoffSchema),
  ...voteFigures,
  ...ballotsPublished,
  ...logDifference,
  ...ballotProtection,
  ...variedOrder,
  ...countedApart,
  isActive: Type.Boolean(),
  visibility: oneOf(visibilities),
  resultVisibility: Type.Optional(
    oneOf(resultVisibilities, {
      description:
        'Who sees the counts besides the creator; left out: those who have voted, and everyone after the end',
    }),
  ),
  commentsOpen: Type.Optional(Type.Boolean({ description: 'Left out: yes' })),
  editedAt: Type.Optional(described(moment, 'Of the newest edit since the first vote')),
  featured: Type.Boolean(),
  createdAt: moment,
  startsAt: moment,
  endsAt: maybeMoment,
  closedAt: maybeMoment,
  category: maybeText,
  tags: Type.Array(Type.String()),
  createdByName: Type.String({ description: "The creator's name, or 'a former member'" }),
  createdByUsername: described(maybeText, 'Null for a former member'),
  createdByStaff: Type.Optional(Type.Boolean({ description: 'The creator is an operator of the site; left out: no' })),
  createdBy: Type.Optional(Type.String({ description: 'Id of the creator; only in responses to the creator' })),
  allowedUsers: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Ids of the guests, in the order of their invitations; only in responses to the creator',
    }),
  ),
  isMine: Type.Boolean(),
  takenDown: Type.Optional(Type.Boolean({ description: 'Only its creator can still see it; absent for other polls' })),
  hasVoted: Type.Boolean(),
  userVote: nullable(Type.String(), { description: 'The option this voter chose, or the first one of several' }),
  userVotes: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Where a vote may choose several: this voter’s, of ranked the favorite first',
    }),
  ),
  writeIns: Type.Optional(Type.Boolean({ description: 'Voters may write another answer; left out: no' })),
  writtenVote: Type.Optional(
    oneOf(['waiting', 'merged', 'rejected'], {
      description:
        'Of a voter who wrote an answer: the creator has not reviewed it; it counts for `userVote`, another option; the vote is set aside',
    }),
  ),
  missedOptions: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Options that could be chosen only after this voter’s vote; left out for none',
    }),
  ),
  commentCount: count,
});
export type CommunityPoll = Static<typeof communityPollSchema>;

/** The response to a vote on a community poll: the poll with this vote in it. */
export const votedCommunityPollSchema = named('VotedCommunityPoll', {
  ...communityPollSchema.properties,
  receipt: receiptSchema,
  promise: promiseSchema,
});

/** A community poll as a card in a list: without anything specific to its creator or the caller. */
export const communityCardSchema = named('CommunityCard', {
  ...Type.Pick(communityPollSchema, [
    ...(['id', 'question', 'description', 'totalVotes', 'isActive', 'visibility', 'featured', 'createdAt'] as const),
    ...(['startsAt', 'endsAt', 'closedAt', 'category', 'commentCount'] as const),
  ]).properties,
  ...voteFigures,
});
export type CommunityCard = Static<typeof communityCardSchema>;

const optionNumbers = { minItems: limits.communityOptionsMin, maxItems: limits.communityOptionsMax };

export const newCommunityPollSchema = named('NewCommunityPoll', {
  question: Type.String({ minLength: 1, maxLength: limits.communityQuestion }),
  description: Type.Optional(Type.String({ maxLength: limits.communityDescription })),
  visibility: defaulted(oneOf(visibilities), 'public'),
  category: Type.Optional(nullable(oneOf(communityCategories))),
  options: Type.Array(
    closed({
      id: Type.String({ pattern: '^option-[0-9]{1,2}$' }),
      text: Type.String({ minLength: 1, maxLength: limits.communityOption }),
      votes: Type.Optional(Type.Unsafe<0>({ type: 'integer', const: 0 })),
    }),
    optionNumbers,
  ),
  startsAt: Type.Optional(maybeDayOrMoment),
  endsAt: Type.Optional(maybeMoment),
  method: Type.Optional(oneOf(ballotMethods, { description: 'By default single: a vote chooses one option' })),
  minChoices: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.communityOptionsMax,
      description: 'With several and ranked: by default 1',
    }),
  ),
  maxChoices: Type.Optional(
    Type.Integer({
      ...{ minimum: 2, maximum: limits.communityOptionsMax },
      description: 'With several and ranked: by default as many as there are options',
    }),
  ),
  writeIns: Type.Optional(
    Type.Boolean({
      description: 'With single: voters may write another answer, which the creator reviews; by default false',
    }),
  ),
  resultVisibility: Type.Optional(oneOf(resultVisibilities, { description: 'By default after-voting' })),
  protection: Type.Optional(
    oneOf(pollProtections, {
      description: 'What votes need; by default any browser. Private polls are for members who are invited',
    }),
  ),
  optionOrder: Type.Optional(
    oneOf(optionOrders, { description: 'The order of the options that voters see; by default auto' }),
  ),
  publishBallots: Type.Optional(
    Type.Boolean({
      description: 'Of a public poll, once it closes; by default true, and never with results for the creator only',
    }),
  ),
});
export type NewCommunityPoll = Static<typeof newCommunityPollSchema>;

const { question, description, options, endsAt, resultVisibility, protection, ...choice } =
  newCommunityPollSchema.properties;

/** Changes of a community poll; at least one field. */
export const communityPollEditSchema = named(
  'CommunityPollEdit',
  {
    question: Type.Optional(question),
    description,
    options: Type.Optional(Type.Array(closed({ text: options.items.properties.text }), optionNumbers)),
    ...{
      method: choice.method,
      minChoices: choice.minChoices,
      maxChoices: choice.maxChoices,
      writeIns: choice.writeIns,
    },
    endsAt,
    resultVisibility,
    protection: described(protection, 'With votes it can only be raised, which the poll’s page says'),
    commentsOpen: Type.Optional(Type.Boolean()),
  },
  { minProperties: 1 },
);
export type CommunityPollEdit = Static<typeof communityPollEditSchema>;

/** What a creator changed after the first vote. */
export const recordedEditSchema = named('RecordedEdit', {
  editedAt: moment,
  changes: Type.Array(closed({ field: oneOf(['description', 'endsAt']), before: maybeText, after: maybeText })),
});
export type RecordedEdit = Static<typeof recordedEditSchema>;

/** A member who can’t comment on any poll of the caller. */
export const blockedMemberSchema = named('BlockedMember', {
  userId: Type.String(),
  name: Type.String({ description: 'First and last name, or the username' }),
  username: Type.String(),
  blockedAt: moment,
});
export type BlockedMember = Static<typeof blockedMemberSchema>;

/** A community poll, and a member as its creator refers to them. */
export const pollMemberParams = closed({
  ...pollIdParams.properties,
  userId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' }),
});

/** Errors of every endpoint about one community poll. */
export const accessErrors = ['POLL_NOT_FOUND', 'PRIVATE_POLL_AUTH_REQUIRED', 'PRIVATE_POLL_ACCESS_DENIED'] as const;

const communityVoteRequestSchema = named('CommunityVoteRequest', {
  ...chosenOptions,
  writeIn: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: limits.communityOption },
      description:
        'Instead of an option, where voters may write another answer: its text. The vote is held until the creator has reviewed it',
    }),
  ),
  voterFingerprint: Type.Optional(
    Type.Unknown({
      description: `Required: a device id, ${deviceIdPattern}. Without it, or with another value: DEVICE_ID_REQUIRED`,
    }),
  ),
});

const voteStatusSchema = named('VoteStatus', {
  hasVoted: Type.Boolean(),
  optionId: Type.Optional(Type.String()),
  optionIds: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Of a vote for several options: all of them, of ranked the favorite first',
    }),
  ),
});
export type VoteStatus = Static<typeof voteStatusSchema>;

/** An answer that a voter wrote, and that waits for the creator. */
export const waitingAnswerSchema = named('WaitingAnswer', {
  id: Type.String(),
  text: Type.String(),
  votes: count,
  writtenAt: moment,
});
export type WaitingAnswer = Static<typeof waitingAnswerSchema>;

/** Which polls a list has. */
const listFilter = {
  visibility: oneOf(['public', 'mine', 'invited'], { default: 'public' }),
  category: oneOf(communityCategories),
  state: oneOf(communityStates, { description: 'By default all' }),
};

/** Community polls and votes on them. */
export const communityEndpoints = {
  featuredCommunityPolls: {
    ...get('/api/community-polls/featured'),
    summary: 'Public community polls featured by the operator',
    status: 200,
    response: Type.Array(communityPollSchema),
    errors: [],
  },
  communityCategories: {
    ...get('/api/community-polls/categories'),
    cache: 'public',
    summary: 'Names of the categories',
    status: 200,
    response: Type.Array(oneOf(communityCategories)),
    errors: [],
  },
  communityPolls: {
    ...get('/api/community-polls'),
    device: 'optional',
    summary: 'One page of public community polls, of the caller’s own, or of those the caller is invited to',
    query: query({
      ...listFilter,
      sort: oneOf(communitySorts, { description: 'By default newest' }),
      limit: Type.Integer({ minimum: 1, maximum: 50, default: limits.communityPageSize }),
      offset: Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 }),
    }),
    status: 200,
    response: Type.Array(communityPollSchema),
    errors: ['VALIDATION_FAILED', 'UNAUTHENTICATED'],
  },
  communityPollCount: {
    ...get('/api/community-polls/count'),
    device: 'optional',
    summary: 'How many polls a list has',
    query: query({ ...listFilter, sort: oneOf(communitySorts) }),
    status: 200,
    response: closed({ total: count }),
    errors: ['VALIDATION_FAILED', 'UNAUTHENTICATED'],
  },
  createCommunityPoll: {
    ...post('/api/community-polls'),
    signedIn: true,
    idempotent: true,
    summary: 'Create a community poll',
    body: newCommunityPollSchema,
    status: 201,
    response: communityPollSchema,
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED', 'IDEMPOTENCY_KEY_REUSED', 'POLL_NOT_FOUND'],
  },
  communityPoll: {
    ...get('/api/community-polls/:id'),
    device: 'optional',
    summary: 'One community poll, as the caller may see it',
    params: pollIdParams,
    status: 200,
    response: communityPollSchema,
    errors: accessErrors,
  },
  communityVoteStatus: {
    ...get('/api/community-polls/:id/vote/status'),
    summary: 'Whether this voter has voted, and for which option',
    params: pollIdParams,
    query: closed({ fingerprint: Type.String({ pattern: deviceIdPattern }) }),
    status: 200,
    response: voteStatusSchema,
    errors: accessErrors,
  },
  communityVote: {
    ...post('/api/community-polls/:id/vote'),
    summary: 'Cast one vote; the answer is the poll with this vote in it',
    params: pollIdParams,
    body: communityVoteRequestSchema,
    status: 200,
    response: votedCommunityPollSchema,
    errors: [...accessErrors, ...voteErrors, 'POLL_NOT_STARTED'],
  },
  editCommunityPoll: {
    ...patch('/api/community-polls/:id'),
    signedIn: true,
    summary: 'Change one of the caller’s community polls; question and options only until the first vote',
    params: pollIdParams,
    body: communityPollEditSchema,
    status: 200,
    response: communityPollSchema,
    errors: [
      ...accessErrors,
      ...(['UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_FAILED', 'CONFLICT', 'POLL_CLOSED', 'RATE_LIMITED'] as const),
    ],
  },
  communityPollEdits: {
    ...get('/api/community-polls/:id/edits'),
    client: false,
    summary: 'What the creator changed since the first vote, newest first',
    params: pollIdParams,
    status: 200,
    response: Type.Array(recordedEditSchema),
    errors: accessErrors,
  },
  communityPollCsv: {
    ...get('/api/community-polls/:id/results.csv'),
    signedIn: true,
    summary: 'Results of one of the caller’s community polls as CSV',
    params: pollIdParams,
    status: 200,
    responseType: 'text/csv',
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  waitingAnswers: {
    ...get('/api/community-polls/:id/write-ins'),
    signedIn: true,
    summary: 'The answers that voters of one of the caller’s polls wrote, and that wait for the caller, oldest first',
    params: pollIdParams,
    status: 200,
    response: Type.Array(waitingAnswerSchema),
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  reviewAnswer: {
    ...post('/api/community-polls/:id/write-ins/:answer'),
    signedIn: true,
    summary: 'Decide about an answer that a voter wrote, once: as an option, under another one, or not at all',
    params: closed({ ...pollIdParams.properties, answer: Type.String({ pattern: '^write-in-[0-9]{1,2}$' }) }),
    body: closed({
      action: oneOf(['approve', 'merge', 'reject']),
      into: Type.Optional(Type.String({ description: 'With merge: the id of the option' })),
    }),
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_OPTION', 'CONFLICT'],
  },
  closeCommunityPoll: {
    ...post('/api/community-polls/:id/close'),
    signedIn: true,
    summary: 'Close one of the caller’s community polls early',
    params: pollIdParams,
    status: 200,
    response: communityPollSchema,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'POLL_CLOSED'],
  },
  deleteCommunityPoll: {
    ...del('/api/community-polls/:id'),
    signedIn: true,
    summary: 'Delete an own community poll with its votes and comments',
    params: pollIdParams,
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  blocks: {
    ...get('/api/community-polls/:id/blocks'),
    signedIn: true,
    summary: 'Members who can’t comment on any of the caller’s polls',
    params: pollIdParams,
    status: 200,
    response: Type.Array(blockedMemberSchema),
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  blockAuthor: {
    ...post('/api/community-polls/:id/blocks'),
    signedIn: true,
    summary: 'Block the author of a comment on one of the caller’s polls from commenting on them',
    params: pollIdParams,
    body: closed({ commentId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' }) }),
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'COMMENT_NOT_FOUND', 'CONFLICT'],
  },
  unblock: {
    ...del('/api/community-polls/:id/blocks/:userId'),
    signedIn: true,
    summary: 'Let a blocked member comment again',
    params: pollMemberParams,
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
