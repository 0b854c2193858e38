import { Type } from 'typebox';
import { reportSchema } from '#api/moderation/moderation.contract.ts';
import { accessErrors } from '#api/polls/community/community-polls.contract.ts';
import { pollIdParams } from '#api/polls/polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { del, get, patch, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { closed, count, described, maybeText, moment, named, query } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

const commentId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' });

/** A comment with the public details of its author, but without its replies. */
const singleCommentSchema = closed({
  id: Type.String(),
  content: Type.String(),
  createdAt: moment,
  replyTo: Type.Optional(Type.String({ description: 'The comment it answers; left out: none' })),
  editedAt: Type.Optional(described(moment, 'When its author last changed it; left out: never')),
  editableUntil: Type.Optional(described(moment, 'Until when the caller may edit it; left out: not')),
  removed: Type.Optional(
    Type.Boolean({
      description: 'Only its replies are still shown, and neither its text nor its author; left out: no',
    }),
  ),
  isMine: Type.Boolean(),
  hidden: Type.Optional(
    Type.Boolean({ description: 'Hidden by the poll’s creator, the only one who gets it; left out: no' }),
  ),
  mayHide: Type.Optional(
    Type.Boolean({ description: 'Whether the caller can hide it and block its author; left out: no' }),
  ),
  mayDelete: Type.Boolean({ description: 'Whether the caller can delete it: its author or the creator of the poll' }),
  user: closed({
    name: Type.String({ description: 'First and last name, or the username if both are empty' }),
    username: Type.String({ description: 'What others mention it by; empty where the author isn’t shown' }),
    isCreator: Type.Optional(Type.Boolean({ description: 'The creator of the poll; left out: no' })),
    isStaff: Type.Optional(Type.Boolean({ description: 'An operator of the site; left out: no' })),
    firstName: maybeText,
    lastName: maybeText,
    profileImageUrl: maybeText,
  }),
});

/** A comment with its replies; a reply has none. */
const commentSchema = named('Comment', {
  ...singleCommentSchema.properties,
  replies: Type.Optional(
    Type.Array(singleCommentSchema, {
      description: `The first ${limits.repliesShown} replies, oldest first; left out: none`,
    }),
  ),
  replyCount: Type.Optional(described(count, 'All replies that everyone sees; left out: none')),
});
export type Comment = Static<typeof commentSchema>;

export const newCommentSchema = named('NewComment', {
  content: Type.String({ minLength: 1, maxLength: limits.commentLength }),
  replyTo: Type.Optional(described(commentId, 'The comment it answers; an answer to a reply joins the same replies')),
});
export type NewComment = Static<typeof newCommentSchema>;

const commentParams = closed({ ...pollIdParams.properties, commentId });

/** Comments of community polls. */
export const commentEndpoints = {
  comments: {
    ...get('/api/community-polls/:id/comments'),
    summary: 'Comments of a community poll with their first replies, newest first; or the replies to one, oldest first',
    params: pollIdParams,
    query: query({
      limit: Type.Integer({ minimum: 1, maximum: limits.commentPageSize, default: limits.commentPageSize }),
      before: described(commentId, 'Id of the oldest comment already loaded'),
      replyTo: described(commentId, 'List the replies to this comment'),
      after: described(commentId, 'With `replyTo`: id of the newest reply already loaded'),
    }),
    status: 200,
    response: Type.Array(commentSchema),
    errors: accessErrors,
  },
  createComment: {
    ...post('/api/community-polls/:id/comments'),
    signedIn: true,
    idempotent: true,
    summary: 'Comment on a community poll',
    params: pollIdParams,
    body: newCommentSchema,
    status: 201,
    response: commentSchema,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'VALIDATION_FAILED', 'IDEMPOTENCY_KEY_REUSED', 'COMMENT_NOT_FOUND'],
  },
  comment: {
    ...get('/api/community-polls/:id/comments/:commentId'),
    summary: 'One comment with its first replies; for a reply, the comment it answers with only this reply',
    params: commentParams,
    status: 200,
    response: commentSchema,
    errors: [...accessErrors, 'COMMENT_NOT_FOUND'],
  },
  editComment: {
    ...patch('/api/community-polls/:id/comments/:commentId'),
    signedIn: true,
    summary: `Change one’s comment within ${limits.commentEditMs / 60_000} minutes of posting it`,
    params: commentParams,
    body: closed({ content: newCommentSchema.properties.content }),
    status: 200,
    response: commentSchema,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_FAILED', 'COMMENT_NOT_FOUND'],
  },
  deleteComment: {
    ...del('/api/community-polls/:id/comments/:commentId'),
    signedIn: true,
    summary: 'Delete one of the caller’s comments, or any comment on one of the caller’s polls',
    params: commentParams,
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'COMMENT_NOT_FOUND'],
  },
  hideOwnComment: {
    ...post('/api/community-polls/:id/comments/:commentId/hidden'),
    signedIn: true,
    summary: 'Hide a comment on one of the caller’s polls from everyone else, or show it again',
    params: commentParams,
    body: closed({ hidden: Type.Boolean() }),
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'COMMENT_NOT_FOUND'],
  },
  reportComment: {
    ...post('/api/community-polls/:id/comments/:commentId/report'),
    summary: 'Report a comment or its author to the moderators',
    params: commentParams,
    body: reportSchema,
    status: 204,
    errors: [...accessErrors, 'COMMENT_NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
