import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { serverLimits } from '#contract/server-limits.ts';
import type { Attempt, Attempts } from '#platform/attempts.ts';
import { errors } from '#platform/errors.ts';

/** Whether a text is the admin password, in constant time; see `platform/secrets`. */
export type IsAdminPassword = (candidate: string) => Promise<boolean>;

/** The password in a header: its UTF-8 bytes, which Node reads one by one. */
export const passwordInHeader = (value: string) => Buffer.from(value, 'latin1').toString('utf8');

/** Lets the operator through and nobody else. */
export interface AdminGate {
  /**
   * Throws ADMIN_REQUIRED unless the password is the right one, and RATE_LIMITED after too many wrong ones from the
   * address, whatever comes next from there.
   */
  demand(password: string | undefined, address: string): Promise<void>;
  /** Throws RATE_LIMITED after too many wrong passwords from the address: for what is read before its password. */
  demandRoom(address: string): Promise<void>;
}

/**
 * Checks the admin password of every call. One that was right is known again by a keyed digest in memory, so that a
 * panel that looks every second costs no password hash a second (handbook decision 100).
 */
export function adminGate(context: {
  readonly attempts: Attempts;
  readonly isAdminPassword: IsAdminPassword;
}): AdminGate {
  const { attempts, isAdminPassword } = context;
  const key = randomBytes(32);
  const digestOf = (password: string) => createHmac('sha256', key).update(password).digest();
  let known: Buffer | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  /** One hash at a time: strangers who guess must not take the threads that votes need. */
  const check = async (password: string): Promise<boolean> => {
    if (waiting >= serverLimits.passwordsWaiting) throw errors.passwordsBusy();
    waiting += 1;
    const checked = turn.then(() => isAdminPassword(password));
    turn = checked.catch(() => undefined);
    try {
      return await checked;
    } finally {
      waiting -= 1;
    }
  };

  return {
    demandRoom: (address) => attempts.refuse([['adminFailures', address]]),
    async demand(password, address) {
      // Who brings none has not guessed.
      if (password === undefined || password === '') throw errors.adminRequired();
      const failure: Attempt[] = [['adminFailures', address]];
      const digest = digestOf(password);
      if (known !== undefined && timingSafeEqual(known, digest)) return attempts.refuse(failure);

      // Counted before the answer is known, so that guesses side by side do not slip through.
      if (!(await attempts.check(failure, () => check(password)))) throw errors.adminRequired();
      known = digest;
    },
  };
}
