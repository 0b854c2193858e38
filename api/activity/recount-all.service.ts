import type { BadgeKey } from '#contract/badges.ts';
import type { Database } from '#platform/database.ts';
import { catchUp } from './catch-up.service.ts';
import type { ActivityContext } from './catch-up.service.ts';
import { holdersByBadge, memberCount, membersAfter } from './members.queries.ts';
import { recount } from './recount.service.ts';

/** What a count of many histories came to. */
export interface RecountReport {
  readonly members: number;
  readonly corrected: number;
  readonly failed: number;
  /** Badges that were missing, by the name of who has them now. */
  readonly added: readonly { readonly username: string; readonly badges: readonly BadgeKey[] }[];
}

/**
 * Counts the histories of all members anew, or of one, after what waits is counted. `onProgress` hears of each member
 * that is done. Somebody with whom it fails is logged, and the others are counted.
 */
export async function recountMembers(
  context: ActivityContext,
  only: { readonly id: string; readonly username: string } | null,
  onProgress: (done: number, of: number) => void,
): Promise<RecountReport> {
  const { db, log } = context;
  await catchUp(context);
  const total = only ? 1 : await memberCount(db);
  const report = { members: 0, corrected: 0, failed: 0, added: [] as RecountReport['added'][number][] };
  for await (const { id, username } of only ? [only] : allMembers(db)) {
    try {
      const recounted = await recount(db, id);
      if (recounted?.corrected === true) report.corrected += 1;
      if (recounted && recounted.added.length > 0) report.added.push({ username, badges: recounted.added });
    } catch (error) {
      log.error({ err: error, member: id }, 'could not recalculate a member’s history');
      report.failed += 1;
    }
    report.members += 1;
    onProgress(report.members, total);
  }
  return report;
}

async function* allMembers(db: Database) {
  for (let after = ''; ;) {
    const some = await membersAfter(db, after);
    yield* some;
    const last = some.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** How many members hold each badge, and how many members there are. */
export async function badgeHolders(db: Database): Promise<{ holders: ReadonlyMap<string, number>; members: number }> {
  return { holders: await holdersByBadge(db), members: await memberCount(db) };
}
