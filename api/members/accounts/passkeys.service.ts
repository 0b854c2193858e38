import * as limits from '#contract/limits.ts';
import type { PasskeySummary } from './account-security.contract.ts';
import type { NewPasskey, PasskeyCreation, PasskeyLogin } from './passkeys.contract.ts';
import { missingConfirmation } from '#domain/operator-access.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { isUniqueViolation } from '#platform/database.ts';
import type { Database, Row } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { hashSecret } from '#platform/hash-secret.ts';
import { accountsApiTexts } from '#texts/errors.ts';
import { record } from '#api/events/record.service.ts';
import type { Actor } from '#api/events/events.ts';
import { claimVotes } from '#api/voting/voting.service.ts';
import { confirmPassword, rememberOrigin, signInOf } from './accounts.service.ts';
import type { AccountsContext, SignIn, SignInOrigin } from './accounts.service.ts';
import { notifyByMail } from './email-changes.service.ts';
import { findOperator, operatorsAmong } from './operator-accounts.service.ts';
import { newChallenge, takeChallenge } from './passkey-challenges.service.ts';
import { confirmSession } from './session-store.service.ts';
import { UserModel } from './user.model.ts';

/** It takes 15 MB: loaded when the first passkey is used. */
const webauthn = () => import('@simplewebauthn/server');

/** EdDSA, ES256, and RS256: what all authenticators support. */
const supportedAlgorithmIDs = [-8, -7, -257];

export interface PasskeysContext extends AccountsContext {
  readonly config: Pick<Config, 'publicUrl' | 'siteName'>;
}

/** A row of `passkeys`. Times in milliseconds. */
type PasskeyRow = Row<'passkeys'>;

/** What an authenticator’s signature must be about. */
const expectations = (publicUrl: string) => ({
  expectedOrigin: new URL(publicUrl).origin,
  expectedRPID: new URL(publicUrl).hostname,
  requireUserVerification: true,
});

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
const textOf = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');

/** The passkeys of a member, oldest first. */
export async function passkeysOf(db: Database, userId: string): Promise<PasskeySummary[]> {
  return (await rowsOf(db, userId)).map(summaryOf);
}

const rowsOf = (db: Database, userId: string) =>
  db('passkeys').where({ user_id: userId }).orderBy(['created_at', 'id']).select();

const summaryOf = ({ id, name, created_at, last_used_at }: PasskeyRow): PasskeySummary => ({
  ...{ id, name, createdAt: iso(created_at), lastUsedAt: isoOrNull(last_used_at) },
});

/**
 * Throws CONFIRMATION_REQUIRED when the passkeys of the session’s member open the admin pages, and the session gave none of them:
 * otherwise whoever knows the password could add one, or remove all, and so open the admin pages.
 */
async function refuseUnconfirmedOperator(
  db: Database,
  ids: { readonly userId: string; readonly sessionId: string },
  now: number,
): Promise<void> {
  const operator = await findOperator(db, ids);
  // An operator whose session has ended.
  if (operator === undefined && (await operatorsAmong(db, [ids.userId])).size > 0) throw errors.unauthenticated();
  if (operator !== undefined && missingConfirmation(operator, false, now) === 'passkey')
    throw errors.confirmationRequired('passkey', accountsApiTexts.operatorPasskeys);
}

/**
 * What a member’s browser needs to create a passkey; the challenge belongs to the session. Throws WRONG_PASSWORD, CONFLICT for
 * too many passkeys, CONFIRMATION_REQUIRED for operators, RATE_LIMITED, OVERLOADED.
 */
export async function beginPasskey(
  context: PasskeysContext,
  userId: string,
  { password, session }: { readonly password: string; readonly session: string },
): Promise<PasskeyCreation> {
  const { db, config } = context;
  await confirmPassword(context, userId, password);
  await refuseUnconfirmedOperator(db, { userId, sessionId: session }, context.clock.now());
  const existing = await rowsOf(db, userId);
  if (existing.length >= limits.passkeys) throw errors.conflict(accountsApiTexts.tooManyPasskeys);
  return {
    challenge: await newChallenge(context, session),
    rpId: new URL(config.publicUrl).hostname,
    rpName: config.siteName,
    userId: textOf(userId),
    exclude: existing.map(({ credential_id }) => credential_id),
  };
}

