import { badgeKeys } from '#contract/badges.ts';
import type { BadgeKey } from '#contract/badges.ts';
import { progressOf, recordFact } from '#domain/badges/awards.ts';
import type { FactEvent } from '#domain/badges/facts.ts';
import { noProgress } from '#domain/badges/progress.ts';
import type { Progress } from '#domain/badges/progress.ts';
import { beginWriting } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { readProgress, sinceJoining } from './counting.service.ts';
import { eventOf } from './fact-row.ts';
import { countedFacts, recountedFacts } from './facts.queries.ts';
import type { Place } from './facts.queries.ts';
import { addActivities, addBadges, findProgress, heldBadges, holdProgress, storeProgress } from './progress.queries.ts';
import type { HeldBadge } from './progress.queries.ts';
import { badgeActivity } from './timeline.ts';

/** What a count of a whole history changed. */
export interface Recounted {
  /** Badges that were missing, and are there now. */
  readonly added: readonly BadgeKey[];
  /** Whether a figure that somebody sees is another now. */
  readonly corrected: boolean;
}

/** How often a count is begun again because somebody counted meanwhile, before others have to wait for it. */
const attempts = 3;

/**
 * Counts a member's progress anew, from all facts that are part of it, in order of time; badges that are missing are
 * added, none is taken away. Null when there is no such member, or nothing was counted yet.
 */
export async function recount(db: Database, userId: string): Promise<Recounted | null> {
  for (let attempt = 1; ; attempt++) {
    const before = await findProgress(db, userId);
    if (!before) return null;
    // A history of years takes seconds: meanwhile everybody else goes on.
    const early = attempt < attempts ? await countAnew(db, userId) : null;
    const outcome = await db.transaction(async (trx) => {
      await beginWriting(trx);
      const [held] = await holdProgress(trx, [userId]);
      if (!held) return null;
      if (early && held.revision !== before.revision) return 'again';
      const { progress, earned } = early ?? (await countAnew(trx, userId));
      await addBadges(
        trx,
        earned.map(({ badge, at }) => ({ user_id: userId, badge_type: badge, earned_at: at })),
      );
      await addActivities(
        trx,
        earned.map(({ badge, at }) => badgeActivity(userId, badge, at)),
      );
      await storeProgress(trx, [{ userId, progress, stale: false }]);
      return { added: earned.map(({ badge }) => badge), corrected: differ(readProgress(held.figures), progress) };
    });
    if (outcome !== 'again') return outcome;
  }
}

/** The progress that a whole history comes to, and the badges in it that are not held. */
async function countAnew(db: Database, userId: string): Promise<{ progress: Progress; earned: HeldBadge[] }> {
  const held = await heldBadges(db, userId);
  const known = new Set(held.map(({ badge }) => badge));
  let progress = noProgress;
  const earned: HeldBadge[] = [];
  const hear = (event: FactEvent) => {
    const step = recordFact(progress, event);
    progress = step.progress;
    for (const badge of step.earned) if (!known.has(badge)) earned.push({ badge, at: event.at });
  };
  // Badges that are held are facts too: they are kept, and counted by those that count badges.
  const hearBadgesUntil = (at: number) => {
    while (held[0] && held[0].at < at) {
      const { badge, at: earnedAt } = held.shift()!;
      hear({ fact: 'badge_earned', at: earnedAt, badge });
    }
  };
  for (let after: Place | null = null; ;) {
    const page = await countedFacts(db, userId, after);
    for (const row of page) {
      hearBadgesUntil(row.at);
      hear(eventOf(row));
    }
    after = page.at(-1) ?? null;
    if (page.length < recountedFacts) break;
  }
  hearBadgesUntil(Infinity);
  return { progress, earned: sinceJoining({ progress, earned }) };
}

function differ(before: Progress | null, after: Progress): boolean {
  if (before === null) return true;
  return badgeKeys.some((key) => progressOf(key, before).current !== progressOf(key, after).current);
}
