import { dayOf } from '#domain/badges/calendar.ts';
import { countEach } from './catch-up.service.ts';
import type { ActivityContext } from './catch-up.service.ts';
import { recordFact } from './facts.service.ts';
import { noteBallots, noteGuests } from './notes.service.ts';
import { countedMembers, isWaiting } from './notes.queries.ts';

/** Milliseconds in which changes of community polls are collected before their creators' badges are counted. */
const ownPollsMs = 1_000;
/** Members active today that are remembered, so that their next request costs no query. */
const seenMembers = 50_000;

/** Portions that somebody who asks for figures waits for; the rest follows in the background. */
const portionsAtOnce = 4;

/**
 * Lets badges follow what members do. Nobody waits for it, and nothing depends on it: whatever it misses is found again
 * (catch-up.service), because the facts are kept by those who know them, or can be told from other tables.
 */
export class ActivityFollower {
  readonly #context: ActivityContext;
  /** Members about whom there is something to count. */
  readonly #waiting = new Set<string>();
  /** The run that counts them; null while nobody waits. */
  #running: Promise<void> | null = null;
  /** When changes of community polls are told to their creators, and the telling that is under way. */
  #ballots: NodeJS.Timeout | undefined;
  #telling: Promise<void> = Promise.resolve();
  /** Who was seen on the day, and when the fact of it is kept. */
  #day = 0;
  readonly #seen = new Map<string, Promise<void>>();

  constructor(context: ActivityContext) {
    this.#context = context;
  }

  /** A member is here: the first look of a day is a fact. */
  seen(userId: string): void {
    const at = this.#context.clock.now();
    if (dayOf(at) !== this.#day || this.#seen.size >= seenMembers) {
      this.#day = dayOf(at);
      this.#seen.clear();
    }
    if (this.#seen.has(userId)) return;
    const kept = recordFact(this.#context.db, userId, { fact: 'day_active', at }).then(
      () => this.did(userId),
      // An account that was deleted in this very moment, or a database that is away: the next call tries again.
      () => void this.#seen.delete(userId),
    );
    this.#seen.set(userId, kept);
  }

  /** A member has done something: it is counted soon. */
  did(userId: string): void {
    this.#waiting.add(userId);
    this.#running ??= this.#run();
  }

  /** Something has happened on community polls, whoever did it: their creators hear of it together, in a moment. */
  pollsChanged(): void {
    this.#ballots ??= setTimeout(() => {
      this.#ballots = undefined;
      this.#telling = this.#telling.then(() => this.#tellCreators());
    }, ownPollsMs).unref();
  }

  /** Resolves when what a member did is counted, also when that failed: figures are shown as they are then. */
  async settle(userId: string): Promise<void> {
    const { db, log } = this.#context;
    try {
      await this.#seen.get(userId);
      for (let portion = 1; portion <= portionsAtOnce && (await isWaiting(db, userId)); portion++) {
        for (const other of await noteGuests(db, { userId })) if (other !== userId) this.did(other);
        for (const other of await countEach(this.#context, [userId])) if (other !== userId) this.did(other);
      }
    } catch (error) {
      log.error({ err: error, member: userId }, 'could not process a member’s activity; will retry');
    }
  }

  /** Resolves when nothing is under way. */
  async drain(): Promise<void> {
    clearTimeout(this.#ballots);
    this.#ballots = undefined;
    await Promise.all([...this.#seen.values(), this.#telling]);
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    // What a crowd does in the same moment is counted together.
    await new Promise(setImmediate);
    while (this.#waiting.size > 0) {
      const members = [...this.#waiting].slice(0, countedMembers);
      for (const userId of members) this.#waiting.delete(userId);
      for (const userId of await countEach(this.#context, members)) this.#waiting.add(userId);
    }
    this.#running = null;
  }

  async #tellCreators(): Promise<void> {
    const { db, log } = this.#context;
    try {
      for (const userId of [...(await noteBallots(this.#context)), ...(await noteGuests(db))]) this.did(userId);
    } catch (error) {
      log.error({ err: error }, 'could not update the creators of polls; will retry');
    }
  }
}
