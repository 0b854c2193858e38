import { Type } from 'typebox';
import { badgeKeys } from '#api/members/badges/badges.contract.ts';
import * as limits from '#contract/limits.ts';
import { del, get, patch, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import {
  adjusted,
  closed,
  count,
  described,
  emailAddress,
  maybeText,
  moment,
  named,
  nullable,
  oneOf,
} from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

/** The signed-in member, visible to that member only. The password never leaves the server in any form. */
export const userSchema = named('User', {
  id: Type.String(),
  username: Type.String(),
  email: maybeText,
  firstName: maybeText,
  lastName: maybeText,
  profileImageUrl: maybeText,
  createdAt: moment,
  updatedAt: moment,
  suspended: Type.Optional(
    Type.Unsafe<true>({ type: 'boolean', enum: [true], description: 'Only while the member is suspended' }),
  ),
});
export type User = Static<typeof userSchema>;

/** One-time codes with which their owner sets a new password. */
export const recoveryCodesSchema = Type.Array(Type.String(), {
  minItems: limits.recoveryCodes,
  maxItems: limits.recoveryCodes,
});

/** A new member, with the recovery codes of the account: they are not shown again. */
export const registeredUserSchema = named('RegisteredUser', {
  ...userSchema.properties,
  recoveryCodes: recoveryCodesSchema,
  emailToConfirm: described(maybeText, 'The address that a link to confirm it is mailed to'),
});
export type RegisteredUser = Static<typeof registeredUserSchema>;

export const loginSchema = named('Login', {
  username: Type.String({ minLength: 1, maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: limits.passwordMax }),
  mailCode: Type.Optional(Type.Boolean({ description: 'Mail a code, if a second step is needed' })),
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The second step: the mailed code of six digits, or a recovery code, which is used up',
    }),
  ),
});
export type Login = Static<typeof loginSchema>;

export const registrationSchema = named('Registration', {
  username: Type.String({ minLength: limits.usernameMin, maxLength: limits.usernameMax, pattern: '^[A-Za-z0-9_.-]+$' }),
  password: Type.String({ minLength: limits.passwordMin, maxLength: limits.passwordMax }),
  email: Type.Optional(Type.Union([emailAddress, Type.String({ maxLength: 0 })])),
  firstName: Type.Optional(Type.String({ maxLength: limits.personName })),
  lastName: Type.Optional(Type.String({ maxLength: limits.personName })),
});
export type Registration = Static<typeof registrationSchema>;

/** Profile fields that a member may change; omitted ones stay. */
export const userChangeSchema = named('UserChange', {
  firstName: Type.Optional(nullable(Type.String({ maxLength: limits.personName }))),
  lastName: Type.Optional(nullable(Type.String({ maxLength: limits.personName }))),
  profileImageUrl: Type.Optional(Type.Null({ description: 'Removes the picture; a new one is uploaded' })),
});
export type UserChange = Static<typeof userChangeSchema>;

export const passwordChangeSchema = named('PasswordChange', {
  currentPassword: Type.String({ minLength: 1, maxLength: limits.passwordMax }),
  newPassword: Type.String({ minLength: limits.passwordMin, maxLength: limits.passwordMax }),
});
export type PasswordChange = Static<typeof passwordChangeSchema>;

/** Deleting an account requires the password and the typed username. */
export const userDeletionSchema = named('UserDeletion', {
  password: Type.String({ minLength: 1, maxLength: limits.passwordMax }),
  username: Type.String({ minLength: 1, maxLength: limits.usernameMax }),
});
export type UserDeletion = Static<typeof userDeletionSchema>;

/** A badge that its owner has not been notified of yet. */
export const newBadgeSchema = named('NewBadge', { key: oneOf(badgeKeys), earnedAt: moment });
export type NewBadge = Static<typeof newBadgeSchema>;

/** The figures of the progress box in the navigation, and badges to announce, oldest first. */
export const userSummarySchema = named('UserSummary', {
  badges: count,
  polls: count,
  activities: count,
  newBadges: Type.Array(newBadgeSchema, { maxItems: limits.badges }),
  unreadNotifications: adjusted(count, { maximum: limits.notificationsShown }),
});
export type UserSummary = Static<typeof userSummarySchema>;

/** Signing in and out, and managing an account. */
export const accountEndpoints = {
  user: {
    ...get('/api/user'),
    summary: 'The signed-in user; 401 when signed out',
    status: 200,
    response: userSchema,
    errors: ['UNAUTHENTICATED'],
  },
  login: {
    ...post('/api/login'),
    device: 'optional',
    summary:
      'Sign in; the session id changes. After wrong passwords from many networks, a right one needs a second step on a device and network that are new to the account: a code, a yes on another device, or another sign-in after a while',
    body: loginSchema,
    status: 200,
    response: userSchema,
    errors: [
      ...(['INVALID_CREDENTIALS', 'SECOND_STEP_REQUIRED', 'EMAIL_CODE_WRONG', 'EMAIL_CODE_EXPIRED'] as const),
      ...(['INVALID_RECOVERY_CODE', 'RATE_LIMITED', 'OVERLOADED'] as const),
    ],
  },
  loginPage: {
    ...get('/api/login'),
    client: false,
    summary: 'Leads to the page where people sign in; `next`, a path of this site, is kept',
    status: 302,
    errors: [],
  },
  register: {
    ...post('/api/register'),
    device: 'optional',
    summary: 'Create an account and sign in',
    body: registrationSchema,
    status: 201,
    response: registeredUserSchema,
    errors: ['USERNAME_TAKEN', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  logout: {
    ...post('/api/logout'),
    summary: 'Destroy the session',
    status: 204,
    errors: [],
  },
  updateUser: {
    ...patch('/api/user'),
    signedIn: true,
    summary: 'Change the name, or remove the picture',
    body: userChangeSchema,
    status: 200,
    response: userSchema,
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
  uploadPicture: {
    ...post('/api/user/picture'),
    signedIn: true,
    summary: 'Upload a JPEG, PNG, WebP, or GIF file as the member’s picture, in place of an earlier one',
    bodyType: 'image/*',
    status: 200,
    response: userSchema,
    errors: [
      'UNAUTHENTICATED',
      'ACCOUNT_SUSPENDED',
      'BAD_REQUEST',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'OVERLOADED',
    ],
  },
  picture: {
    ...get('/api/pictures/:hash'),
    client: false,
    cache: 'immutable',
    summary: 'The picture of a member, by the hash of its content',
    params: closed({ hash: Type.String({ pattern: '^[\\w-]{43}$' }) }),
    status: 200,
    responseType: 'image/webp',
    errors: ['NOT_FOUND'],
  },
  changePassword: {
    ...post('/api/user/password'),
    signedIn: true,
    summary: 'Change the password; every other session of the account ends',
    body: passwordChangeSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  userSummary: {
    ...get('/api/user/summary'),
    signedIn: true,
    summary: 'Figures of the progress box, and badges the user has not been notified about yet',
    status: 200,
    response: userSummarySchema,
    errors: ['UNAUTHENTICATED'],
  },
  deleteUser: {
    ...del('/api/user'),
    signedIn: true,
    summary: 'Delete the account: its polls are closed, its comments are deleted, and its votes still count',
    body: userDeletionSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'CONFLICT', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
} as const satisfies Record<string, Endpoint>;
