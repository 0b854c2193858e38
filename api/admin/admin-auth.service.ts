import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Attempt, Attempts } from '#platform/attempts.ts';
import type { Clock } from '#platform/clock.ts';
import { errors } from '#platform/errors.ts';
import type { Logger } from '#platform/logger.ts';
import { subnetOf } from '#platform/trusted-proxies.ts';
import { passwordsWaiting } from '#api/members/accounts/passwords.service.ts';
import { operatorsApiTexts } from '#texts/operators.ts';

const dayMs = 86_400_000;

/** Compares a text with the admin password in constant time; see `platform/secrets`. */
export type IsAdminPassword = (candidate: string) => Promise<boolean>;

/** The password in a header: UTF-8, which Node decodes as Latin-1. */
export const passwordInHeader = (value: string) => Buffer.from(value, 'latin1').toString('utf8');

/** Checks the shared password. */
export interface AdminAuth {
  /**
   * Throws ADMIN_REQUIRED for a wrong password, or while it is turned off, and RATE_LIMITED after too many wrong ones from
   * the address, or from all addresses that the operator has not used before, even if this password is right.
   */
  authorize(password: string | undefined, address: string): Promise<void>;
  /**
   * Throws RATE_LIMITED after too many wrong passwords, and ADMIN_REQUIRED while the password is turned off: for a body
   * that is read before its password is known.
   */
  refuseLimited(address: string): Promise<void>;
}

/**
 * Checks the admin password of every request. A keyed digest of the right password is cached, so that a panel that polls
 * every second does not hash every second. Guesses are limited across all unknown addresses together, and each is logged
 * (handbook decision 190).
 */
export function adminAuth(context: {
  readonly attempts: Attempts;
  readonly clock: Clock;
  readonly isAdminPassword: IsAdminPassword;
  /** Whether the password opens the admin pages; an owner can turn it off. */
  readonly isOn: () => Promise<boolean>;
  readonly log: Logger;
}): AdminAuth {
  const { attempts, clock, isAdminPassword, isOn, log } = context;
  const key = randomBytes(32);
  const digestOf = (password: string) => createHmac('sha256', key).update(password).digest();
  let known: Buffer | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  /** When this process last recorded a sign-in of the operator, by address. */
  const recordedAt = new Map<string, number>();

  /** The limits that a wrong password from an address counts against. */
  const limitsOf = async (address: string) => {
    const isKnown = (await attempts.used(['adminSignedInBefore', address])) > 0;
    const counted: Attempt[] = [['adminFailures', address]];
    if (!isKnown)
      counted.push(
        ['adminFailuresFromSubnet', subnetOf(address)],
        ['adminFailuresAnywhere', 'all'],
        ['adminFailuresInAnHour', 'all'],
      );
    return { isKnown, counted };
  };

  /** Recording once a day keeps an address known. */
  const recordSignIn = async (address: string) => {
    const now = clock.now();
    if (Math.abs(now - (recordedAt.get(address) ?? -Infinity)) < dayMs) return;
    await attempts.remember(['adminSignedInBefore', address]);
    recordedAt.set(address, now);
  };

  /** One hash at a time: guesses must not take the threads that votes need. */
  const check = async (password: string): Promise<boolean> => {
    if (waiting >= passwordsWaiting) throw errors.passwordsBusy();
    waiting += 1;
    const checked = queue.then(() => isAdminPassword(password));
    queue = checked.catch(() => undefined);
    try {
      return await checked;
    } finally {
      waiting -= 1;
    }
  };

  const refuseTurnedOff = async () => {
    if (!(await isOn())) throw errors.adminRequired(operatorsApiTexts.sharedPasswordOff);
  };

  return {
    async refuseLimited(address) {
      await refuseTurnedOff();
      await attempts.refuse((await limitsOf(address)).counted);
    },
    async authorize(password, address) {
      // A missing password is not a guess.
      if (password === undefined || password === '') throw errors.adminRequired();
      await refuseTurnedOff();
      const { isKnown, counted } = await limitsOf(address);
      const digest = digestOf(password);
      if (known !== undefined && timingSafeEqual(known, digest)) await attempts.refuse(counted);
      // Counted before the check, so that concurrent guesses are all counted.
      else if (!(await attempts.check(counted, () => check(password)))) {
        const network = subnetOf(address);
        const whose = isKnown ? 'an address the operator has used' : 'an unknown address';
        log.warn({ network, isKnown }, `wrong admin password from ${whose} in ${network}`);
        throw errors.adminRequired();
      }
      known = digest;
      await recordSignIn(address);
    },
  };
}
