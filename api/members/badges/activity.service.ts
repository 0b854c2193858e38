import { setImmediate } from 'node:timers/promises';
import { record } from '#api/events/record.service.ts';
import { dayOf } from '#domain/badges/calendar.ts';
import type { Progress } from '#domain/badges/progress.ts';
import type { Logger } from '#platform/logger.ts';
import { awardBadges, progressFor } from './awards.service.ts';
import type { AwardContext } from './awards.service.ts';

export interface ActivityContext extends AwardContext {
  readonly log: Logger;
}

/** Milliseconds for which changes of community polls are collected before their creators are looked at. */
const creatorsDelayMs = 1_000;
/** Members whose active day is remembered, so that their next request costs no query. */
const rememberedMembers = 50_000;

const failed = 'could not award a member’s badges; the next visit tries again';

/**
 * Awards badges soon after what earns them. Nothing depends on it: it looks at what is stored, and so does each page with
 * badges or figures.
 */
export class ActivityTracker {
  readonly #context: ActivityContext;
  readonly #queue = new Set<string>();
  /** The run that works on the queue; null while it is empty. */
  #running: Promise<void> | null = null;
  readonly #changedPolls = new Set<string>();
  #creatorsTimer: NodeJS.Timeout | undefined;
  /** The members active on this day; each promise resolves when that is recorded. */
  #day = 0;
  readonly #active = new Map<string, Promise<void>>();

  constructor(context: ActivityContext) {
    this.#context = context;
  }

  /** Records the first request of a member on a day. */
  recordActiveDay(userId: string): void {
    const at = this.#context.clock.now();
    const day = dayOf(at);
    if (day !== this.#day || this.#active.size >= rememberedMembers) {
      this.#day = day;
      this.#active.clear();
    }
    if (this.#active.has(userId)) return;
    const subject = { kind: 'day', id: String(day) };
    const recorded = record(this.#context.db, { type: 'member.active', at, member: userId, subject }).then(
      () => this.enqueue(userId),
      // The account was just deleted, or the database is unavailable: the next request tries again.
      () => void this.#active.delete(userId),
    );
    this.#active.set(userId, recorded);
  }

  /** A member did something that may earn a badge. */
  enqueue(userId: string): void {
    this.#queue.add(userId);
    this.#running ??= this.#run();
  }

  /** Someone changed a community poll: its creator is looked at a moment later. */
  pollChanged(pollId: string): void {
    this.#changedPolls.add(pollId);
    this.#creatorsTimer ??= setTimeout(() => void this.#enqueueCreators(), creatorsDelayMs).unref();
  }

  /** A member’s progress, with what they just did; badges that can’t be awarded now are awarded later. */
  async settle(userId: string): Promise<Progress> {
    const { db, log } = this.#context;
    try {
      await this.#active.get(userId);
      return await awardBadges(this.#context, userId);
    } catch (error) {
      log.error({ err: error, member: userId }, failed);
      return progressFor(db, userId);
    }
  }

  /** Resolves when nothing is in progress. */
  async drain(): Promise<void> {
    await Promise.all(this.#active.values());
    await this.#enqueueCreators();
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    await setImmediate();
    for (const userId of this.#queue) {
      this.#queue.delete(userId);
      await this.settle(userId).catch(() => undefined);
    }
    this.#running = null;
  }

  async #enqueueCreators(): Promise<void> {
    clearTimeout(this.#creatorsTimer);
    this.#creatorsTimer = undefined;
    const polls = [...this.#changedPolls];
    this.#changedPolls.clear();
    const { db, log } = this.#context;
    try {
      const creators = await db('community_polls')
        .whereIn('id', polls)
        .whereNotNull('created_by')
        .distinct('created_by');
      for (const { created_by } of creators) this.enqueue(created_by!);
    } catch (error) {
      log.error({ err: error }, 'could not find the creators of polls; their next visit awards their badges');
    }
  }
}
