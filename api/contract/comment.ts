import type { FromSchema } from 'json-schema-to-ts';
import { limits } from './limits.ts';
import { maybeText, moment } from './scalars.ts';

/** A comment with as much of its author as a reader sees. */
export const commentSchema = {
  $id: 'Comment',
  type: 'object',
  required: ['id', 'content', 'createdAt', 'user', 'isMine'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    content: { type: 'string' },
    createdAt: moment,
    isMine: { type: 'boolean' },
    user: {
      type: 'object',
      required: ['firstName', 'lastName', 'profileImageUrl'],
      additionalProperties: false,
      properties: { firstName: maybeText, lastName: maybeText, profileImageUrl: maybeText },
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
