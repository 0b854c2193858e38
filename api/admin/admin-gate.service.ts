import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Attempt, Attempts } from '#platform/attempts.ts';
import type { Clock } from '#platform/clock.ts';
import { errors } from '#platform/errors.ts';
import type { Logger } from '#platform/logger.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';
import { passwordsWaiting } from '#api/accounts/passwords.service.ts';

const dayMs = 86_400_000;

/** Whether a text is the admin password, in constant time; see `platform/secrets`. */
export type IsAdminPassword = (candidate: string) => Promise<boolean>;

/** The password in a header: its UTF-8 bytes, which Node reads one by one. */
export const passwordInHeader = (value: string) => Buffer.from(value, 'latin1').toString('utf8');

/** Lets the operator through and nobody else. */
export interface AdminGate {
  /**
   * Throws ADMIN_REQUIRED unless the password is the right one, and RATE_LIMITED after too many wrong ones from the
   * address, or from all addresses from which the operator has not signed in before, whatever comes next from there.
   */
  demand(password: string | undefined, address: string): Promise<void>;
  /** Throws RATE_LIMITED after too many wrong passwords: for what is read before its password. */
  demandRoom(address: string): Promise<void>;
}

/**
 * Checks the admin password of every call. One that was right is known again by a keyed digest in memory, so that a
 * panel that looks every second costs no password hash a second (handbook decision 100). Guesses are slowed down for all
 * strange addresses together, and each is logged (decision 100).
 */
export function adminGate(context: {
  readonly attempts: Attempts;
  readonly clock: Clock;
  readonly isAdminPassword: IsAdminPassword;
  readonly log: Logger;
}): AdminGate {
  const { attempts, clock, isAdminPassword, log } = context;
  const key = randomBytes(32);
  const digestOf = (password: string) => createHmac('sha256', key).update(password).digest();
  let known: Buffer | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  /** When this process last noted that the operator signed in from an address. */
  const notedAt = new Map<string, number>();

  /** What a wrong password from an address counts against. */
  const limitsOf = async (address: string) => {
    const isKnown = await attempts.isCounted(['adminSignedInBefore', address]);
    const counted: Attempt[] = [['adminFailures', address]];
    if (!isKnown)
      counted.push(
        ['adminFailuresFromSubnet', subnetOf(address)],
        ['adminFailuresAnywhere', 'all'],
        ['adminFailuresInAnHour', 'all'],
      );
    return { isKnown, counted };
  };

  /** Once a day is enough to keep an address known. */
  const noteSignIn = async (address: string) => {
    const now = clock.now();
    if (Math.abs(now - (notedAt.get(address) ?? -Infinity)) < dayMs) return;
    await attempts.remember(['adminSignedInBefore', address]);
    notedAt.set(address, now);
  };

  /** One hash at a time: strangers who guess must not take the threads that votes need. */
  const check = async (password: string): Promise<boolean> => {
    if (waiting >= passwordsWaiting) throw errors.passwordsBusy();
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
    async demandRoom(address) {
      await attempts.refuse((await limitsOf(address)).counted);
    },
    async demand(password, address) {
      // Who brings none has not guessed.
      if (password === undefined || password === '') throw errors.adminRequired();
      const { isKnown, counted } = await limitsOf(address);
      const digest = digestOf(password);
      if (known !== undefined && timingSafeEqual(known, digest)) await attempts.refuse(counted);
      // Counted before the answer is known, so that guesses side by side do not slip through.
      else if (!(await attempts.check(counted, () => check(password)))) {
        const network = subnetOf(address);
        const whose = isKnown ? 'an address the operator has used' : 'an unknown address';
        log.warn({ network, isKnown }, `wrong admin password from ${whose} in ${network}`);
        throw errors.adminRequired();
      }
      known = digest;
      await noteSignIn(address);
    },
  };
}
