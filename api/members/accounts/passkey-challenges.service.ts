import { randomBytes } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import { removeExpired } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { hashSecret } from '#platform/hash-secret.ts';

/** Milliseconds within which a challenge has to be answered. */
export const challengeMs = 5 * 60_000;

interface ChallengesContext {
  readonly db: Database;
  readonly clock: Clock;
}

/** A challenge for a session or browser, which replaces an earlier one. */
export async function newChallenge({ db, clock }: ChallengesContext, owner: string): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  await db('passkey_challenges')
    .insert({ owner: hashSecret(owner), challenge, expires_at: clock.now() + challengeMs })
    .onConflict('owner')
    .merge();
  return challenge;
}

/** The challenge of a session or browser, which can’t be used again; null without one. */
export async function takeChallenge({ db, clock }: ChallengesContext, owner: string): Promise<string | null> {
  const own = db('passkey_challenges').where({ owner: hashSecret(owner) });
  const [row] = await own.clone().where('expires_at', '>', clock.now()).pluck('challenge');
  // Of concurrent requests, only one deletes it.
  return row !== undefined && (await own.where({ challenge: row }).del()) > 0 ? row : null;
}

/** Deletes challenges that were not answered in time. */
export async function removeOldChallenges(db: Database, now: number): Promise<void> {
  await removeExpired(db, { table: 'passkey_challenges', key: 'owner', column: 'expires_at' }, now);
}