/**
 * Adds a passkey that was created for the session’s challenge. Throws INVALID_PASSKEY, CONFLICT for too many passkeys,
 * CONFIRMATION_REQUIRED for operators, UNAUTHENTICATED.
 */
export async function addPasskey(
  context: Pick<PasskeysContext, 'db' | 'clock' | 'config' | 'mail'>,
  userId: string,
  { session, passkey }: { readonly session: string; readonly passkey: NewPasskey },
): Promise<PasskeySummary> {
  const { db, clock, config, mail } = context;
  const { name, credentialId: id, clientDataJSON, attestationObject } = passkey;
  const expectedChallenge = await takeChallenge(context, session);
  if (expectedChallenge === null) throw errors.invalidPasskey(400);
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
      response: { clientDataJSON, attestationObject },
    },
    ...{ expectedChallenge, supportedAlgorithmIDs },
    ...expectations(config.publicUrl),
    // The library throws plain errors about what is wrong with a response.
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) throw errors.invalidPasskey(400);
  const { credential } = registrationInfo;
  const row: PasskeyRow = {
    id: hashSecret(credential.id),
    user_id: userId,
    name,
    credential_id: credential.id,
    public_key: textOf(credential.publicKey),
    counter: credential.counter,
    created_at: clock.now(),
    last_used_at: null,
  };
  try {
    await db.transaction(async (trx) => {
      const user = await UserModel.query(trx).findById(userId).forUpdate();
      // The session may have been ended while the body was read.
      if (!user || !(await trx('sessions').where({ sid: session, user_id: userId }).first('sid')))
        throw errors.unauthenticated();
      await refuseUnconfirmedOperator(trx, { userId, sessionId: session }, clock.now());
      if ((await rowsOf(trx, userId)).length >= limits.passkeys)
        throw errors.conflict(accountsApiTexts.tooManyPasskeys);
      await trx('passkeys').insert(row);
      await notifyByMail(trx, mail, user, 'passkey-added');
    });
  } catch (error) {
    // The same credential again.
    if (isUniqueViolation(error)) throw errors.invalidPasskey(400);
    throw error;
  }
  return summaryOf(row);
}

/** Renames a passkey of a member. Throws NOT_FOUND. */
export async function renamePasskey(db: Database, userId: string, id: string, name: string): Promise<void> {
  if ((await db('passkeys').where({ id, user_id: userId }).update({ name })) === 0) throw errors.notFound();
}

/** Removes a passkey of a member. Throws WRONG_PASSWORD, NOT_FOUND, CONFIRMATION_REQUIRED for operators, RATE_LIMITED, OVERLOADED. */
export async function removePasskey(
  context: PasskeysContext,
  userId: string,
  { id, password, session }: { readonly id: string; readonly password: string; readonly session: string },
): Promise<void> {
  const { db, clock, mail } = context;
  const user = await confirmPassword(context, userId, password);
  await db.transaction(async (trx) => {
    // Nobody becomes an operator meanwhile.
    await UserModel.query(trx).findById(userId).forUpdate();
    await refuseUnconfirmedOperator(trx, { userId, sessionId: session }, clock.now());
    if ((await trx('passkeys').where({ id, user_id: userId }).del()) === 0) throw errors.notFound();
    await notifyByMail(trx, mail, user, 'passkey-removed');
  });
}

/** Removes all passkeys of a member who lost them, for whoever has the server. Throws NOT_FOUND. */
export async function removeAllPasskeys(
  { db, clock, mail }: Pick<PasskeysContext, 'db' | 'clock' | 'mail'>,
  userId: string,
  actor: Actor,
): Promise<void> {
  await db.transaction(async (trx) => {
    const user = await UserModel.query(trx).findById(userId).forUpdate();
    if (!user) throw errors.noSuchMember();
    if ((await trx('passkeys').where({ user_id: userId }).del()) === 0) return;
    await notifyByMail(trx, mail, user, 'passkey-removed');
    const subject = { kind: 'member', id: userId };
    await record(trx, { at: clock.now(), actor, type: 'member.remove-passkeys', subject });
  });
}

