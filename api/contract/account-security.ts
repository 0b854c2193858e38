import type { FromSchema } from 'json-schema-to-ts';
import { recoveryCodesSchema, userSchema } from './account.ts';
import * as limits from './limits.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, emailAddress, maybeMoment, maybeText, moment } from './scalars.ts';

const typedPassword = { type: 'string', minLength: 1, maxLength: limits.passwordMax } as const;

/** The password, confirmed before a security setting changes. */
export const passwordConfirmationSchema = {
  $id: 'PasswordConfirmation',
  type: 'object',
  required: ['password'],
  additionalProperties: false,
  properties: { password: typedPassword },
} as const;
export type PasswordConfirmation = FromSchema<typeof passwordConfirmationSchema>;

/** A new password for an account, with one of its recovery codes; spaces, dashes, and letter case of the code don’t matter. */
export const recoverySchema = {
  $id: 'Recovery',
  type: 'object',
  required: ['username', 'code', 'newPassword'],
  additionalProperties: false,
  properties: {
    username: { type: 'string', minLength: 1, maxLength: 254 },
    code: { type: 'string', minLength: 1, maxLength: 100 },
    newPassword: { type: 'string', minLength: limits.passwordMin, maxLength: limits.passwordMax },
  },
} as const;
export type Recovery = FromSchema<typeof recoverySchema>;

/** A new password for the account of a reset link. */
export const passwordResetSchema = {
  $id: 'PasswordReset',
  type: 'object',
  required: ['token', 'newPassword'],
  additionalProperties: false,
  properties: {
    token: { type: 'string', minLength: 1, maxLength: 100 },
    newPassword: { type: 'string', minLength: limits.passwordMin, maxLength: limits.passwordMax },
  },
} as const;
export type PasswordReset = FromSchema<typeof passwordResetSchema>;

/** Asks for a mail with a link to set a new password. */
export const resetRequestSchema = {
  $id: 'ResetRequest',
  type: 'object',
  required: ['username'],
  additionalProperties: false,
  properties: { username: { type: 'string', minLength: 1, maxLength: 254 } },
} as const;
export type ResetRequest = FromSchema<typeof resetRequestSchema>;

/** An email address for the account, which counts once its owner has confirmed it. */
export const emailChangeSchema = {
  $id: 'EmailChange',
  type: 'object',
  required: ['password', 'email'],
  additionalProperties: false,
  properties: { password: typedPassword, email: emailAddress },
} as const;
export type EmailChange = FromSchema<typeof emailChangeSchema>;

/** A session of a member; the id is not the secret in the cookie. */
export const sessionSummarySchema = {
  $id: 'SessionSummary',
  type: 'object',
  required: ['id', 'device', 'createdAt', 'lastUsedAt', 'current'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    device: { ...maybeText, description: 'Browser and system, such as “Firefox on Windows”' },
    createdAt: moment,
    lastUsedAt: { ...moment, description: 'Accurate to a day' },
    current: { type: 'boolean', description: 'The session of this request' },
  },
} as const;
export type SessionSummary = FromSchema<typeof sessionSummarySchema>;

/** Ends one session or, without an id, all but the current one. */
export const sessionEndSchema = {
  $id: 'SessionEnd',
  type: 'object',
  required: ['password'],
  additionalProperties: false,
  properties: { password: typedPassword, id: { type: 'string', minLength: 1, maxLength: 100 } },
} as const;
export type SessionEnd = FromSchema<typeof sessionEndSchema>;

/** A sign-in with the member’s password that waits for a second step. */
export const waitingSignInSchema = {
  $id: 'WaitingSignIn',
  type: 'object',
  required: ['id', 'device', 'waitsUntil'],
  additionalProperties: false,
  properties: {
    id: { type: 'string' },
    device: { ...maybeText, description: 'Browser and system' },
    waitsUntil: { ...moment, description: 'From then on, the password opens the account there' },
  },
} as const;
export type WaitingSignIn = FromSchema<typeof waitingSignInSchema>;

/** Whether a sign-in that waits is the member’s own. */
const signInAnswerSchema = {
  $id: 'SignInAnswer',
  type: 'object',
  required: ['id', 'isMe'],
  additionalProperties: false,
  properties: { id: { type: 'string', minLength: 1, maxLength: 100 }, isMe: { type: 'boolean' } },
} as const;

