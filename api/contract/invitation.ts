import type { FromSchema } from 'json-schema-to-ts';
import { accessErrors, pollMemberParams } from './community-poll.ts';
import * as limits from './limits.ts';
import { pollIdParams, pollIdSchema } from './poll.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeMoment, moment } from './scalars.ts';

/** A guest of a private poll; visible to its creator only. */
const inviteSchema = {
  $id: 'Invite',
  type: 'object',
  required: ['userId', 'name', 'username', 'invitedAt', 'acceptedAt'],
  additionalProperties: false,
  properties: {
    userId: { type: 'string' },
    name: { type: 'string', description: 'First and last name, or the username' },
    username: { type: 'string' },
    invitedAt: moment,
    acceptedAt: { ...maybeMoment, description: 'When the guest first opened the poll' },
  },
} as const;
export type Invite = FromSchema<typeof inviteSchema>;

/** An invitation that was mailed to an address and has not been accepted; the same whether the address has an account. */
export const emailInviteSchema = {
  $id: 'EmailInvite',
  type: 'object',
  required: ['id', 'email', 'invitedAt'],
  additionalProperties: false,
  properties: { id: { type: 'string' }, email: { type: 'string' }, invitedAt: moment },
} as const;
export type EmailInvite = FromSchema<typeof emailInviteSchema>;

export const newInviteSchema = {
  $id: 'NewInvite',
  type: 'object',
  required: ['usernameOrEmail'],
  additionalProperties: false,
  properties: { usernameOrEmail: { type: 'string', minLength: 1, maxLength: 254 } },
} as const;
export type NewInvite = FromSchema<typeof newInviteSchema>;

export const newInviteLinkSchema = {
  $id: 'NewInviteLink',
  type: 'object',
  required: ['days', 'maxUses'],
  additionalProperties: false,
  properties: {
    days: { type: 'integer', enum: limits.inviteLinkDays, description: 'Until it expires' },
    maxUses: {
      type: 'integer',
      minimum: 1,
      maximum: limits.communityGuests,
      description: 'Members who can join with it',
    },
  },
} as const;
export type NewInviteLink = FromSchema<typeof newInviteLinkSchema>;

/** The link that members join a private poll with; a poll has one at most. Visible to its creator only. */
export const inviteLinkSchema = {
  $id: 'InviteLink',
  type: 'object',
  required: ['createdAt', 'expiresAt', 'uses', 'maxUses'],
  additionalProperties: false,
  properties: { createdAt: moment, expiresAt: moment, uses: count, maxUses: count },
} as const;
export type InviteLink = FromSchema<typeof inviteLinkSchema>;

const createdInviteLinkSchema = {
  $id: 'CreatedInviteLink',
  type: 'object',
  required: ['url', 'link'],
  additionalProperties: false,
  properties: { url: { type: 'string', description: 'In this response only' }, link: inviteLinkSchema },
} as const;
export type CreatedInviteLink = FromSchema<typeof createdInviteLinkSchema>;

/** The guests of private polls, and the links that members join them with. */
export const invitationEndpoints = {
  invites: {
    ...routes.invites,
    signedIn: true,
    summary: 'The guests of one of the caller’s private polls, then addresses that have not accepted yet',
    params: pollIdParams,
    status: 200,
    response: { type: 'array', items: { anyOf: [inviteSchema, emailInviteSchema] } },
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  invite: {
    ...routes.invite,
    signedIn: true,
    summary:
      'Invite a member to one of the caller’s private polls by username, or mail an invitation to an address, whether it has an account or not',
    params: pollIdParams,
    body: newInviteSchema,
    status: 201,
    response: { anyOf: [inviteSchema, emailInviteSchema] },
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_INVITABLE', 'RATE_LIMITED', 'VALIDATION_FAILED'],
  },
  removeInvite: {
    ...routes.removeInvite,
    signedIn: true,
    summary: 'Withdraw the invitation of a guest, or one that was mailed, by its id',
    params: pollMemberParams,
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  inviteLink: {
    ...routes.inviteLink,
    signedIn: true,
    summary: 'The link that members join one of the caller’s private polls with; null if it has none',
    params: pollIdParams,
    status: 200,
    response: {
      type: 'object',
      required: ['link', 'sendsMail'],
      additionalProperties: false,
      properties: {
        link: { anyOf: [inviteLinkSchema, { type: 'null' }] },
        sendsMail: { type: 'boolean', description: 'Whether this site mails invitations, too' },
      },
    },
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  createInviteLink: {
    ...routes.createInviteLink,
    signedIn: true,
    summary: 'Create a link that members join one of the caller’s private polls with; an earlier one stops working',
    params: pollIdParams,
    body: newInviteLinkSchema,
    status: 201,
    response: createdInviteLinkSchema,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_FAILED'],
  },
  revokeInviteLink: {
    ...routes.revokeInviteLink,
    signedIn: true,
    summary: 'Revoke the link; who joined with it stays a guest',
    params: pollIdParams,
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  joinPoll: {
    ...routes.joinPoll,
    signedIn: true,
    summary: 'Join a private poll with the secret of its link; the creator and guests use it up no further',
    body: {
      type: 'object',
      required: ['token'],
      additionalProperties: false,
      properties: { token: { type: 'string', minLength: 1, maxLength: 100 } },
    },
    status: 200,
    response: { type: 'object', required: ['id'], additionalProperties: false, properties: { id: pollIdSchema } },
    errors: ['UNAUTHENTICATED', 'INVALID_INVITE_LINK', 'VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Endpoint>;
