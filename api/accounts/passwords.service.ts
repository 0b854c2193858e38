import { errors } from '#platform/errors.ts';
import { hashPassword, dummyHash, verifyPassword } from '#platform/password-hash.ts';

/** Passwords that a process hashes or checks at once (19 MiB and a thread each). */
export const passwordsAtOnce = 2;
/** Passwords that may wait for their turn. */
export const passwordsWaiting = 120;
/** Further places, one each, for members who are signed in or known at this address. */
export const passwordsReserved = 40;

/** Where passwords are hashed and checked, few at a time; what cannot wait in line is refused as OVERLOADED. */
export interface Passwords {
  /** Hashes a password. `stillWanted` is asked when its turn has come: what it throws spares the work. */
  hash(password: string, turn?: Turn & { readonly stillWanted?: () => Promise<void> }): Promise<string>;
  /**
   * Whether the password is the one behind a hash; null stands for nobody's and takes as long. `attempt` is called with the
   * check when its turn has come.
   */
  matches(
    password: string,
    phc: string | null,
    turn?: Turn & { readonly attempt?: (check: () => Promise<boolean>) => Promise<boolean> },
  ): Promise<boolean>;
}

/** Who waits: the id of a member who is signed in, or was at this address before, and so waits in a line of their own. */
interface Turn {
  readonly member?: string | undefined;
}

/**
 * One line for all password work of the process. Hashing runs on the threads that SQLite uses too: with
 * `passwordsAtOnce` of them taken at most, votes always find one that is free (handbook decision 061).
 */
export function passwordLine(): Passwords {
  const strangers: (() => void)[] = [];
  /** One place each, so that nobody fills the line with an account of their own. */
  const members = new Map<string, () => void>();
  let running = 0;
  let membersNext = false;

  const waitForTurn = (member: string | undefined) =>
    new Promise<void>((turn) => {
      if (member !== undefined && !members.has(member) && members.size < passwordsReserved) members.set(member, turn);
      else if (strangers.length < passwordsWaiting) strangers.push(turn);
      else throw errors.passwordsBusy();
    });

  const nextMember = () => {
    const [[member, turn] = []] = members;
    if (member !== undefined) members.delete(member);
    return turn;
  };
  /** The lines take turns: a flood in one of them does not hold up the other. */
  const next = () => {
    membersNext = !membersNext;
    return membersNext ? (nextMember() ?? strangers.shift()) : (strangers.shift() ?? nextMember());
  };

  async function inTurn<T>(member: string | undefined, work: () => Promise<T>): Promise<T> {
    if (running >= passwordsAtOnce) await waitForTurn(member);
    else running++;
    try {
      return await work();
    } finally {
      // The place goes to the next in line, or is given up.
      const turn = next();
      if (turn) turn();
      else running--;
    }
  }

  return {
    hash: (password, { member, stillWanted } = {}) =>
      inTurn(member, async () => {
        await stillWanted?.();
        return hashPassword(composed(password));
      }),
    matches: (password, phc, { member, attempt } = {}) =>
      inTurn(member, () => {
        const check = () => verifyPassword(composed(password), phc ?? dummyHash);
        return attempt ? attempt(check) : check();
      }),
  };
}

/** Keyboards differ in how they put accents together; nothing else about a password is changed. */
const composed = (password: string) => password.normalize('NFC');
