import type { BadgeKey } from '#contract/badges.ts';
import { readProgress } from '#domain/badges/progress.ts';
import type { Database } from '#platform/database.ts';
import { projectPending } from './activity.service.ts';
import type { ActivityContext } from './activity.service.ts';
import { MemberModel } from './badge.model.ts';
import { recountMember } from './projector.service.ts';

const membersPerQuery = 1_000;

/** The result of a recount of many members. */
export interface RecountReport {
  readonly members: number;
  readonly corrected: number;
  readonly failed: number;
  /** Badges that were missing, by member. */
  readonly added: readonly { readonly username: string; readonly badges: readonly BadgeKey[] }[];
}

/**
 * Projects what is pending and then recounts all members, or one. `onProgress` is called after each member. A member for
 * whom it fails is logged and skipped.
 */
export async function recountMembers(
  context: ActivityContext,
  only: Pick<MemberModel, 'id' | 'username'> | null,
  onProgress: (done: number, of: number) => void,
): Promise<RecountReport> {
  const { db, log } = context;
  await projectPending(context);
  const total = only ? 1 : await memberCount(db);
  const report = { members: 0, corrected: 0, failed: 0, added: [] as RecountReport['added'][number][] };
  for await (const members of only ? [[only]] : memberPages(db))
    for (const { id, username } of members) {
      try {
        const recounted = await recountMember(db, id);
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

/** How many members hold each badge, and how many members there are. */
export async function badgeHolders(db: Database): Promise<{ holders: ReadonlyMap<string, number>; members: number }> {
  const rows = await db('badges')
    .groupBy('badge_type')
    .count({ count: '*' })
    .select<{ badge_type: string; count: number | string }[]>('badge_type');
  return {
    holders: new Map(rows.map(({ badge_type, count }) => [badge_type, Number(count)])),
    members: await memberCount(db),
  };
}

/** The figures that count events of one type. */
const figureOf = {
  vote_cast: 'votes',
  poll_created: 'polls',
  own_poll_qualified: 'qualifiedPolls',
  comment_posted: 'comments',
  poll_shared: 'shares',
  poll_opened: 'openedPolls',
  invite_accepted: 'acceptedInvites',
} as const;

/** Compares every member's figures and badges with the projected events; returns the names of members with differences. */
export async function checkFigures(db: Database): Promise<{ members: number; wrong: readonly string[] }> {
  const wrong: string[] = [];
  let members = 0;
  for await (const page of memberPages(db, '[badges, progress]')) {
    members += page.length;
    const ids = page.map(({ id }) => id);
    const counts = await db('facts')
      .whereIn('user_id', ids)
      .where({ counted: true })
      // Votes that are set aside don’t count, nor do polls without them.
      .whereNot('details', 'like', '%"setAside":true%')
      .groupBy('user_id', 'fact')
      .count({ count: '*' })
      .select<{ user_id: string; fact: string; count: number | string }[]>('user_id', 'fact');
    const events = new Map(counts.map(({ user_id, fact, count }) => [`${user_id} ${fact}`, Number(count)]));
    for (const { id, username, badges, progress } of page) {
      const stored = progress && readProgress(progress.figures);
      // Progress of another version is about to be computed again.
      if (!stored) continue;
      const held = badges.map(({ badge_type }) => badge_type);
      const right =
        Object.entries(figureOf).every(
          ([type, figure]) => stored.counts[figure] === (events.get(`${id} ${type}`) ?? 0),
        ) && stored.badges.toSorted().join() === held.sort().join();
      if (!right) wrong.push(username);
    }
  }
  return { members, wrong };
}

const memberCount = (db: Database) => MemberModel.query(db).resultSize();

async function* memberPages(db: Database, relations = '[]'): AsyncGenerator<MemberModel[]> {
  for (let after = ''; ;) {
    const members = await MemberModel.query(db)
      .where('id', '>', after)
      .orderBy('id')
      .limit(membersPerQuery)
      .select('id', 'username')
      .withGraphFetched(relations);
    const last = members.at(-1);
    if (!last) return;
    yield members;
    after = last.id;
  }
}
