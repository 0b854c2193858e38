import type { Database } from '#platform/database.ts';
import { noProgress } from '#domain/badges/progress.ts';

/**
 * Gives a member a history of `count` votes and comments up to `now`: one every two minutes, already projected. The
 * polls themselves don’t exist.
 */
export async function addLongHistory(db: Database, userId: string, count: number, now: number): Promise<void> {
  const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`;
  const at = `${now} - 120000 * cast(i as bigint)`;
  await db.raw(
    `insert into activities (user_id, activity_type, entity_id, entity_type, metadata, created_at) ${numbers}
     select '${userId}', case when i % 10 = 0 then 'comment' else 'vote' end, 'b' || i,
       case when i % 10 = 0 then 'comment' else 'poll' end, '{"pollId":"x"}', ${at} from n`,
  );
  await db.raw(
    `insert into facts (user_id, fact, subject, at, details, counted) ${numbers}
     select '${userId}', 'poll_opened', 'b' || i, ${at}, '{"pollId":"b' || i || '"}', true from n`,
  );
  await db.raw(
    `insert into activity_days (user_id, day, count)
     select user_id, created_at / 86400000, count(*) from activities where user_id = '${userId}'
     group by user_id, created_at / 86400000`,
  );
  const counts = { ...noProgress.counts, votes: count * 0.9, comments: count * 0.1, openedPolls: count };
  await db('progress')
    .where({ user_id: userId })
    .update({ figures: JSON.stringify({ ...noProgress, counts }) });
  await db.raw('analyze');
}
