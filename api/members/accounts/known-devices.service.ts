import * as limits from '#contract/limits.ts';
import type { WaitingSignIn } from './account-security.contract.ts';
import { mailedCodeDigest, newMailedCode, requireMailedCode } from '#api/mail/codes.service.ts';
import { accountSubject } from '#api/events/events.ts';
import { record } from '#api/events/record.service.ts';
import { iso } from '#platform/clock.ts';
import { removeExpired } from '#platform/database.ts';
import type { Database, Row } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { hashSecret } from '#platform/hash-secret.ts';

const dayMs = 86_400_000;
/** Days since its last sign-in for which a device is known. */
export const knownDeviceDays = 180;
/** Days for which the cookie is kept. */
export const deviceCookieDays = 400;
/** Milliseconds for which a device that doesn’t come back after waiting is remembered. */
const waitingMs = dayMs;
/** Sign-ins that a member is asked about at most. */
const waitingShown = 20;

/** A row of `known_devices`. Times in milliseconds. */
type DeviceRow = Row<'known_devices'>;

/** The id of a device for one account; `secret` is in its cookie. */
export const deviceDigest = (secret: string, account: string): string => hashSecret(`${secret} ${account}`);

const current = (db: Database, digest: string, now: number) =>
  db('known_devices').where({ digest }).where('expires_at', '>', now);

/** Whether a device has signed in to its account before, or has waited. */
export async function isKnownDevice(db: Database, digest: string, now: number): Promise<boolean> {
  return (await current(db, digest, now).where('known_from', '<=', now).first('digest')) !== undefined;
}

/** Whether a device has given the right password and waits. */
export async function isWaiting(db: Database, digest: string, now: number): Promise<boolean> {
  return (await current(db, digest, now).where('known_from', '>', now).first('digest')) !== undefined;
}

/** Makes a device known, or keeps it so. */
export async function rememberDevice(
  db: Database,
  { digest, userId }: { readonly digest: string; readonly userId: string },
  now: number,
): Promise<void> {
  await db('known_devices')
    .insert({ digest, user_id: userId, known_from: now, expires_at: now + knownDeviceDays * dayMs })
    .onConflict('digest')
    .merge({
      ...{ known_from: now, expires_at: now + knownDeviceDays * dayMs },
      ...{ name: null, code: null, code_tries: 0, code_expires_at: null },
    });
}

/** Lets a device wait that gave the right password; returns until when, which another attempt doesn’t change. */
export async function waitWithDevice(
  db: Database,
  { digest, userId, name }: { readonly digest: string; readonly userId: string; readonly name: string | null },
  now: number,
): Promise<{ readonly until: number; readonly isNew: boolean }> {
  await db('known_devices').where({ digest }).where('expires_at', '<=', now).del();
  const until = now + limits.signInWaitMinutes * 60_000;
  const added = await db('known_devices')
    .insert({ digest, user_id: userId, name, known_from: until, expires_at: until + waitingMs })
    .onConflict('digest')
    .ignore()
    .returning('*');
  if (added.length > 0) return { until, isNew: true };
  const row = await current(db, digest, now).first('known_from');
  return { until: row?.known_from ?? until, isNew: false };
}

/** Makes a new code for a device that waits; null when it doesn’t anymore. */
export async function codeForDevice(db: Database, digest: string, now: number): Promise<string | null> {
  const code = newMailedCode();
  const changed = await current(db, digest, now)
    .where('known_from', '>', now)
    .update({
      ...{ code: mailedCodeDigest(digest, code), code_tries: 0 },
      code_expires_at: now + limits.mailedCodeMinutes * 60_000,
    });
  return changed > 0 ? code : null;
}

/** Uses up the code mailed for a device. Throws EMAIL_CODE_WRONG, EMAIL_CODE_EXPIRED. */
export async function useDeviceCode(db: Database, digest: string, code: string, now: number): Promise<void> {
  // Counted before it is compared: of many tries at once, five are.
  const [row] = await current(db, digest, now)
    .where('code_expires_at', '>', now)
    .where('code_tries', '<', limits.mailedCodeTries)
    .increment('code_tries', 1)
    .returning<DeviceRow[]>('*');
  if (row === undefined) throw errors.emailCodeExpired();
  requireMailedCode(digest, code, { digest: row.code, tries: row.code_tries });
}

/** The sign-ins with a member’s password that wait, newest first. */
export async function waitingSignIns(db: Database, userId: string, now: number): Promise<WaitingSignIn[]> {
  const rows = await db('known_devices')
    .where({ user_id: userId })
    .where('known_from', '>', now)
    .orderBy([{ column: 'known_from', order: 'desc' }, 'digest'])
    .limit(waitingShown)
    .select('*');
  return rows.map(({ digest, name, known_from }) => ({ id: digest, device: name, waitsUntil: iso(known_from) }));
}

/** A member’s answer to whether a sign-in that waits is theirs. Throws NOT_FOUND when it doesn’t wait anymore. */
export async function answerSignIn(
  db: Database,
  userId: string,
  { id, isMe, now }: { readonly id: string; readonly isMe: boolean; readonly now: number },
): Promise<void> {
  await db.transaction(async (trx) => {
    const waiting = trx('known_devices').where({ digest: id, user_id: userId }).where('known_from', '>', now);
    if ((await (isMe ? waiting.update({ known_from: now }) : waiting.del())) === 0) throw errors.notFound();
    await record(trx, { type: 'sign-in.answered', at: now, subject: accountSubject, account: userId });
  });
}

/** Forgets the devices of a member, but for one. */
export async function forgetDevices(db: Database, userId: string, but = ''): Promise<void> {
  await db('known_devices').where({ user_id: userId }).whereNot({ digest: but }).del();
}

/** Forgets devices that haven’t signed in for long. */
export async function removeOldDevices(db: Database, now: number): Promise<void> {
  await removeExpired(db, { table: 'known_devices', key: 'digest', column: 'expires_at' }, now);
}
