import { reconcile } from '#api/voting/reconcile.service.ts';
import { addTotals } from '#api/voting/statistics.service.ts';
import { recordVotesSql } from '#api/voting/vote-events.queries.ts';
import { communityCategories } from '#contract/vocabulary.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { hashPassword } from '#platform/password-hash.ts';
import { makePolls } from './make-polls.ts';
import { benchPassword } from './server-process.ts';

const openPolls = 12;
/** Votes for each of the offered options of every poll. */
const votesEach = [5, 3, 2];
/** The member with one vote in a hundred, and one community poll in twenty; signs in with `benchPassword`. */
export const busiest = 'member-0';

/** What was filled in. */
export interface Filled {
  /** Closed weekly polls. */
  readonly closed: readonly string[];
  /** An open weekly poll with as many more votes as there are polls. */
  readonly hottest: string;
  readonly community: number;
  readonly votes: number;
}

/** A table `n` with the numbers `i` from 0 up to, but not including, `count`. */
const numbers = (count: number) =>
  `with recursive n (i) as (select cast(0 as bigint) union all select i + 1 from n where i + 1 < ${count})`;

/**
 * Fills an empty, migrated database with polls, one in five by a member, eleven votes for each, and a member for every ten
 * polls, with correct counters. Rows are generated inside the database.
 */
export async function fillDatabase(db: Database, polls: number, now: number): Promise<Filled> {
  const community = Math.floor(polls / 5);
  const users = Math.floor(polls / 10);
  const votes = 11 * polls;
  const closed = await makePolls(db, polls - community - openPolls, 'closed', now);
  const [hottest = ''] = await makePolls(db, openPolls, 'open', now);
  const password = await hashPassword(benchPassword);
  await db.transaction(async (trx) => {
    await trx.raw(
      `insert into users (id, username, username_key, password, created_at, updated_at)
       ${numbers(users)} select 'member-' || i, 'member-' || i, 'member-' || i, '', ${now} - 90000000000, ${now} from n`,
    );
    await trx('users').where({ id: busiest }).update({ password });
    await fillCommunity(trx, community, users, now);
    await fillVotes(trx, polls, users, hottest);
    await fillHistories(trx);
    const listed = { kind: 'community', listed: true };
    const [published] = await trx('ballots').where(listed).count<{ polls: number }[]>({ polls: '*' });
    const [seen] = await trx('ballots')
      .where('listed', true)
      .sum<{ votes: number }[]>({ votes: trx.raw('total_votes - base_votes') });
    await addTotals(trx, {
      total_polls: Number(published?.polls),
      total_votes: Number(seen?.votes),
      total_participants: votes,
    });
  });
  if (!isSqlite(db)) await db.raw('vacuum analyze');
  return { closed, hottest, community, votes };
}

/** Ballots of community polls, most of them listed and half of them closed, and the polls themselves. */
async function fillCommunity(trx: Database, count: number, users: number, now: number): Promise<void> {
  const id = "'community-' || i";
  const begun = `${now} - (i + 2) * ${Math.floor((3 * 365 * 86_400_000) / (count + 2))}`;
  const categories = communityCategories.map((name, n) => `when ${n} then '${name}'`).join(' ');
  const category = `case i % ${communityCategories.length} ${categories} end`;
  await trx.raw(
    `insert into ballots (id, kind, listed, in_totals, category, starts_at, closed_at, total_votes)
     ${numbers(count)} select ${id}, 'community', i % 10 < 8, i % 10 < 8, ${category}, ${begun},
       case when i % 2 = 0 then ${begun} + 1000 end, 10 from n`,
  );
  await trx.raw(
    `insert into ballot_options (ballot_id, option_id, position, offered, text)
     ${numbers(votesEach.length)} select id, 'option-' || (i + 1), i, true, 'Answer number ' || (i + 1)
     from ballots cross join n where kind = 'community'`,
  );
  await trx.raw(
    `insert into community_polls (id, question, description, visibility, category, featured, created_by, created_at,
       updated_at)
     ${numbers(count)} select ${id}, 'Community poll ' || i || ': which of these should a city do first?',
       'A poll that only the benchmark reads.',
       case i % 10 when 8 then 'unlisted' when 9 then 'private' else 'public' end, ${category}, i % 1000 = 0,
       case when i % 20 = 0 then '${busiest}' else 'member-' || (1 + i * 7919 % ${users - 1}) end, ${begun}, ${begun} from n`,
  );
}

/** The same number of votes on every poll, one of each by a member, and many more on the hottest. */
async function fillVotes(trx: Database, polls: number, users: number, hottest: string): Promise<void> {
  const digest = isSqlite(trx) ? 'randomblob(16)' : 'gen_random_uuid()';
  const each = `case position ${votesEach.map((votes, place) => `when ${place} then ${votes}`).join(' ')} else 0 end`;
  const voter = `case when b.key % 10 = 0 then '${busiest}' else 'member-' || (1 + cast(b.key as bigint) * 7919 % ${users - 1}) end`;
  const cast = (count: number, byMembers: string, which: string) =>
    trx.raw(
      `insert into votes (ballot_key, option_key, device, cookie, user_id, created_at)
       ${numbers(count)} select b.key, o.key, ${digest}, case when n.i % 2 = 0 then ${digest} end,
         case when ${byMembers} then ${voter} end, b.starts_at + 1000 * n.i
       from ballots b join ballot_options o on o.ballot_id = b.id cross join n where ${which}`,
    );
  await cast(Math.max(...votesEach), 'o.position = 0 and n.i = 0', `n.i < ${each}`);
  await cast(polls, 'n.i < 0', `b.id = '${hottest}' and o.position = 0`);
  await trx.raw(`update ballot_options set votes = base_votes + ${each}`);
  await trx.raw('update ballots set total_votes = base_votes + 10');
  await trx('ballot_options').where({ ballot_id: hottest, position: 0 }).increment('votes', polls);
  await trx('ballots').where({ id: hottest }).increment('total_votes', polls);
}

/** What members did. */
async function fillHistories(trx: Database): Promise<void> {
  await trx.raw(recordVotesSql(isSqlite(trx), '(select * from votes)'));
  await trx.raw(
    `insert into events (at, type, subject_kind, subject, member_id, after)
     select created_at, 'poll.created', 'community-poll', id, created_by,
       '{"visibility":"' || visibility || '","category":null,"options":3}' from community_polls`,
  );
}

/** Throws unless so many votes are rows and every counter equals its rows. */
export async function expectCounted(name: string, db: Database, votes: number): Promise<void> {
  const { recordedVotes, wrongCounters } = await reconcile(db);
  if (recordedVotes !== votes || wrongCounters.length > 0)
    throw new Error(
      `${name}: ${votes} votes were accepted, but ${recordedVotes} are recorded` +
        wrongCounters
          .slice(0, 5)
          .map(({ counter, counted, expected }) => `; ${counter} is ${counted}, not ${expected}`)
          .join(''),
    );
}

/** The size of the database in bytes. */
export async function databaseBytes(db: Database): Promise<number> {
  if (!isSqlite(db)) {
    const { rows } = await db.raw<{ rows: { bytes: number }[] }>(
      'select pg_database_size(current_database()) as bytes',
    );
    return Number(rows[0]?.bytes);
  }
  const [pages] = await db.raw<{ page_count: number }[]>('pragma page_count');
  const [size] = await db.raw<{ page_size: number }[]>('pragma page_size');
  return (pages?.page_count ?? 0) * (size?.page_size ?? 0);
}
