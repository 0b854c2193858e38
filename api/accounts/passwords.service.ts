import { serverLimits } from '#contract/server-limits.ts';
import { errors } from '#platform/errors.ts';
import { hashPassword, nobodysHash, verifyPassword } from '#platform/password-hash.ts';

/** Where passwords are hashed and checked, few at a time; what cannot wait in line is refused as OVERLOADED. */
export interface Passwords {
  /** Hashes a password. `stillWanted` is asked when its turn has come: what it throws spares the work. */
  hash(password: string, stillWanted?: () => Promise<void>): Promise<string>;
  /** Whether the password is the one behind a hash; null stands for nobody's and takes as long. */
  matches(password: string, phc: string | null): Promise<boolean>;
}

/**
 * One line for all password work of the process. Hashing runs on the threads that SQLite uses too: with
 * `serverLimits.passwordsAtOnce` of them taken at most, votes always find one that is free (handbook decision 061).
 */
export function passwordLine(): Passwords {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= serverLimits.passwordsAtOnce) {
      if (waiting.length >= serverLimits.passwordsWaiting) throw errors.passwordsBusy();
      await new Promise<void>((turn) => waiting.push(turn));
    } else running++;
    try {
      return await work();
    } finally {
      // The place goes to the next in line, or is given up.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  return {
    hash: (password, stillWanted) =>
      inTurn(async () => {
        await stillWanted?.();
        return hashPassword(composed(password));
      }),
    matches: (password, phc) => inTurn(() => verifyPassword(composed(password), phc ?? nobodysHash)),
  };
}

/** Keyboards differ in how they put accents together; nothing else about a password is changed. */
const composed = (password: string) => password.normalize('NFC');
