import { setImmediate } from 'node:timers/promises';
import { dayOf } from '#domain/badges/calendar.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { recordEvent } from './events.service.ts';
import { isPending, membersPerPortion, pendingMembers, recordBallots, recordGuests } from './outbox.service.ts';
import { projectMembers } from './projector.service.ts';

export interface ActivityContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Milliseconds for which changes of community polls are collected before their creators are updated. */
const creatorsDelayMs = 1_000;
/** Members whose active day is remembered, so that their next request costs no query. */
const rememberedMembers = 50_000;
/** Portions that a request for figures waits for; the rest follows in the background. */
const portionsPerRequest = 4;

const failed = 'could not process a member’s activity; will retry';

/**
 * Projects what members do, soon after it happened. Nothing depends on it: what it misses is found by the sweep, because
 * events and marks are stored with what happened.
 */
export class ActivityTracker {
  readonly #context: ActivityContext;
  readonly #queue = new Set<string>();
  /** The run that works on the queue; null while it is empty. */
  #running: Promise<void> | null = null;
  #creatorsTimer: NodeJS.Timeout | undefined;
  #updatingCreators: Promise<void> = Promise.resolve();
  /** The members active on this day; each promise resolves when that is recorded. */
  #day = 0;
  readonly #active = new Map<string, Promise<void>>();

  constructor(context: ActivityContext) {
    this.#context = context;
  }

  /** Records the first request of a member on a day. */
  recordActiveDay(userId: string): void {
    const at = this.#context.clock.now();
    if (dayOf(at) !== this.#day || this.#active.size >= rememberedMembers) {
      this.#day = dayOf(at);
      this.#active.clear();
    }
    if (this.#active.has(userId)) return;
    const recorded = recordEvent(this.#context.db, userId, { type: 'day_active', at }).then(
      () => this.enqueue(userId),
      // The account was just deleted, or the database is unavailable: the next request tries again.
      () => void this.#active.delete(userId),
    );
    this.#active.set(userId, recorded);
  }

  /** A member did something that is to be projected. */
  enqueue(userId: string): void {
    this.#queue.add(userId);
    this.#running ??= this.#run();
  }

  /** Someone changed a community poll: creators are updated together, a moment later. */
  pollsChanged(): void {
    this.#creatorsTimer ??= setTimeout(() => {
      this.#creatorsTimer = undefined;
      this.#updatingCreators = this.#updatingCreators.then(() => this.#updateCreators());
    }, creatorsDelayMs).unref();
  }

  /** Resolves when what a member did is projected, or could not be: then the last figures are shown. */
  async settle(userId: string): Promise<void> {
    const { db, log } = this.#context;
    try {
      await this.#active.get(userId);
      for (let portion = 1; portion <= portionsPerRequest && (await isPending(db, userId)); portion++)
        for (const other of [...(await recordGuests(db, { userId })), ...(await projectEach(this.#context, [userId]))])
          if (other !== userId) this.enqueue(other);
    } catch (error) {
      log.error({ err: error, member: userId }, failed);
    }
  }

  /** Resolves when nothing is in progress. */
  async drain(): Promise<void> {
    clearTimeout(this.#creatorsTimer);
    this.#creatorsTimer = undefined;
    await Promise.all([...this.#active.values(), this.#updatingCreators]);
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    // Members who act in the same moment share a transaction.
    await setImmediate();
    while (this.#queue.size > 0) {
      const members = [...this.#queue].slice(0, membersPerPortion);
      for (const userId of members) this.#queue.delete(userId);
      for (const userId of await projectEach(this.#context, members)) this.#queue.add(userId);
    }
    this.#running = null;
  }

  async #updateCreators(): Promise<void> {
    const { db, log } = this.#context;
    try {
      for (const userId of [...(await recordBallots(this.#context)), ...(await recordGuests(db))]) this.enqueue(userId);
    } catch (error) {
      log.error({ err: error }, 'could not update the creators of polls; will retry');
    }
  }
}

/** Projects everything that is pending, such as after a crash. A member for whom it fails is logged and left for the next time. */
export async function projectPending(
  { db, clock, log }: ActivityContext,
  stopped: () => boolean = () => false,
): Promise<void> {
  for (const record of [() => recordBallots({ db, clock }), () => recordGuests(db)])
    await record().catch((error: unknown) => log.error({ err: error }, 'could not record members’ activity; retrying'));
  const failures = new Set<string>();
  while (!stopped()) {
    const members = await pendingMembers(db, failures);
    if (members.length === 0) return;
    await projectEach({ db, log }, members, (userId) => failures.add(userId));
  }
}

/**
 * Projects a portion for each of these members, all at once, or one by one if that fails. Returns those for whom there is
 * more to project: among them, and others with new events.
 */
async function projectEach(
  { db, log }: Pick<ActivityContext, 'db' | 'log'>,
  members: readonly string[],
  onFailed: (userId: string) => void = () => undefined,
): Promise<string[]> {
  const project = async (some: readonly string[]) => {
    const { more, others } = await projectMembers(db, some);
    return more ? [...others, ...some] : [...others];
  };
  try {
    return await project(members);
  } catch {
    const next: string[] = [];
    for (const userId of members) {
      try {
        next.push(...(await project([userId])));
      } catch (error) {
        log.error({ err: error, member: userId }, failed);
        onFailed(userId);
      }
    }
    return next;
  }
}
