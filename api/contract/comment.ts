import type { FromSchema } from 'json-schema-to-ts';
import * as limits from './limits.ts';
import { maybeText, moment } from './scalars.ts';

/** A comment with as much of its author as a reader sees. */
export const commentSchema = {
  $id: 'Comment',
  type: 'object',
  required: ['id', 'content', 'createdAt', 'user', 'isMine', 'mayDelete'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    content: { type: 'string' },
    createdAt: moment,
    isMine: { type: 'boolean' },
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

/** Why a reader reports a comment; the reason may be left out. */
export const commentReportSchema = {
  $id: 'CommentReport',
  type: 'object',
  additionalProperties: false,
  properties: { reason: { type: 'string', maxLength: limits.commentLength } },
} as const;
