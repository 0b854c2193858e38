import type { FromSchema } from 'json-schema-to-ts';
import { accessErrors } from './community-poll.ts';
import * as limits from './limits.ts';
import { reportSchema } from './moderation.ts';
import { pollIdParams } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeText, moment } from './scalars.ts';

const commentId = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' } as const;

/** A comment with the public details of its author, but without its replies. */
const singleCommentSchema = {
  type: 'object',
  required: ['id', 'content', 'createdAt', 'user', 'isMine', 'mayDelete'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    content: { type: 'string' },
    createdAt: moment,
    replyTo: { type: 'string', description: 'The comment it answers; left out: none' },
    editedAt: { ...moment, description: 'When its author last changed it; left out: never' },
    editableUntil: { ...moment, description: 'Until when the caller may edit it; left out: not' },
    removed: {
      type: 'boolean',
      description: 'Only its replies are still shown, and neither its text nor its author; left out: no',
    },
    isMine: { type: 'boolean' },
    hidden: { type: 'boolean', description: 'Hidden by the poll’s creator, the only one who gets it; left out: no' },
    mayHide: { type: 'boolean', description: 'Whether the caller can hide it and block its author; left out: no' },
    mayDelete: {
      type: 'boolean',
      description: 'Whether the caller can delete it: its author or the creator of the poll',
    },
    user: {
      type: 'object',
      required: ['name', 'username', 'firstName', 'lastName', 'profileImageUrl'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', description: 'First and last name, or the username if both are empty' },
        username: { type: 'string', description: 'What others mention it by; empty where the author isn’t shown' },
        isCreator: { type: 'boolean', description: 'The creator of the poll; left out: no' },
        isStaff: { type: 'boolean', description: 'An operator of the site; left out: no' },
        firstName: maybeText,
        lastName: maybeText,
        profileImageUrl: maybeText,
      },
    },
  },
} as const;

/** A comment with its replies; a reply has none. */
const commentSchema = {
  ...singleCommentSchema,
  $id: 'Comment',
  properties: {
    ...singleCommentSchema.properties,
    replies: {
      type: 'array',
      items: singleCommentSchema,
      description: `The first ${limits.repliesShown} replies, oldest first; left out: none`,
    },
    replyCount: { ...count, description: 'All replies that everyone sees; left out: none' },
  },
} as const;
export type Comment = FromSchema<typeof commentSchema>;

export const newCommentSchema = {
  $id: 'NewComment',
  type: 'object',
  required: ['content'],
  additionalProperties: false,
  properties: {
    content: { type: 'string', minLength: 1, maxLength: limits.commentLength },
    replyTo: { ...commentId, description: 'The comment it answers; an answer to a reply joins the same replies' },
  },
} as const;
export type NewComment = FromSchema<typeof newCommentSchema>;

const commentParams = {
  type: 'object',
  required: ['id', 'commentId'],
  additionalProperties: false,
  properties: { ...pollIdParams.properties, commentId },
} as const;

/** Comments of community polls. */
export const commentEndpoints = {
  comments: {
    ...routes.comments,
    summary: 'Comments of a community poll with their first replies, newest first; or the replies to one, oldest first',
    params: pollIdParams,
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        limit: { type: 'integer', minimum: 1, maximum: limits.commentPageSize, default: limits.commentPageSize },
        before: {
          ...commentId,
          description: 'Id of the oldest comment already loaded',
        },
        replyTo: { ...commentId, description: 'List the replies to this comment' },
        after: { ...commentId, description: 'With `replyTo`: id of the newest reply already loaded' },
      },
    },
    status: 200,
    response: { type: 'array', items: commentSchema },
    errors: accessErrors,
  },
  createComment: {
    ...routes.createComment,
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
    ...routes.comment,
    summary: 'One comment with its first replies; for a reply, the comment it answers with only this reply',
    params: commentParams,
    status: 200,
    response: commentSchema,
    errors: [...accessErrors, 'COMMENT_NOT_FOUND'],
  },
  editComment: {
    ...routes.editComment,
    signedIn: true,
    summary: `Change one’s comment within ${limits.commentEditMs / 60_000} minutes of posting it`,
    params: commentParams,
    body: {
      type: 'object',
      required: ['content'],
      additionalProperties: false,
      properties: { content: newCommentSchema.properties.content },
    },
    status: 200,
    response: commentSchema,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_FAILED', 'COMMENT_NOT_FOUND'],
  },
  deleteComment: {
    ...routes.deleteComment,
    signedIn: true,
    summary: 'Delete one of the caller’s comments, or any comment on one of the caller’s polls',
    params: commentParams,
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'COMMENT_NOT_FOUND'],
  },
  hideOwnComment: {
    ...routes.hideOwnComment,
    signedIn: true,
    summary: 'Hide a comment on one of the caller’s polls from everyone else, or show it again',
    params: commentParams,
    body: {
      type: 'object',
      required: ['hidden'],
      additionalProperties: false,
      properties: { hidden: { type: 'boolean' } },
    },
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'COMMENT_NOT_FOUND'],
  },
  reportComment: {
    ...routes.reportComment,
    summary: 'Report a comment or its author to the moderators',
    params: commentParams,
    body: reportSchema,
    status: 204,
    errors: [...accessErrors, 'COMMENT_NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
