import type { Database } from '#platform/database.ts';
import { readProgress } from './counting.service.ts';
import { badgesOf, countedByKind, settledFigures } from './figures-check.queries.ts';
import { membersAfter } from './members.queries.ts';

/** The figures that count facts of one kind. */
const figureOf = {
  vote_cast: 'votes',
  poll_created: 'polls',
  comment_posted: 'comments',
  poll_shared: 'shares',
  poll_opened: 'openedPolls',
  invite_accepted: 'acceptedInvites',
} as const;

/**
 * Compares every member's figures and badges with the facts that are part of them. Answers how many members there are, and
 * the names of those of whom something is wrong; what waits to be counted is not wrong.
 */
export async function checkFigures(db: Database): Promise<{ members: number; wrong: readonly string[] }> {
  const wrong: string[] = [];
  let members = 0;
  for (let after = ''; ;) {
    const some = await membersAfter(db, after);
    const ids = some.map(({ id }) => id);
    members += some.length;
    const facts = new Map(
      (await countedByKind(db, ids)).map(({ userId, fact, count }) => [`${userId} ${fact}`, count]),
    );
    const held = new Map<string, string[]>();
    for (const { user_id, badge_type } of await badgesOf(db, ids))
      held.set(user_id, [...(held.get(user_id) ?? []), badge_type]);
    const names = new Map(some.map(({ id, username }) => [id, username]));
    for (const { user_id: id, figures } of await settledFigures(db, ids)) {
      const progress = readProgress(figures);
      if (progress === null) continue;
      const right =
        Object.entries(figureOf).every(
          ([fact, figure]) => progress.counts[figure] === (facts.get(`${id} ${fact}`) ?? 0),
        ) && [...progress.badges].sort().join() === (held.get(id) ?? []).sort().join();
      if (!right) wrong.push(names.get(id) ?? id);
    }
    const last = some.at(-1);
    if (!last) return { members, wrong };
    after = last.id;
  }
}
