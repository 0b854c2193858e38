import type { FromSchema } from 'json-schema-to-ts';
import * as limits from './limits.ts';
import { passkeyLoginSchema } from './passkey.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeMoment, moment } from './scalars.ts';
import { apiScopes, operatorRoles } from './vocabulary.ts';

const role = { type: 'string', enum: operatorRoles } as const;
const secret = { type: 'string', minLength: 1, maxLength: 100 } as const;
const ownerErrors = ['ADMIN_REQUIRED', 'FORBIDDEN', 'CONFIRMATION_REQUIRED'] as const;

/** Who calls an admin endpoint. */
const deskSessionSchema = {
  $id: 'OperatorSession',
  type: 'object',
  required: ['name', 'role', 'member'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', description: 'As the audit log names the caller' },
    role,
    member: { type: 'boolean', description: 'A signed-in member; false: the shared password' },
  },
} as const;
export type OperatorSession = FromSchema<typeof deskSessionSchema>;

/** An operator, for owners. */
const operatorSchema = {
  $id: 'Operator',
  type: 'object',
  required: ['id', 'username', 'name', 'role', 'createdAt', 'invitedBy', 'passkeys', 'you'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    username: { type: 'string' },
    name: { type: 'string' },
    role,
    createdAt: moment,
    invitedBy: { type: 'string', description: 'Name of the operator who made the invitation' },
    passkeys: count,
    you: { type: 'boolean' },
  },
} as const;
export type OperatorSummary = FromSchema<typeof operatorSchema>;

const invitationProperties = {
  id: { type: 'integer' },
  role,
  madeBy: { type: 'string' },
  createdAt: moment,
  expiresAt: moment,
} as const;

/** Operators and open invitations, and whether the shared password works. */
const operatorsSchema = {
  $id: 'Operators',
  type: 'object',
  required: ['operators', 'invitations', 'sharedPassword'],
  additionalProperties: false,
  properties: {
    operators: { type: 'array', items: operatorSchema, description: 'Oldest first' },
    invitations: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'role', 'madeBy', 'createdAt', 'expiresAt'],
        additionalProperties: false,
        properties: invitationProperties,
      },
      description: 'Those that can still be accepted, oldest first',
    },
    sharedPassword: { type: 'boolean', description: 'Whether the shared password opens the admin pages' },
  },
} as const;
export type Operators = FromSchema<typeof operatorsSchema>;

const invitationLinkSchema = {
  $id: 'OperatorInvitationLink',
  type: 'object',
  required: ['id', 'role', 'madeBy', 'createdAt', 'expiresAt', 'url'],
  additionalProperties: false,
  properties: {
    ...invitationProperties,
    url: { type: 'string', description: 'Whoever opens it first can accept the invitation; not shown again' },
  },
} as const;
export type OperatorInvitationLink = FromSchema<typeof invitationLinkSchema>;

const tokenProperties = {
  id: { type: 'integer' },
  name: { type: 'string' },
  scopes: { type: 'array', items: { type: 'string', enum: apiScopes } },
  madeBy: { type: 'string' },
  createdAt: moment,
  expiresAt: maybeMoment,
  lastUsedAt: { ...maybeMoment, description: 'Accurate to a day' },
} as const;
const tokenMembers = ['id', 'name', 'scopes', 'madeBy', 'createdAt', 'expiresAt', 'lastUsedAt'] as const;

const apiTokenSchema = {
  $id: 'ApiToken',
  type: 'object',
  required: tokenMembers,
  additionalProperties: false,
  properties: tokenProperties,
} as const;
export type ApiToken = FromSchema<typeof apiTokenSchema>;

const newApiTokenSchema = {
  $id: 'NewApiToken',
  type: 'object',
  required: [...tokenMembers, 'token'],
  additionalProperties: false,
  properties: {
    ...tokenProperties,
    token: { type: 'string', description: 'Sent as `Authorization: Bearer`; not shown again' },
  },
} as const;
export type NewApiToken = FromSchema<typeof newApiTokenSchema>;

/** What a new token is for. */
const apiTokenRequestSchema = {
  $id: 'ApiTokenRequest',
  type: 'object',
  required: ['name', 'scopes'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', maxLength: limits.apiTokenName, pattern: '^[^\\s\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*$' },
    scopes: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string', enum: apiScopes } },
    expiresAt: { ...maybeMoment, description: 'null or omitted: never' },
  },
} as const;
export type ApiTokenRequest = FromSchema<typeof apiTokenRequestSchema>;

/** A password or a signed challenge, by which a member confirms who is at the keyboard. */
const confirmationSchema = {
  $id: 'Confirmation',
  type: 'object',
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
  properties: {
    password: { type: 'string', minLength: 1, maxLength: limits.passwordMax },
    passkey: passkeyLoginSchema,
  },
} as const;
export type Confirmation = FromSchema<typeof confirmationSchema>;

const memberParams = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: { type: 'string', pattern: '^[\\w-]{1,40}$' } },
} as const;
const numberParams = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: { id: { type: 'string', pattern: '^[1-9][0-9]{0,8}$' } },
} as const;
const invitationBody = {
  type: 'object',
  required: ['token'],
  additionalProperties: false,
  properties: { token: secret },
} as const;
const invitationRole = {
  type: 'object',
  required: ['role'],
  additionalProperties: false,
  properties: { role },
} as const;
const roleBody = { type: 'object', required: ['role'], additionalProperties: false, properties: { role } } as const;

