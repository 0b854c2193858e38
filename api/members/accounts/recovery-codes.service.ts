import { hash } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import type { Database } from '#platform/database.ts';
import type { Attempt } from '#platform/attempts.ts';
import { readableSecret } from '#platform/readable-secret.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';

/**
 * Groups of a code and their length: 118 random bits. From 112 bits (ASVS 6.5.2), nobody can find a code by hashing
 * guesses, so a plain SHA-256 protects it; a key would be one more secret to lose.
 */
const codeGroups = 4;
const codeGroupLength = 6;

/** Replaces the recovery codes of an account; returns the new ones, of which only digests are stored. */
export async function storeNewCodes(trx: Database, userId: string): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, () => readableSecret(codeGroups, codeGroupLength));
  await trx('recovery_codes').where({ user_id: userId }).del();
  const rows = codes.map((code, index) => ({ user_id: userId, position: index + 1, digest: digestOf(userId, code) }));
  await trx('recovery_codes').insert(rows);
  return codes;
}

/** The number of unused recovery codes of an account. */
export async function codesLeft(db: Database, userId: string): Promise<number> {
  return (await db('recovery_codes').where({ user_id: userId }).pluck('position')).length;
}

/** What a wrong code counts against; `typed` is the key of what was typed as the name. */
export const codeAttempts = (typed: string, address: string): Attempt[] => [
  ['recoverNearby', `${typed} ${subnetOf(address)}`],
  ['recoverFromAddress', address],
  ['recoverFromSubnet', subnetOf(address)],
];

/** Whether a typed code is an unused one of the account. */
export async function isUnusedCode(db: Database, userId: string, code: string): Promise<boolean> {
  const row = await db('recovery_codes')
    .where({ user_id: userId, digest: digestOf(userId, code) })
    .first('position');
  return row !== undefined;
}

/** Uses up a code; false if it was used meanwhile. */
export async function useCode(trx: Database, userId: string, code: string): Promise<boolean> {
  const used = await trx('recovery_codes')
    .where({ user_id: userId, digest: digestOf(userId, code) })
    .del();
  return used > 0;
}

/** Spaces, dashes, and letter case don’t matter: codes are copied by hand. */
const digestOf = (userId: string, code: string) =>
  hash('sha256', `${userId} ${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`, 'base64url');
