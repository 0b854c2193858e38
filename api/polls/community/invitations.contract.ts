import { Type } from 'typebox';
import { pollIdParams, pollIdSchema } from '#api/polls/polls.contract.ts';
import * as limits from '#contract/limits.ts';
import { del, get, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { closed, count, described, maybeMoment, moment, named, nullable } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { accessErrors, pollMemberParams } from './community-polls.contract.ts';

/** A guest of a private poll; visible to its creator only. */
const inviteSchema = named('Invite', {
  userId: Type.String(),
  name: Type.String({ description: 'First and last name, or the username' }),
  username: Type.String(),
  invitedAt: moment,
  acceptedAt: described(maybeMoment, 'When the guest first opened the poll'),
});
export type Invite = Static<typeof inviteSchema>;

/** An invitation that was mailed to an address and has not been accepted; the same whether the address has an account. */
export const emailInviteSchema = named('EmailInvite', { id: Type.String(), email: Type.String(), invitedAt: moment });
export type EmailInvite = Static<typeof emailInviteSchema>;

export const newInviteSchema = named('NewInvite', { usernameOrEmail: Type.String({ minLength: 1, maxLength: 254 }) });
export type NewInvite = Static<typeof newInviteSchema>;

export const newInviteLinkSchema = named('NewInviteLink', {
  days: Type.Unsafe<number>({ type: 'integer', enum: limits.inviteLinkDays, description: 'Until it expires' }),
  maxUses: Type.Integer({ minimum: 1, maximum: limits.communityGuests, description: 'Members who can join with it' }),
});
export type NewInviteLink = Static<typeof newInviteLinkSchema>;

/** The link that members join a private poll with; a poll has one at most. Visible to its creator only. */
export const inviteLinkSchema = named('InviteLink', {
  createdAt: moment,
  expiresAt: moment,
  uses: count,
  maxUses: count,
});
export type InviteLink = Static<typeof inviteLinkSchema>;

const createdInviteLinkSchema = named('CreatedInviteLink', {
  url: Type.String({ description: 'In this response only' }),
  link: inviteLinkSchema,
});
export type CreatedInviteLink = Static<typeof createdInviteLinkSchema>;

/** The guests of private polls, and the links that members join them with. */
export const invitationEndpoints = {
  invites: {
    ...get('/api/community-polls/:id/invites'),
    signedIn: true,
    summary: 'The guests of one of the caller’s private polls, then addresses that have not accepted yet',
    params: pollIdParams,
    status: 200,
    response: Type.Array(Type.Union([inviteSchema, emailInviteSchema])),
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  invite: {
    ...post('/api/community-polls/:id/invites'),
    signedIn: true,
    summary:
      'Invite a member to one of the caller’s private polls by username, or mail an invitation to an address, whether it has an account or not',
    params: pollIdParams,
    body: newInviteSchema,
    status: 201,
    response: Type.Union([inviteSchema, emailInviteSchema]),
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_INVITABLE', 'RATE_LIMITED', 'VALIDATION_FAILED'],
  },
  removeInvite: {
    ...del('/api/community-polls/:id/invites/:userId'),
    signedIn: true,
    summary: 'Withdraw the invitation of a guest, or one that was mailed, by its id',
    params: pollMemberParams,
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  inviteLink: {
    ...get('/api/community-polls/:id/invite-link'),
    signedIn: true,
    summary: 'The link that members join one of the caller’s private polls with; null if it has none',
    params: pollIdParams,
    status: 200,
    response: closed({
      link: nullable(inviteLinkSchema),
      sendsMail: Type.Boolean({ description: 'Whether this site mails invitations, too' }),
    }),
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  createInviteLink: {
    ...post('/api/community-polls/:id/invite-link'),
    signedIn: true,
    summary: 'Create a link that members join one of the caller’s private polls with; an earlier one stops working',
    params: pollIdParams,
    body: newInviteLinkSchema,
    status: 201,
    response: createdInviteLinkSchema,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN', 'VALIDATION_FAILED'],
  },
  revokeInviteLink: {
    ...del('/api/community-polls/:id/invite-link'),
    signedIn: true,
    summary: 'Revoke the link; who joined with it stays a guest',
    params: pollIdParams,
    status: 204,
    errors: [...accessErrors, 'UNAUTHENTICATED', 'FORBIDDEN'],
  },
  joinPoll: {
    ...post('/api/user/invitations'),
    signedIn: true,
    summary: 'Join a private poll with the secret of its link; the creator and guests use it up no further',
    body: closed({ token: Type.String({ minLength: 1, maxLength: 100 }) }),
    status: 200,
    response: closed({ id: pollIdSchema }),
    errors: ['UNAUTHENTICATED', 'INVALID_INVITE_LINK', 'VALIDATION_FAILED'],
  },
} as const satisfies Record<string, Endpoint>;
