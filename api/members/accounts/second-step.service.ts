import type { Login } from './accounts.contract.ts';
import type { Attempts } from '#platform/attempts.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';
import type { Outbox } from '#api/mail/outbox.service.ts';
import { accountSubject } from '#api/events/events.ts';
import { record } from '#api/events/record.service.ts';
import { isWaiting, useDeviceCode, waitWithDevice } from './known-devices.service.ts';
import { codeAttempts, isUnusedCode, useCode } from './recovery-codes.service.ts';
import type { UserModel } from './user.model.ts';

/** A right password on a device and at an address that are new to the account. */
interface NewDevice {
  readonly user: UserModel;
  readonly device: string;
  /** The key of what was typed as the name. */
  readonly typed: string;
}

interface StepContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly attempts: Attempts;
  readonly mail: Outbox;
}

const mailedCode = /^\s*\d{3} ?\d{3}\s*$/;

/**
 * Returns once a sign-in has proven more than the password, which many wrong ones were tried for: by a mailed code, a
 * recovery code, a yes on another device, or an hour that has passed since the first right password on this device. Throws
 * SECOND_STEP_REQUIRED, and EMAIL_CODE_WRONG, EMAIL_CODE_EXPIRED, INVALID_RECOVERY_CODE, RATE_LIMITED.
 */
export async function takeSecondStep(
  context: StepContext,
  { user, device, typed }: NewDevice,
  { code, mailCode = false }: Login,
  { address, deviceName: name }: { readonly address: string; readonly deviceName: string | null },
): Promise<void> {
  const { db, clock, attempts, mail } = context;
  const now = clock.now();
  if (code !== undefined) {
    if (mailedCode.test(code)) {
      await useDeviceCode(db, device, code.replaceAll(/\s/g, ''), now);
      return;
    }
    const right = await attempts.check(codeAttempts(typed, address), () => isUnusedCode(db, user.id, code));
    // Of two concurrent requests with one code, only one deletes its row.
    if (!right || !(await useCode(db, user.id, code))) throw errors.invalidRecoveryCode();
    return;
  }
  if (!(await isWaiting(db, device, now)))
    await attempts.count([['secondStepNearby', `${user.id} ${subnetOf(address)}`]]);
  const until = await db.transaction(async (trx) => {
    const waiting = await waitWithDevice(trx, { digest: device, userId: user.id, name }, now);
    if (waiting.isNew) await record(trx, { type: 'sign-in.asked', at: now, subject: accountSubject, account: user.id });
    return waiting.until;
  });
  // Somebody has said yes meanwhile.
  if (until <= now) return;
  const email = mail.on && user.email_confirmed_at !== null ? user.email : null;
  const mailed = mailCode && email !== null && (await attempts.allow([['secondStepMail', user.id]]));
  if (mailed) await mail.queue(db, { kind: 'sign-in-code', userId: user.id, recipient: email, data: device });
  throw errors.secondStepRequired({ until: iso(until), mail: email !== null, mailed });
}
