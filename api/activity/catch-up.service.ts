import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { countMembers } from './counting.service.ts';
import { noteBallots, noteGuests } from './notes.service.ts';
import { waitingMembers } from './notes.queries.ts';
import { recount } from './recount.service.ts';

export interface ActivityContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Milliseconds between two looks for what nobody has counted. */
const lookEvery = 15_000;

/**
 * Counts everything that waits: after a crash, what stands between a vote and its badge; each time, what the clock did,
 * such as polls that closed. Whom it fails with is logged and left for the next time; the others are counted.
 */
export async function catchUp(
  { db, clock, log }: ActivityContext,
  stopped: () => boolean = () => false,
): Promise<void> {
  for (const note of [() => noteBallots({ db, clock }), () => noteGuests(db)])
    await note().catch((error: unknown) => log.error({ err: error }, 'could not record members’ activity; retrying'));
  const failed = new Set<string>();
  while (!stopped()) {
    const members = await waitingMembers(db, failed);
    if (members.length === 0) return;
    await countEach({ db, log }, members, (userId) => failed.add(userId));
  }
}

/**
 * Counts a portion for each of these members, all at once, or one by one when that fails; answers who else has news
 * now, and who has more of it.
 */
export async function countEach(
  { db, log }: Pick<ActivityContext, 'db' | 'log'>,
  members: readonly string[],
  onFailed: (userId: string) => void = () => undefined,
): Promise<string[]> {
  const count = async (some: readonly string[]) => {
    const { more, stale, others } = await countMembers(db, some);
    for (const userId of stale) await recount(db, userId);
    return [...others, ...(more ? some : stale)];
  };
  try {
    return await count(members);
  } catch {
    // Somebody has left in this moment, or one of them cannot be counted: the second try tells.
    const news: string[] = [];
    for (const userId of members) {
      try {
        news.push(...(await count([userId])));
      } catch (error) {
        log.error({ err: error, member: userId }, 'could not process a member’s activity; will retry');
        onFailed(userId);
      }
    }
    return news;
  }
}

/** Catches up now and then until stopped; `stop` resolves when nothing is under way any more. */
export function startCatchingUp(context: ActivityContext): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void>;
  const turn = () => {
    running = catchUp(context, () => stopped)
      .catch((error: unknown) => context.log.error({ err: error }, 'could not process members’ activity; retrying'))
      .then(() => {
        if (!stopped) timer = setTimeout(turn, lookEvery).unref();
      });
  };
  turn();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
