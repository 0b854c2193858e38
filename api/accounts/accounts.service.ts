import { randomBytes } from 'node:crypto';
import { UniqueViolationError } from 'objection';
import type { Login, Registration, User } from '#contract/account.ts';
import { accountFindings, accountKey, tidyName } from '#domain/account-rules.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import type { SessionData } from '#platform/session.ts';
import type { Voter } from '#platform/voter.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import { claimVotes } from '#api/voting/voting.service.ts';
import type { Passwords } from './passwords.service.ts';
import { passwordStamp } from './session-store.service.ts';
import type { UserModel } from './user.model.ts';
import { presentUser } from './user.presenter.ts';
import { findUserByKey, insertUser, takenKey } from './users.queries.ts';

/** What the use cases of accounts are built over. */
export interface AccountsContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly passwords: Passwords;
}

/** Somebody whose password was right or is new: the account, and what the session is opened with. */
export interface SignIn {
  readonly user: User;
  readonly session: SessionData;
}

/**
 * Makes an account; what this voter voted before is its from now on. Throws VALIDATION_FAILED, USERNAME_TAKEN,
 * EMAIL_TAKEN.
 */
export async function register(
  { db, clock, passwords }: AccountsContext,
  input: Registration,
  voter: Voter | null,
): Promise<SignIn> {
  const findings = accountFindings(input);
  if (findings.length > 0) throw errors.validationFailed(fieldErrors(findings));
  const email = tidyName(input.email);
  const keys = { username_key: accountKey(input.username), email_key: email === null ? null : accountKey(email) };
  const password = await passwords.hash(input.password, async () => {
    const taken = await takenKey(db, keys);
    if (taken !== null) throw takenError(taken);
  });

  const now = clock.now();
  try {
    return await db.transaction(async (trx) => {
      const user = await insertUser(trx, {
        id: randomBytes(12).toString('base64url'),
        username: input.username,
        email,
        ...keys,
        password,
        first_name: tidyName(input.firstName),
        last_name: tidyName(input.lastName),
        created_at: now,
      });
      await claimVotes(trx, user.id, voter);
      return signInOf(user);
    });
  } catch (error) {
    // Somebody else took the name while this password was hashed.
    if (error instanceof UniqueViolationError)
      throw takenError(
        `${error.constraint} ${error.columns?.join()}`.includes('email_key') ? 'email_key' : 'username_key',
      );
    throw error;
  }
}

/** The account behind a username (or an email address) and its password; throws INVALID_CREDENTIALS in equal time. */
export async function login(
  { db, passwords }: AccountsContext,
  { username, password }: Login,
  voter: Voter | null,
): Promise<SignIn> {
  const user = await findUserByKey(db, accountKey(username));
  const right = await passwords.matches(password, user?.password ?? null);
  if (!user || !right) throw errors.invalidCredentials();
  await claimVotes(db, user.id, voter);
  return signInOf(user);
}

const signInOf = (user: UserModel): SignIn => ({
  user: presentUser(user),
  session: { userId: user.id, stamp: passwordStamp(user.password) },
});

const takenError = (key: 'username_key' | 'email_key') =>
  key === 'email_key' ? errors.emailTaken() : errors.usernameTaken();
