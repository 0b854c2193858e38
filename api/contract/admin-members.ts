import type { FromSchema } from 'json-schema-to-ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { maybeText, moment } from './scalars.ts';

/** A member as the operator sees them. */
const memberSummarySchema = {
  $id: 'MemberSummary',
  type: 'object',
  required: ['id', 'username', 'name', 'profileImageUrl', 'createdAt', 'suspended', 'operator'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    username: { type: 'string' },
    name: { type: 'string', description: 'The name that others see' },
    profileImageUrl: maybeText,
    createdAt: moment,
    suspended: { type: 'boolean' },
    operator: { type: 'boolean', description: 'Operators can’t be suspended' },
  },
} as const;
export type MemberSummary = FromSchema<typeof memberSummarySchema>;

const resetLinkSchema = {
  $id: 'ResetLink',
  type: 'object',
  required: ['url', 'expiresAt'],
  additionalProperties: false,
  properties: {
    url: { type: 'string', description: 'Where the account’s owner sets a new password, once; not shown again' },
    expiresAt: moment,
  },
} as const;
export type ResetLink = FromSchema<typeof resetLinkSchema>;

const memberParams = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: { type: 'string', pattern: '^[\\w-]{1,40}$' } },
} as const;

/** The operator’s help for members who have lost their password, and removing pictures. */
export const adminMemberEndpoints = {
  findMembers: {
    ...routes.findMembers,
    admin: 'moderator',
    summary: 'Members with this username or email address, oldest first; none without a name',
    query: {
      type: 'object',
      additionalProperties: false,
      properties: { name: { type: 'string', minLength: 1, maxLength: 254 } },
    },
    status: 200,
    response: {
      type: 'object',
      required: ['members'],
      additionalProperties: false,
      properties: { members: { type: 'array', items: memberSummarySchema } },
    },
    errors: ['ADMIN_REQUIRED', 'VALIDATION_FAILED'],
  },
  createResetLink: {
    ...routes.createResetLink,
    admin: 'owner',
    confirm: true,
    summary: 'Create a password reset link for a member; it works once within an hour and replaces earlier ones',
    params: memberParams,
    status: 201,
    response: resetLinkSchema,
    errors: ['ADMIN_REQUIRED', 'NOT_FOUND'],
  },
  removePicture: {
    ...routes.removePicture,
    admin: 'moderator',
    summary: 'Remove the picture of a member',
    params: memberParams,
    status: 204,
    errors: ['ADMIN_REQUIRED', 'NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
