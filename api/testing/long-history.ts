import type { Database } from '#platform/database.ts';

/**
 * Gives a member a history of `count` votes and comments up to `now`, one every two minutes, and as many polls opened. The
 * polls themselves don’t exist.
 */
export async function addLongHistory(db: Database, userId: string, count: number, now: number): Promise<void> {
  const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`;
  const at = `${now} - 120000 * cast(i as bigint)`;
  const insert = 'insert into events (at, type, subject_kind, subject, member_id, after)';
  await db.raw(
    `${insert} ${numbers} select (${at}) / 86400000 * 86400000, 'vote.cast', 'poll', 'b' || i, '${userId}',
       '{"category":"Science","traits":[]}' from n where i % 10 <> 0`,
  );
  await db.raw(
    `${insert} ${numbers} select ${at}, 'comment.posted', 'comment', 'c' || i, '${userId}',
       '{"poll":"x","full":false}' from n where i % 10 = 0`,
  );
  await db.raw(`${insert} ${numbers} select ${at}, 'poll.viewed', 'poll', 'b' || i, '${userId}', null from n`);
  await db.raw('analyze');
}
