import { Type } from 'typebox';
import * as limits from '#contract/limits.ts';
import { del, get, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { closed, count, described, emailAddress, maybeMoment, maybeText, moment, named } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { recoveryCodesSchema, userSchema } from './accounts.contract.ts';

const typedPassword = Type.String({ minLength: 1, maxLength: limits.passwordMax });

/** The password, confirmed before a security setting changes. */
export const passwordConfirmationSchema = named('PasswordConfirmation', { password: typedPassword });
export type PasswordConfirmation = Static<typeof passwordConfirmationSchema>;

/** A new password for an account, with one of its recovery codes; spaces, dashes, and letter case of the code don’t matter. */
export const recoverySchema = named('Recovery', {
  username: Type.String({ minLength: 1, maxLength: 254 }),
  code: Type.String({ minLength: 1, maxLength: 100 }),
  newPassword: Type.String({ minLength: limits.passwordMin, maxLength: limits.passwordMax }),
});
export type Recovery = Static<typeof recoverySchema>;

/** A new password for the account of a reset link. */
export const passwordResetSchema = named('PasswordReset', {
  token: Type.String({ minLength: 1, maxLength: 100 }),
  newPassword: Type.String({ minLength: limits.passwordMin, maxLength: limits.passwordMax }),
});
export type PasswordReset = Static<typeof passwordResetSchema>;

/** Asks for a mail with a link to set a new password. */
export const resetRequestSchema = named('ResetRequest', { username: Type.String({ minLength: 1, maxLength: 254 }) });
export type ResetRequest = Static<typeof resetRequestSchema>;

/** An email address for the account, which counts once its owner has confirmed it. */
export const emailChangeSchema = named('EmailChange', { password: typedPassword, email: emailAddress });
export type EmailChange = Static<typeof emailChangeSchema>;

/** A session of a member; the id is not the secret in the cookie. */
export const sessionSummarySchema = named('SessionSummary', {
  id: Type.String(),
  device: described(maybeText, 'Browser and system, such as “Firefox on Windows”'),
  createdAt: moment,
  lastUsedAt: described(moment, 'Accurate to a day'),
  current: Type.Boolean({ description: 'The session of this request' }),
});
export type SessionSummary = Static<typeof sessionSummarySchema>;

/** Ends one session or, without an id, all but the current one. */
export const sessionEndSchema = named('SessionEnd', {
  password: typedPassword,
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});
export type SessionEnd = Static<typeof sessionEndSchema>;

/** A sign-in with the member’s password that waits for a second step. */
export const waitingSignInSchema = named('WaitingSignIn', {
  id: Type.String(),
  device: described(maybeText, 'Browser and system'),
  waitsUntil: described(moment, 'From then on, the password opens the account there'),
});
export type WaitingSignIn = Static<typeof waitingSignInSchema>;

/** Whether a sign-in that waits is the member’s own. */
const signInAnswerSchema = named('SignInAnswer', {
  id: Type.String({ minLength: 1, maxLength: 100 }),
  isMe: Type.Boolean(),
});

/** A passkey of a member. */
export const passkeySummarySchema = named('PasskeySummary', {
  id: Type.String(),
  name: Type.String(),
  createdAt: moment,
  lastUsedAt: maybeMoment,
});
export type PasskeySummary = Static<typeof passkeySummarySchema>;

/** Security settings of an account, for its owner. */
const accountSecuritySchema = named('AccountSecurity', {
  email: closed({
    confirmed: Type.Boolean(),
    pending: described(maybeText, 'The address that waits for its owner to open the link mailed to it'),
    sendsMail: Type.Boolean({ description: 'Whether this site sends mail' }),
  }),
  passkeys: Type.Array(passkeySummarySchema, { description: 'Oldest first' }),
  recoveryCodes: described(count, 'Recovery codes that have not been used'),
  sessions: Type.Array(sessionSummarySchema, { description: 'Last used first' }),
  signIns: Type.Array(waitingSignInSchema, { description: 'That wait for a second step, newest first' }),
});
export type AccountSecurity = Static<typeof accountSecuritySchema>;

/** Account security and recovery. */
export const accountSecurityEndpoints = {
  accountSecurity: {
    ...get('/api/user/security'),
    signedIn: true,
    summary: 'Security settings of the account',
    status: 200,
    response: accountSecuritySchema,
    errors: ['UNAUTHENTICATED'],
  },
  endSessions: {
    ...post('/api/user/sessions/end'),
    signedIn: true,
    summary: 'End one session of the account or, without an id, all but this one',
    body: sessionEndSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  answerSignIn: {
    ...post('/api/user/sign-ins'),
    signedIn: true,
    summary: 'Let a sign-in with the member’s password in that waits for a second step, or refuse it',
    body: signInAnswerSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  createRecoveryCodes: {
    ...post('/api/user/recovery-codes'),
    signedIn: true,
    summary: 'Create new recovery codes, which replace all earlier ones; they are not shown again',
    body: passwordConfirmationSchema,
    status: 201,
    response: closed({ recoveryCodes: recoveryCodesSchema }),
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  requestPasswordReset: {
    ...post('/api/request-password-reset'),
    summary: 'Mail a link to set a new password; the response doesn’t tell whether there is such an account',
    body: resetRequestSchema,
    status: 204,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  },
  changeEmail: {
    ...post('/api/user/email'),
    signedIn: true,
    summary: 'Mail a link to an address, which becomes the account’s once the link is opened',
    body: emailChangeSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'NOT_FOUND', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  removeEmail: {
    ...del('/api/user/email'),
    signedIn: true,
    summary: 'Remove the account’s email address, and one that is not confirmed yet',
    body: passwordConfirmationSchema,
    status: 204,
    errors: ['UNAUTHENTICATED', 'WRONG_PASSWORD', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  confirmEmail: {
    ...post('/api/confirm-email'),
    summary: 'Confirm an email address with the secret of a mailed link',
    body: closed({ token: Type.String({ minLength: 1, maxLength: 100 }) }),
    status: 200,
    response: closed({ email: Type.String() }),
    errors: ['INVALID_EMAIL_LINK', 'EMAIL_TAKEN', 'VALIDATION_FAILED'],
  },
  recover: {
    ...post('/api/recover'),
    device: 'optional',
    summary: 'Set a new password with a recovery code, and sign in; every other session of the account ends',
    body: recoverySchema,
    status: 200,
    response: userSchema,
    errors: ['INVALID_RECOVERY_CODE', 'CONFLICT', 'VALIDATION_FAILED', 'RATE_LIMITED', 'OVERLOADED'],
  },
  resetPassword: {
    ...post('/api/reset-password'),
    device: 'optional',
    summary: 'Set a new password with a reset link, and sign in; every other session of the account ends',
    body: passwordResetSchema,
    status: 200,
    response: userSchema,
    errors: ['INVALID_RESET_LINK', 'CONFLICT', 'VALIDATION_FAILED', 'OVERLOADED'],
  },
} as const satisfies Record<string, Endpoint>;
