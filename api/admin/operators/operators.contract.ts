import { Type } from 'typebox';
import { passkeyLoginSchema } from '#api/members/accounts/passkeys.contract.ts';
import * as limits from '#contract/limits.ts';
import { del, get, patch, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { closed, count, described, maybeMoment, moment, named, oneOf } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { apiScopes, operatorRoles } from '#contract/vocabulary.ts';

const role = oneOf(operatorRoles);
const secret = Type.String({ minLength: 1, maxLength: 100 });
const ownerErrors = ['ADMIN_REQUIRED', 'FORBIDDEN', 'CONFIRMATION_REQUIRED'] as const;

/** Who calls an admin endpoint. */
const deskSessionSchema = named('OperatorSession', {
  name: Type.String({ description: 'As the audit log names the caller' }),
  role,
  member: Type.Boolean({ description: 'A signed-in member; false: the shared password' }),
});
export type OperatorSession = Static<typeof deskSessionSchema>;

/** An operator, for owners. */
const operatorSchema = named('Operator', {
  id: Type.String(),
  username: Type.String(),
  name: Type.String(),
  role,
  createdAt: moment,
  invitedBy: Type.String({ description: 'Name of the operator who made the invitation' }),
  passkeys: count,
  you: Type.Boolean(),
});
export type OperatorSummary = Static<typeof operatorSchema>;

const invitationProperties = { id: Type.Integer(), role, madeBy: Type.String(), createdAt: moment, expiresAt: moment };

/** Operators and open invitations, and whether the shared password works. */
const operatorsSchema = named('Operators', {
  operators: Type.Array(operatorSchema, { description: 'Oldest first' }),
  invitations: Type.Array(closed(invitationProperties), {
    description: 'Those that can still be accepted, oldest first',
  }),
  sharedPassword: Type.Boolean({ description: 'Whether the shared password opens the admin pages' }),
});
export type Operators = Static<typeof operatorsSchema>;

const invitationLinkSchema = named('OperatorInvitationLink', {
  ...invitationProperties,
  url: Type.String({ description: 'Whoever opens it first can accept the invitation; not shown again' }),
});
export type OperatorInvitationLink = Static<typeof invitationLinkSchema>;

const tokenProperties = {
  id: Type.Integer(),
  name: Type.String(),
  scopes: Type.Array(oneOf(apiScopes)),
  madeBy: Type.String(),
  createdAt: moment,
  expiresAt: maybeMoment,
  lastUsedAt: described(maybeMoment, 'Accurate to a day'),
};

const apiTokenSchema = named('ApiToken', tokenProperties);
export type ApiToken = Static<typeof apiTokenSchema>;

const newApiTokenSchema = named('NewApiToken', {
  ...tokenProperties,
  token: Type.String({ description: 'Sent as `Authorization: Bearer`; not shown again' }),
});
export type NewApiToken = Static<typeof newApiTokenSchema>;

/** What a new token is for. */
const apiTokenRequestSchema = named('ApiTokenRequest', {
  name: Type.String({ maxLength: limits.apiTokenName, pattern: '^[^\\s\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*$' }),
  scopes: Type.Array(oneOf(apiScopes), { minItems: 1, uniqueItems: true }),
  expiresAt: Type.Optional(described(maybeMoment, 'null or omitted: never')),
});
export type ApiTokenRequest = Static<typeof apiTokenRequestSchema>;

/** A password or a signed challenge, by which a member confirms who is at the keyboard. */
const confirmationSchema = named(
  'Confirmation',
  {
    password: Type.Optional(Type.String({ minLength: 1, maxLength: limits.passwordMax })),
    passkey: Type.Optional(passkeyLoginSchema),
  },
  { minProperties: 1, maxProperties: 1 },
);
export type Confirmation = Static<typeof confirmationSchema>;

const memberParams = closed({ id: Type.String({ pattern: '^[\\w-]{1,40}$' }) });
const numberParams = closed({ id: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }) });
const invitationBody = closed({ token: secret });
const invitationRole = closed({ role });
const roleBody = closed({ role });

