import type { FromSchema } from 'json-schema-to-ts';
import { accessErrors } from './community-poll.ts';
import * as limits from './limits.ts';
import { reportSchema } from './moderation.ts';
import { pollIdParams } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { maybeText, moment } from './scalars.ts';

/** A comment with the public details of its author. */
const commentSchema = {
  $id: 'Comment',
  type: 'object',
  required: ['id', 'content', 'createdAt', 'user', 'isMine', 'mayDelete'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    content: { type: 'string' },
    createdAt: moment,
    isMine: { type: 'boolean' },
    hidden: { type: 'boolean', description: 'Hidden by the poll’s creator, the only one who gets it; left out: no' },
    mayHide: { type: 'boolean', description: 'Whether the caller can hide it and block its author; left out: no' },
    mayDelete: {
      type: 'boolean',
      description: 'Whether the caller can delete it: its author or the creator of the poll',
    },
    user: {
      type: 'object',
      required: ['name', 'firstName', 'lastName', 'profileImageUrl'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', description: 'First and last name, or the username if both are empty' },
        firstName: maybeText,
        lastName: maybeText,
        profileImageUrl: maybeText,
      },
    },
  },
} as const;
export type Comment = FromSchema<typeof commentSchema>;

export const newCommentSchema = {
  $id: 'NewComment',
  type: 'object',
  required: ['content'],
  additionalProperties: false,
  properties: { content: { type: 'string', minLength: 1, maxLength: limits.commentLength } },
} as const;
export type NewComment = FromSchema<typeof newCommentSchema>;

const commentParams = {
  type: 'object',
  required: ['id', 'commentId'],
  additionalProperties: false,
  properties: { ...pollIdParams.properties, commentId: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,40}$' } },
} as const;

/** Comments of community polls. */
export const commentEndpoints = {
  comments: {
    ...routes.comments,
    summary: 'Comments of a community poll, newest first',
    params: pollIdParams,
    query: {
      type: 'object',
      additionalProperties: false,
      properties: {
        limit: { type: 'integer', minimum: 1, maximum: limits.commentPageSize, default: limits.commentPageSize },
        before: {
          type: 'string',
          pattern: '^[A-Za-z0-9_-]{1,40}$',
          description: 'Id of the oldest comment already loaded',
        },
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
    signedIn: true,
    summary: 'Report a comment or its author to the moderators',
    params: commentParams,
    body: reportSchema,
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'COMMENT_NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
