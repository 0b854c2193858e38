import type { FromSchema } from 'json-schema-to-ts';
import { badgeKeys } from './badges.ts';
import * as limits from './limits.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, emailAddress, maybeText, moment } from './scalars.ts';

/** The signed-in member, visible to that member only. The password never leaves the server in any form. */
export const userSchema = {
  $id: 'User',
  type: 'object',
  required: ['id', 'username', 'email', 'firstName', 'lastName', 'profileImageUrl', 'createdAt', 'updatedAt'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    username: { type: 'string' },
    email: maybeText,
    firstName: maybeText,
    lastName: maybeText,
    profileImageUrl: maybeText,
    createdAt: moment,
    updatedAt: moment,
    suspended: { type: 'boolean', enum: [true], description: 'Only while the member is suspended' },
  },
} as const;
export type User = FromSchema<typeof userSchema>;

/** One-time codes with which their owner sets a new password. */
export const recoveryCodesSchema = {
  type: 'array',
  items: { type: 'string' },
  minItems: limits.recoveryCodes,
  maxItems: limits.recoveryCodes,
} as const;

/** A new member, with the recovery codes of the account: they are not shown again. */
export const registeredUserSchema = {
  ...userSchema,
  $id: 'RegisteredUser',
  required: [...userSchema.required, 'recoveryCodes', 'emailToConfirm'],
  properties: {
    ...userSchema.properties,
    recoveryCodes: recoveryCodesSchema,
    emailToConfirm: { ...maybeText, description: 'The address that a link to confirm it is mailed to' },
  },
} as const;
export type RegisteredUser = FromSchema<typeof registeredUserSchema>;

export const loginSchema = {
  $id: 'Login',
  type: 'object',
  required: ['username', 'password'],
  additionalProperties: false,
  properties: {
    username: { type: 'string', minLength: 1, maxLength: 254 },
    password: { type: 'string', minLength: 1, maxLength: limits.passwordMax },
    mailCode: { type: 'boolean', description: 'Mail a code, if a second step is needed' },
    code: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description: 'The second step: the mailed code of six digits, or a recovery code, which is used up',
    },
  },
} as const;
export type Login = FromSchema<typeof loginSchema>;

export const registrationSchema = {
  $id: 'Registration',
  type: 'object',
  required: ['username', 'password'],
  additionalProperties: false,
  properties: {
    username: {
      type: 'string',
      minLength: limits.usernameMin,
      maxLength: limits.usernameMax,
      pattern: '^[A-Za-z0-9_.-]+$',
    },
    password: { type: 'string', minLength: limits.passwordMin, maxLength: limits.passwordMax },
    email: {
      anyOf: [emailAddress, { type: 'string', maxLength: 0 }],
    },
    firstName: { type: 'string', maxLength: limits.personName },
    lastName: { type: 'string', maxLength: limits.personName },
  },
} as const;
export type Registration = FromSchema<typeof registrationSchema>;

/** Profile fields that a member may change; omitted ones stay. */
export const userChangeSchema = {
  $id: 'UserChange',
  type: 'object',
  additionalProperties: false,
  properties: {
    firstName: { anyOf: [{ type: 'string', maxLength: limits.personName }, { type: 'null' }] },
    lastName: { anyOf: [{ type: 'string', maxLength: limits.personName }, { type: 'null' }] },
    profileImageUrl: { type: 'null', description: 'Removes the picture; a new one is uploaded' },
  },
} as const;
export type UserChange = FromSchema<typeof userChangeSchema>;

export const passwordChangeSchema = {
  $id: 'PasswordChange',
  type: 'object',
  required: ['currentPassword', 'newPassword'],
  additionalProperties: false,
  properties: {
    currentPassword: { type: 'string', minLength: 1, maxLength: limits.passwordMax },
    newPassword: { type: 'string', minLength: limits.passwordMin, maxLength: limits.passwordMax },
  },
} as const;
export type PasswordChange = FromSchema<typeof passwordChangeSchema>;

/** Deleting an account requires the password and the typed username. */
export const userDeletionSchema = {
  $id: 'UserDeletion',
  type: 'object',
  required: ['password', 'username'],
  additionalProperties: false,
  properties: {
    password: { type: 'string', minLength: 1, maxLength: limits.passwordMax },
    username: { type: 'string', minLength: 1, maxLength: limits.usernameMax },
  },
} as const;
export type UserDeletion = FromSchema<typeof userDeletionSchema>;

/** A badge that its owner has not been notified of yet. */
export const newBadgeSchema = {
  $id: 'NewBadge',
  type: 'object',
  required: ['key', 'earnedAt'],
  additionalProperties: false,
  properties: { key: { type: 'string', enum: badgeKeys }, earnedAt: moment },
} as const;
export type NewBadge = FromSchema<typeof newBadgeSchema>;

/** The figures of the progress box in the navigation, and badges to announce, oldest first. */
export const userSummarySchema = {
  $id: 'UserSummary',
  type: 'object',
  required: ['badges', 'polls', 'activities', 'newBadges', 'unreadNotifications'],
  additionalProperties: false,
  properties: {
    badges: count,
    polls: count,
    activities: count,
    newBadges: { type: 'array', items: newBadgeSchema, maxItems: limits.badges },
    unreadNotifications: { ...count, maximum: limits.notificationsShown },
  },
} as const;
export type UserSummary = FromSchema<typeof userSummarySchema>;

/** Signing in and out, and managing an account. */
export const accountEndpoints = {
  user: {
    ...routes.user,
    summary: 'The signed-in user; 401 when signed out',
    status: 200,
    response: userSchema,
    errors: ['UNAUTHENTICATED'],
  },
  login: {
    ...routes.login,
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
    ...routes.loginPage,
    summary: 'Leads to the page where people sign in; `next`, a path of this site, is kept',
    status: 302,
    errors: [],
  },
  register: {
    ...routes.register,
    summary: 'Create an account and sign in',
    body: registrationSchema,
    status: 201,
    response: registeredUserSchema,
    errors: ['USERNAME_TAKEN', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  logout: {
    ...routes.logout,
    summary: 'Destroy the session',
    status: 204,
    errors: [],
  },
  updateUser: {
    ...routes.updateUser,
    signedIn: true,
    summary: 'Change the name, or remove the picture',
    body: userChangeSchema,
    status: 200,
    response: userSchema,
    errors: ['UNAUTHENTICATED', 'VALIDATION_FAILED'],
  },
  uploadPicture: {
    ...routes.uploadPicture,
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
    ...routes.picture,
    summary: 'The picture of a member, by the hash of its content',
    params: {
      type: 'object',
      required: ['hash'],
      additionalProperties: false,
      properties: { hash: { type: 'string', pattern: '^[\\w-]{43}$' } },
    },
    status: 200,
    responseType: 'image/webp',
    errors: ['NOT_FOUND'],
  },
  changePassword: {
    ...routes.changePassword,
    signedIn: true,
    summary: 'Change the password; every other session of the account ends',
    body: passwordChangeSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  userSummary: {
    ...routes.userSummary,
    signedIn: true,
    summary: 'Figures of the progress box, and badges the user has not been notified about yet',
    status: 200,
    response: userSummarySchema,
    errors: ['UNAUTHENTICATED'],
  },
  deleteUser: {
    ...routes.deleteUser,
    signedIn: true,
    summary: 'Delete the account: its polls are closed, its comments are deleted, and its votes still count',
    body: userDeletionSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'CONFLICT', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
} as const satisfies Record<string, Endpoint>;
