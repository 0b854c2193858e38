import type { PasswordOwner } from '#domain/password-strength.ts';
import { errors } from '#platform/errors.ts';
import { hasLittleMemory } from '#platform/little-memory.ts';
import { hashPassword, dummyHash, verifyPassword } from '#platform/password-hash.ts';
import { fieldErrors } from '#texts/field-errors.ts';

/** Passwords that a process hashes or checks at once (19 MiB and a thread each). */
export const passwordsAtOnce = 2;
/** Passwords that may wait for their turn. */
export const passwordsWaiting = 120;
/** Further places, one each, for members who are signed in or known at this address. */
export const passwordsReserved = 40;

/** Hashes and checks passwords, a few at a time; throws OVERLOADED when the queue is full. */
export interface Passwords {
  /**
   * Hashes a new password. `beforeHash` runs after the wait in the queue; if it throws, nothing is hashed. Throws
   * VALIDATION_FAILED about `field` when the password is common or similar to its owner’s data.
   */
  hash(
    password: string,
    options: QueueOptions & {
      readonly field: 'password' | 'newPassword';
      readonly owner: PasswordOwner;
      readonly beforeHash?: () => Promise<void>;
    },
  ): Promise<string>;
  /**
   * Checks a password against a hash; null means no account and takes as long. `attempt` is called with the check after
   * the wait in the queue.
   */
  matches(
    password: string,
    phc: string | null,
    options?: QueueOptions & { readonly attempt?: (check: () => Promise<boolean>) => Promise<boolean> },
  ): Promise<boolean>;
}

interface QueueOptions {
  /** Id of a member who is signed in, or has signed in from this address before: such members have their own queue. */
  readonly member?: string | undefined;
}

/** Loading it stops the event loop for a third of a second and takes 20 MB. */
const strengthRule = () => import('#domain/password-strength.ts');

/**
 * The queue for all password hashing of the process. Hashing runs on the thread pool that SQLite uses, too: with at most
 * `passwordsAtOnce` threads taken, votes always find a free one (handbook decision 061). No new
 * password may resemble `siteName`.
 */
export function passwordQueue(siteName = ''): Passwords {
  const visitors: (() => void)[] = [];
  /** One place per member, so that no single account can fill the queue. */
  const members = new Map<string, () => void>();
  let running = 0;
  let membersNext = false;
  // With little memory, only once there is a new password.
  if (!hasLittleMemory()) void strengthRule();

  const waitInQueue = (member: string | undefined) =>
    new Promise<void>((start) => {
      if (member !== undefined && !members.has(member) && members.size < passwordsReserved) members.set(member, start);
      else if (visitors.length < passwordsWaiting) visitors.push(start);
      else throw errors.passwordsBusy();
    });

  const nextMember = () => {
    const [[member, start] = []] = members;
    if (member !== undefined) members.delete(member);
    return start;
  };
  /** The two queues alternate, so that a flood in one does not block the other. */
  const next = () => {
    membersNext = !membersNext;
    return membersNext ? (nextMember() ?? visitors.shift()) : (visitors.shift() ?? nextMember());
  };

  async function inQueue<T>(member: string | undefined, work: () => Promise<T>): Promise<T> {
    if (running >= passwordsAtOnce) await waitInQueue(member);
    else running++;
    try {
      return await work();
    } finally {
      // Pass the slot to the next in the queue, or free it.
      const start = next();
      if (start) start();
      else running--;
    }
  }

  return {
    hash: (password, { member, beforeHash, field, owner }) =>
      inQueue(member, async () => {
        await beforeHash?.();
        // Assessing takes milliseconds of the event loop, so attempts are counted before.
        const { passwordFindings, passwordStrength } = await strengthRule();
        const weak = passwordFindings(field, passwordStrength(password, owner, siteName));
        if (weak.length > 0) throw errors.validationFailed(fieldErrors(weak));
        return hashPassword(composed(password));
      }),
    matches: (password, phc, { member, attempt } = {}) =>
      inQueue(member, () => {
        const check = () => verifyPassword(composed(password), phc ?? dummyHash);
        return attempt ? attempt(check) : check();
      }),
  };
}

/** Keyboards compose accents differently; nothing else about a password is changed. */
const composed = (password: string) => password.normalize('NFC');