/** A passkey of a member. */
export const passkeySummarySchema = {
  $id: 'PasskeySummary',
  type: 'object',
  required: ['id', 'name', 'createdAt', 'lastUsedAt'],
  additionalProperties: false,
  properties: { id: { type: 'string' }, name: { type: 'string' }, createdAt: moment, lastUsedAt: maybeMoment },
} as const;
export type PasskeySummary = FromSchema<typeof passkeySummarySchema>;

/** Security settings of an account, for its owner. */
const accountSecuritySchema = {
  $id: 'AccountSecurity',
  type: 'object',
  required: ['email', 'passkeys', 'recoveryCodes', 'sessions', 'signIns'],
  additionalProperties: false,
  properties: {
    email: {
      type: 'object',
      required: ['confirmed', 'pending', 'sendsMail'],
      additionalProperties: false,
      properties: {
        confirmed: { type: 'boolean' },
        pending: { ...maybeText, description: 'The address that waits for its owner to open the link mailed to it' },
        sendsMail: { type: 'boolean', description: 'Whether this site sends mail' },
      },
    },
    passkeys: { type: 'array', items: passkeySummarySchema, description: 'Oldest first' },
    recoveryCodes: { ...count, description: 'Recovery codes that have not been used' },
    sessions: { type: 'array', items: sessionSummarySchema, description: 'Last used first' },
    signIns: { type: 'array', items: waitingSignInSchema, description: 'That wait for a second step, newest first' },
  },
} as const;
export type AccountSecurity = FromSchema<typeof accountSecuritySchema>;

/** Account security and recovery. */
export const accountSecurityEndpoints = {
  accountSecurity: {
    ...routes.accountSecurity,
    signedIn: true,
    summary: 'Security settings of the account',
    status: 200,
    response: accountSecuritySchema,
    errors: ['UNAUTHENTICATED'],
  },
  endSessions: {
    ...routes.endSessions,
    signedIn: true,
    summary: 'End one session of the account or, without an id, all but this one',
    body: sessionEndSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  answerSignIn: {
    ...routes.answerSignIn,
    signedIn: true,
    summary: 'Let a sign-in with the member’s password in that waits for a second step, or refuse it',
    body: signInAnswerSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  createRecoveryCodes: {
    ...routes.createRecoveryCodes,
    signedIn: true,
    summary: 'Create new recovery codes, which replace all earlier ones; they are not shown again',
    body: passwordConfirmationSchema,
    status: 201,
    response: {
      type: 'object',
      required: ['recoveryCodes'],
      additionalProperties: false,
      properties: { recoveryCodes: recoveryCodesSchema },
    },
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  requestPasswordReset: {
    ...routes.requestPasswordReset,
    summary: 'Mail a link to set a new password; the response doesn’t tell whether there is such an account',
    body: resetRequestSchema,
    status: 204,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  },
  changeEmail: {
    ...routes.changeEmail,
    signedIn: true,
    summary: 'Mail a link to an address, which becomes the account’s once the link is opened',
    body: emailChangeSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'NOT_FOUND', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  removeEmail: {
    ...routes.removeEmail,
    signedIn: true,
    summary: 'Remove the account’s email address, and one that is not confirmed yet',
    body: passwordConfirmationSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  confirmEmail: {
    ...routes.confirmEmail,
    summary: 'Confirm an email address with the secret of a mailed link',
    body: {
      type: 'object',
      required: ['token'],
      additionalProperties: false,
      properties: { token: { type: 'string', minLength: 1, maxLength: 100 } },
    },
    status: 200,
    response: {
      type: 'object',
      required: ['email'],
      additionalProperties: false,
      properties: { email: { type: 'string' } },
    },
    errors: ['INVALID_EMAIL_LINK', 'EMAIL_TAKEN', 'VALIDATION_FAILED'],
  },
  recover: {
    ...routes.recover,
    summary: 'Set a new password with a recovery code, and sign in; every other session of the account ends',
    body: recoverySchema,
    status: 200,
    response: userSchema,
    errors: ['INVALID_RECOVERY_CODE', 'CONFLICT', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  resetPassword: {
    ...routes.resetPassword,
    summary: 'Set a new password with a reset link, and sign in; every other session of the account ends',
    body: passwordResetSchema,
    status: 200,
    response: userSchema,
    errors: ['INVALID_RESET_LINK', 'CONFLICT', 'VALIDATION_FAILED', 'OVERLOADED'],
  },
} as const satisfies Record<string, Endpoint>;
