import { Type } from 'typebox';
import * as limits from './limits.ts';
import { pollIdParams, pollIdSchema, receiptSchema } from './poll.ts';
import { promiseSchema } from './promise.ts';
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
} from './schema.ts';
import type { Static } from './schema.ts';
import { communityCategories, pollProtections, resultVisibilities, visibilities } from './vocabulary.ts';
import { ballotProtection, ballotsPublished, logDifference, voteFigures } from './vote-figures.ts';

/** An option of a community poll. `votes` is null where `resultVisibility` hides the counts. */
const communityOptionSchema = named('CommunityPollOption', {
  id: Type.String(),
  text: Type.String(),
  votes: nullable(count),
});

/** A community poll as the caller may see it. `createdBy` and `allowedUsers` are in responses to its creator only. */
export const communityPollSchema = named('CommunityPoll', {
  id: pollIdSchema,
  question: Type.String(),
  description: Type.String(),
  options: Type.Array(communityOptionSchema),
  totalVotes: count,
  ...voteFigures,
  ...ballotsPublished,
  ...logDifference,
  ...ballotProtection,
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
  userVote: nullable(Type.String(), { description: 'The option this voter chose' }),
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
  resultVisibility: Type.Optional(oneOf(resultVisibilities, { description: 'By default after-voting' })),
  protection: Type.Optional(
    oneOf(pollProtections, {
      description: 'What votes need; by default any browser. Private polls are for members who are invited',
    }),
  ),
  publishBallots: Type.Optional(
    Type.Boolean({
      description: 'Of a public poll, once it closes; by default true, and never with results for the creator only',
    }),
  ),
});
export type NewCommunityPoll = Static<typeof newCommunityPollSchema>;

const { question, description, options, endsAt, resultVisibility, protection } = newCommunityPollSchema.properties;

/** Changes of a community poll; at least one field. */
export const communityPollEditSchema = named(
  'CommunityPollEdit',
  {
    question: Type.Optional(question),
    description,
    options: Type.Optional(Type.Array(closed({ text: options.items.properties.text }), optionNumbers)),
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
