import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { beginBulkLoad } from './bulk-load.ts';
import { dataPlan, expressions, sqlWords } from './synthetic-rows.ts';

/** Rows per generating statement. */
const portion = 100_000;

/**
 * Adds `count` votes of new devices, half of them with a cookie, to a poll with three options in a database without votes,
 * with exact counters; the ids are 1 to `count`. The rows are generated inside the database.
 */
export async function addVotes(
  url: string,
  pollId: string,
  count: number,
  onProgress: (done: number) => void,
): Promise<void> {
  const load = await beginBulkLoad(url);
  const words = sqlWords(load.db);
  const now = Date.now();
  const { device, cookie } = expressions(words, dataPlan({ polls: 100, votes: 1_000, users: 10 }), now);
  const ballot = `'${pollId}'`;
  const ballotKey = `(select key from ballots where id = ${ballot})`;
  const optionKey = `(select key from ballot_options where ballot_id = ${ballot} and option_id = 'option-' || (1 + i % 3))`;
  for (let from = 0; from < count; from += portion) {
    const to = Math.min(count, from + portion);
    await load.run(
      `insert into votes (id, ballot_key, option_key, device, cookie, created_at)
       ${words.numbers(from, to)} select i + 1, ${ballotKey}, ${optionKey}, ${device}, ${cookie}, ${now} - ${count} + i
       from (select i, i as voter from n) voters`,
    );
    onProgress(to);
  }
  if (!isSqlite(load.db)) await load.run(`select setval(pg_get_serial_sequence('votes', 'id'), ${count})`);
  await load.run(
    `update ballot_options set votes = votes +
       (select count(*) from votes v where v.option_key = ballot_options.key)
     where ballot_id = ${ballot}`,
  );
  await load.run(`update ballots set total_votes = total_votes + ${count} where id = ${ballot}`);
  await load.run(
    `update statistics set total_votes = total_votes + ${count}, total_participants = total_participants + ${count}
     where shard = 0`,
  );
  await load.end();
}

/** Whether a poll is gone with all of the votes that {@link addVotes} gave it. */
export async function isGone(db: Database, pollId: string, count: number): Promise<boolean> {
  return (
    !(await db('ballots').where({ id: pollId }).first('id')) &&
    !(await db('votes').where('id', '<=', count).first('id'))
  );
}
