import { Type } from 'typebox';
import * as limits from '#contract/limits.ts';
import { del, patch, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { closed, named } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import { passkeySummarySchema, passwordConfirmationSchema } from './account-security.contract.ts';
import { userSchema } from './accounts.contract.ts';

const base64url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' });
const credentialId = base64url(1_400);
const name = Type.String({ maxLength: limits.passkeyName, pattern: '^[^\\s\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*$' });
const params = closed({ id: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) });

/** What a browser needs to create a passkey. */
export const passkeyCreationSchema = named('PasskeyCreation', {
  challenge: Type.String(),
  rpId: Type.String(),
  rpName: Type.String(),
  userId: Type.String({ description: 'The user handle, base64url' }),
  exclude: Type.Array(Type.String(), { description: 'Credential IDs of the account' }),
});
export type PasskeyCreation = Static<typeof passkeyCreationSchema>;

/** A passkey that a browser has created. */
export const newPasskeySchema = named('NewPasskey', {
  name,
  credentialId,
  clientDataJSON: base64url(4_000),
  attestationObject: base64url(10_000),
});
export type NewPasskey = Static<typeof newPasskeySchema>;

/** A challenge that was signed with a passkey. */
export const passkeyLoginSchema = named('PasskeyLogin', {
  credentialId,
  clientDataJSON: base64url(4_000),
  authenticatorData: base64url(4_000),
  signature: base64url(2_000),
  userHandle: base64url(100),
});
export type PasskeyLogin = Static<typeof passkeyLoginSchema>;

/** For operators whose passkeys open the admin pages. */
const unconfirmed = ['CONFIRMATION_REQUIRED'] as const;

/** Signing in with passkeys, and managing them. */
export const passkeyEndpoints = {
  passkeyCreation: {
    ...post('/api/user/passkeys/creation'),
    signedIn: true,
    summary: 'Begin to add a passkey: a challenge for this session, to be used once within five minutes',
    body: passwordConfirmationSchema,
    status: 200,
    response: passkeyCreationSchema,
    errors: [
      ...unconfirmed,
      'UNAUTHENTICATED',
      'WRONG_PASSWORD',
      'CONFLICT',
      'VALIDATION_FAILED',
      'RATE_LIMITED',
      'OVERLOADED',
    ],
  },
  addPasskey: {
    ...post('/api/user/passkeys'),
    signedIn: true,
    summary: 'Add a passkey that the browser has created for the challenge',
    body: newPasskeySchema,
    status: 201,
    response: passkeySummarySchema,
    errors: [...unconfirmed, 'UNAUTHENTICATED', 'INVALID_PASSKEY', 'CONFLICT', 'VALIDATION_FAILED'],
  },
  renamePasskey: {
    ...patch('/api/user/passkeys/:id'),
    signedIn: true,
    summary: 'Rename a passkey',
    params,
    body: closed({ name }),
    status: 204,
    errors: ['UNAUTHENTICATED', 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  removePasskey: {
    ...del('/api/user/passkeys/:id'),
    signedIn: true,
    summary: 'Remove a passkey; the password keeps working',
    params,
    body: passwordConfirmationSchema,
    status: 204,
    errors: [
      ...unconfirmed,
      'UNAUTHENTICATED',
      'WRONG_PASSWORD',
      'NOT_FOUND',
      'VALIDATION_FAILED',
      'RATE_LIMITED',
      'OVERLOADED',
    ],
  },
  passkeyChallenge: {
    ...post('/api/login/passkey/challenge'),
    summary: 'Begin to sign in with a passkey: a challenge for this browser, to be used once within five minutes',
    status: 200,
    response: closed({ challenge: Type.String(), rpId: Type.String() }),
    errors: ['RATE_LIMITED'],
  },
  loginWithPasskey: {
    ...post('/api/login/passkey'),
    device: 'optional',
    summary: 'Sign in with a passkey; the session id changes',
    body: passkeyLoginSchema,
    status: 200,
    response: userSchema,
    errors: ['INVALID_PASSKEY', 'UNKNOWN_PASSKEY', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  },
} as const satisfies Record<string, Endpoint>;