/** Operators, their invitations and tokens, and confirming who is at the keyboard. */
export const operatorEndpoints = {
  confirmSession: {
    ...post('/api/user/confirmation'),
    client: false,
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
    ...post('/api/operator-invitation'),
    client: false,
    summary: 'What an invitation link invites to, with its secret; the link keeps working',
    body: invitationBody,
    status: 200,
    response: invitationRole,
    errors: ['INVALID_INVITATION', 'VALIDATION_FAILED'],
  },
  acceptInvitation: {
    ...post('/api/user/operator-invitation'),
    client: false,
    signedIn: true,
    summary: 'Become an operator with the secret of an invitation link, which works once',
    body: invitationBody,
    status: 200,
    response: invitationRole,
    errors: ['UNAUTHENTICATED', 'ACCOUNT_SUSPENDED', 'INVALID_INVITATION', 'CONFLICT', 'VALIDATION_FAILED'],
  },
  deskSession: {
    ...get('/api/admin/session'),
    admin: 'operator',
    summary: 'Who the caller is on the admin pages',
    status: 200,
    response: deskSessionSchema,
    errors: ownerErrors,
  },
  operators: {
    ...get('/api/admin/operators'),
    admin: 'owner',
    summary: 'Operators and open invitations',
    status: 200,
    response: operatorsSchema,
    errors: ownerErrors,
  },
  becomeOwner: {
    ...post('/api/admin/operators'),
    admin: 'owner',
    confirm: true,
    summary: 'Make the signed-in member an owner, as the holder of the shared password',
    status: 204,
    errors: ['UNAUTHENTICATED', 'ACCOUNT_SUSPENDED', 'CONFLICT', ...ownerErrors],
  },
  inviteOperator: {
    ...post('/api/admin/invitations'),
    admin: 'owner',
    confirm: true,
    summary: 'Make an invitation link, which works once within 7 days',
    body: roleBody,
    status: 201,
    response: invitationLinkSchema,
    errors: ['VALIDATION_FAILED', ...ownerErrors],
  },
  revokeInvitation: {
    ...del('/api/admin/invitations/:id'),
    admin: 'owner',
    summary: 'Revoke an open invitation',
    params: numberParams,
    status: 204,
    errors: ownerErrors,
  },
  changeRole: {
    ...patch('/api/admin/operators/:id'),
    admin: 'owner',
    confirm: true,
    summary: 'Change the role of an operator; there is always an owner. Tokens and invitations of a former owner end',
    params: memberParams,
    body: roleBody,
    status: 204,
    errors: ['CONFLICT', 'VALIDATION_FAILED', ...ownerErrors],
  },
  removeOperator: {
    ...del('/api/admin/operators/:id'),
    admin: 'owner',
    confirm: true,
    summary: 'Remove an operator, who stays a member; there is always an owner',
    params: memberParams,
    status: 204,
    errors: ['CONFLICT', ...ownerErrors],
  },
  setSharedPassword: {
    ...post('/api/admin/shared-password'),
    admin: 'owner',
    confirm: true,
    summary:
      'Turn the shared password on or off; only an owner with a passkey or recovery codes can turn it off, and a command on the server turns it on again',
    body: closed({ on: Type.Boolean() }),
    status: 204,
    errors: ['CONFLICT', 'VALIDATION_FAILED', ...ownerErrors],
  },
  apiTokens: {
    ...get('/api/admin/tokens'),
    admin: 'owner',
    summary: 'API tokens, newest first',
    status: 200,
    response: closed({ tokens: Type.Array(apiTokenSchema) }),
    errors: ownerErrors,
  },
  createApiToken: {
    ...post('/api/admin/tokens'),
    admin: 'owner',
    confirm: true,
    summary: 'Create an API token',
    body: apiTokenRequestSchema,
    status: 201,
    response: newApiTokenSchema,
    errors: ['VALIDATION_FAILED', 'BAD_REQUEST', 'CONFLICT', ...ownerErrors],
  },
  revokeApiToken: {
    ...del('/api/admin/tokens/:id'),
    admin: 'owner',
    confirm: true,
    summary: 'Revoke an API token at once',
    params: numberParams,
    status: 204,
    errors: ownerErrors,
  },
} as const satisfies Record<string, Endpoint>;