/** Operators, their invitations and tokens, and confirming who is at the keyboard. */
export const operatorEndpoints = {
  confirmSession: {
    ...routes.confirmSession,
    signedIn: true,
    summary:
      'Give the password or a passkey again: opens the admin pages for 12 hours, and dangerous actions for 10 minutes. The admin pages of an operator who has a passkey open only with one',
    body: confirmationSchema,
    status: 204,
    errors: [
      'UNAUTHENTICATED',
      'WRONG_PASSWORD',
      'INVALID_PASSKEY',
      'UNKNOWN_PASSKEY',
      'VALIDATION_FAILED',
      'RATE_LIMITED',
      'OVERLOADED',
    ],
  },
  invitation: {
    ...routes.invitation,
    summary: 'What an invitation link invites to, with its secret; the link keeps working',
    body: invitationBody,
    status: 200,
    response: invitationRole,
    errors: ['INVALID_INVITATION', 'VALIDATION_FAILED'],
  },
  acceptInvitation: {
    ...routes.acceptInvitation,
    signedIn: true,
    summary: 'Become an operator with the secret of an invitation link, which works once',
    body: invitationBody,
    status: 200,
    response: invitationRole,
    errors: ['UNAUTHENTICATED', 'ACCOUNT_SUSPENDED', 'INVALID_INVITATION', 'CONFLICT', 'VALIDATION_FAILED'],
  },
  deskSession: {
    ...routes.deskSession,
    admin: 'operator',
    summary: 'Who the caller is on the admin pages',
    status: 200,
    response: deskSessionSchema,
    errors: ownerErrors,
  },
  operators: {
    ...routes.operators,
    admin: 'owner',
    summary: 'Operators and open invitations',
    status: 200,
    response: operatorsSchema,
    errors: ownerErrors,
  },
  becomeOwner: {
    ...routes.becomeOwner,
    admin: 'owner',
    confirm: true,
    summary: 'Make the signed-in member an owner, as the holder of the shared password',
    status: 204,
    errors: ['UNAUTHENTICATED', 'ACCOUNT_SUSPENDED', 'CONFLICT', ...ownerErrors],
  },
  inviteOperator: {
    ...routes.inviteOperator,
    admin: 'owner',
    confirm: true,
    summary: 'Make an invitation link, which works once within 7 days',
    body: roleBody,
    status: 201,
    response: invitationLinkSchema,
    errors: ['VALIDATION_FAILED', ...ownerErrors],
  },
  revokeInvitation: {
    ...routes.revokeInvitation,
    admin: 'owner',
    summary: 'Revoke an open invitation',
    params: numberParams,
    status: 204,
    errors: ownerErrors,
  },
  changeRole: {
    ...routes.changeRole,
    admin: 'owner',
    confirm: true,
    summary: 'Change the role of an operator; there is always an owner. Tokens and invitations of a former owner end',
    params: memberParams,
    body: roleBody,
    status: 204,
    errors: ['CONFLICT', 'VALIDATION_FAILED', ...ownerErrors],
  },
  removeOperator: {
    ...routes.removeOperator,
    admin: 'owner',
    confirm: true,
    summary: 'Remove an operator, who stays a member; there is always an owner',
    params: memberParams,
    status: 204,
    errors: ['CONFLICT', ...ownerErrors],
  },
  setSharedPassword: {
    ...routes.setSharedPassword,
    admin: 'owner',
    confirm: true,
    summary:
      'Turn the shared password on or off; only an owner with a passkey or recovery codes can turn it off, and a command on the server turns it on again',
    body: {
      type: 'object',
      required: ['on'],
      additionalProperties: false,
      properties: { on: { type: 'boolean' } },
    },
    status: 204,
    errors: ['CONFLICT', 'VALIDATION_FAILED', ...ownerErrors],
  },
  apiTokens: {
    ...routes.apiTokens,
    admin: 'owner',
    summary: 'API tokens, newest first',
    status: 200,
    response: {
      type: 'object',
      required: ['tokens'],
      additionalProperties: false,
      properties: { tokens: { type: 'array', items: apiTokenSchema } },
    },
    errors: ownerErrors,
  },
  createApiToken: {
    ...routes.createApiToken,
    admin: 'owner',
    confirm: true,
    summary: 'Create an API token',
    body: apiTokenRequestSchema,
    status: 201,
    response: newApiTokenSchema,
    errors: ['VALIDATION_FAILED', 'BAD_REQUEST', 'CONFLICT', ...ownerErrors],
  },
  revokeApiToken: {
    ...routes.revokeApiToken,
    admin: 'owner',
    confirm: true,
    summary: 'Revoke an API token at once',
    params: numberParams,
    status: 204,
    errors: ownerErrors,
  },
} as const satisfies Record<string, Endpoint>;