/** A challenge for a browser that wants to sign in; `browser` is the secret of its cookie. */
export async function beginPasskeyLogin(
  context: PasskeysContext,
  browser: string,
): Promise<{ challenge: string; rpId: string }> {
  return { challenge: await newChallenge(context, browser), rpId: new URL(context.config.publicUrl).hostname };
}

/** A signed challenge, and the secret of the cookie of the browser that asked for it. */
interface SignedChallenge {
  readonly browser: string;
  readonly login: PasskeyLogin;
}

/** Signs in with a passkey that signed the browser’s challenge. Throws INVALID_PASSKEY, UNKNOWN_PASSKEY. */
export async function loginWithPasskey(
  context: PasskeysContext,
  signed: SignedChallenge,
  origin: SignInOrigin,
): Promise<SignIn> {
  const { db } = context;
  const user = await usePasskey(context, signed);
  await rememberOrigin(context, user.id, origin);
  await claimVotes(db, user.id, origin.voter);
  const signIn = signInOf(user, context.clock.now());
  return { ...signIn, session: { ...signIn.session, signedInWith: 'passkey' } };
}

/**
 * Records that the member of a session gave the password or one of the member’s passkeys again. Throws WRONG_PASSWORD,
 * INVALID_PASSKEY, UNKNOWN_PASSKEY, RATE_LIMITED, OVERLOADED.
 */
export async function confirmMember(
  context: PasskeysContext,
  { userId, sid }: { readonly userId: string; readonly sid: string },
  { password = '', signed }: { readonly password?: string | undefined; readonly signed: SignedChallenge | null },
): Promise<void> {
  if (signed === null) await confirmPassword(context, userId, password);
  else if ((await usePasskey(context, signed)).id !== userId) throw errors.invalidPasskey(400);
  const by = signed === null ? 'password_at' : 'passkey_at';
  await confirmSession(context.db, { sid, by, now: context.clock.now() });
}

/** The account of the passkey that signed the browser’s challenge; its counter is stored. Throws INVALID_PASSKEY, UNKNOWN_PASSKEY. */
async function usePasskey(context: PasskeysContext, { browser, login }: SignedChallenge): Promise<UserModel> {
  const { db, clock, config } = context;
  const { credentialId: id, userHandle, ...response } = login;
  const expectedChallenge = await takeChallenge(context, browser);
  if (expectedChallenge === null) throw errors.invalidPasskey(401);
  const passkey = await db('passkeys')
    .where({ id: hashSecret(id) })
    .first();
  // Its account was deleted, or it was removed; the device still has it.
  if (!passkey) throw errors.unknownPasskey();
  if (textOf(passkey.user_id) !== userHandle) throw errors.invalidPasskey(401);
  const { verifyAuthenticationResponse } = await webauthn();
  const { authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
      response: { ...response, userHandle },
    },
    credential: {
      id: passkey.credential_id,
      publicKey: bytesOf(passkey.public_key),
      counter: passkey.counter,
    },
    expectedChallenge,
    ...expectations(config.publicUrl),
    // The library throws plain errors, also for a counter that was not raised: a copied authenticator.
  }).catch(() => ({ authenticationInfo: undefined }));
  if (!authenticationInfo) throw errors.invalidPasskey(401);
  // Before the update: a new password deletes the passkeys, so the session belongs to the password that was read.
  const user = await UserModel.query(db).findById(passkey.user_id);
  const used = await db('passkeys')
    .where({ id: passkey.id, counter: passkey.counter })
    .update({ counter: authenticationInfo.newCounter, last_used_at: clock.now() });
  // Removed meanwhile, or used with the same counter at the same time.
  if (used === 0 || !user) throw errors.invalidPasskey(401);
  return user;
}
