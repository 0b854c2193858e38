import { Type } from 'typebox';
import { del, get, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { closed, maybeText, moment, named, query } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

/** A member as the operator sees them. */
const memberSummarySchema = named('MemberSummary', {
  id: Type.String(),
  username: Type.String(),
  name: Type.String({ description: 'The name that others see' }),
  profileImageUrl: maybeText,
  createdAt: moment,
  suspended: Type.Boolean(),
  operator: Type.Boolean({ description: 'Operators can’t be suspended' }),
});
export type MemberSummary = Static<typeof memberSummarySchema>;

const resetLinkSchema = named('ResetLink', {
  url: Type.String({ description: 'Where the account’s owner sets a new password, once; not shown again' }),
  expiresAt: moment,
});
export type ResetLink = Static<typeof resetLinkSchema>;

const memberParams = closed({ id: Type.String({ pattern: '^[\\w-]{1,40}$' }) });

/** The operator’s help for members who have lost their password, and removing pictures. */
export const adminMemberEndpoints = {
  findMembers: {
    ...get('/api/admin/members'),
    admin: 'moderator',
    summary: 'Members with this username or email address, oldest first; none without a name',
    query: query({ name: Type.String({ minLength: 1, maxLength: 254 }) }),
    status: 200,
    response: closed({ members: Type.Array(memberSummarySchema) }),
    errors: ['ADMIN_REQUIRED', 'VALIDATION_FAILED'],
  },
  createResetLink: {
    ...post('/api/admin/members/:id/reset-link'),
    admin: 'owner',
    confirm: true,
    summary: 'Create a password reset link for a member; it works once within an hour and replaces earlier ones',
    params: memberParams,
    status: 201,
    response: resetLinkSchema,
    errors: ['ADMIN_REQUIRED', 'NOT_FOUND'],
  },
  removePicture: {
    ...del('/api/admin/members/:id/picture'),
    admin: 'moderator',
    summary: 'Remove the picture of a member',
    params: memberParams,
    status: 204,
    errors: ['ADMIN_REQUIRED', 'NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
