import { reconcile } from '#api/voting/reconcile.service.ts';
import { badgeKeys } from '#contract/badges.ts';
import { noProgress } from '#domain/badges/progress.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { hashPassword } from '#platform/password-hash.ts';
import { beginBulkLoad, dropIndexes } from './bulk-load.ts';
import type { BulkLoad } from './bulk-load.ts';
import { busiest, expressions, pollId, sqlWords, dataPlan } from './synthetic-rows.ts';
import type { Sizes, DataPlan } from './synthetic-rows.ts';
import { benchPassword } from './server-process.ts';

/** Rows per generating statement. */
const portion = 200_000;
/** A temporary table with the number of votes of each option. */
const tallies = 'bench_tallies';
/** The badges of the busiest member; others have none to three. */
const busiestBadges = 40;

const refilled = ['users', 'votes', 'ballots', 'community_polls', 'activities', 'facts', 'activity_days'];

/** Reports progress: runs one step with a number of units. */
export type Step = (
  text: string,
  total: number,
  work: (show: (done: number) => void) => Promise<void>,
) => Promise<void>;

interface FillOptions {
  readonly sizes: Sizes;
  /** The end of the generated history; with the same value both databases hold the same rows. */
  readonly now: number;
  readonly step?: Step;
}

/**
 * Fills an empty, migrated database with polls, votes, and members that are the same each time, with correct counters;
 * rows are generated inside the database from numbers. There are no comments, and badges and events are only right in
 * number. The busiest member signs in with `benchPassword`.
 */
export async function fillDatabase(
  url: string,
  { sizes, now, step = (_, __, work) => work(() => undefined) }: FillOptions,
): Promise<DataPlan> {
  const made = dataPlan(sizes);
  const load = await beginBulkLoad(url);
  const { run } = load;
  const e = expressions(sqlWords(load.db), made, now);
  const numbers = (from: number, to: number) => sqlWords(load.db).numbers(from, to);
  /** Statements for the numbers up to `total`. */
  const each = (text: string, total: number, sql: (from: number, to: number) => readonly string[]) =>
    step(text, total, async (show) => {
      for (let from = 0; from < total; from += portion) {
        const to = Math.min(total, from + portion);
        for (const statement of sql(from, to)) await run(statement);
        show(to);
      }
    });

  const remake = await dropIndexes(load, refilled);
  await each('members', made.users, (from, to) => [
    `insert into users (id, username, username_key, email, email_key, password, first_name, created_at, updated_at)
     ${numbers(from, to)} select ${e.member('i')}, ${e.member('i')}, ${e.member('i')}, ${e.member('i')} || '@example.org',
       ${e.member('i')} || '@example.org', '', 'Member', ${now} - 90000000000, ${now} - 90000000000 from n`,
  ]);
  await load
    .db('users')
    .where({ id: busiest })
    .update({ password: await hashPassword(benchPassword) });
  await each('votes', made.votes, (from, to) => [
    `insert into votes (id, ballot_key, option_key, device, cookie, user_id, created_at, noted)
     ${numbers(from, to)} select i + 1, ${e.pollKey('ballot')}, ${e.optionKey('ballot', e.choice)}, ${e.device}, ${e.cookie},
       ${e.voterAccount}, ${e.voted}, (${e.voterAccount}) is not null from ${e.votes}`,
  ]);
  // No index finds the votes of a poll.
  const tallied = [
    `create table ${tallies} (option_key integer primary key, votes integer not null)`,
    `insert into ${tallies} (option_key, votes) select option_key, count(*) from votes group by option_key order by option_key`,
  ];
  await inOrder(load, 'indexes', [...remake.filter(isOn('votes')), ...tallied], step);
  await each('polls, options, and counters', made.polls, (from, to) => pollStatements(e, numbers(from, to), from, to));
  await inOrder(load, 'indexes', remake.filter(isOn('users', 'ballots', 'community_polls')), step);
  await each('activities', made.votes, (from, to) => [
    `insert into activities (user_id, activity_type, entity_id, entity_type, metadata, created_at)
     select v.user_id, 'vote', b.id, case b.kind when 'poll' then 'poll' else 'community_poll' end,
       '{"category":null}', v.created_at
     from votes v join ballots b on b.key = v.ballot_key where v.id > ${from} and v.id <= ${to} and v.user_id is not null`,
  ]);
  await inOrder(
    load,
    'events, badges, and progress',
    memberStatements(made, now, numbers(0, made.users), e.member('i')),
    step,
  );
  await inOrder(load, 'indexes', remake.filter(isOn('activities', 'facts', 'activity_days')), step);
  await inOrder(load, 'archive and headline figures', counterStatements(made, isSqlite(load.db)), step);
  await step('housekeeping', 1, () => load.end());
  return made;
}

/** Whether a statement creates an index of one of these tables. */
const isOn =
  (...tables: readonly string[]) =>
  (statement: string) =>
    tables.some((table) =>
      new RegExp(`^create .* on (\\w+\\.)?[\`"]?${table}\\b|^alter table ${table} `, 'i').test(statement),
    );

async function inOrder(load: BulkLoad, text: string, statements: readonly string[], step: Step): Promise<void> {
  await step(text, statements.length, async (show) => {
    for (const [n, statement] of statements.entries()) {
      await load.run(statement);
      show(n + 1);
    }
  });
}

/** Polls with options and counters, computed from the votes. */
function pollStatements(e: ReturnType<typeof expressions>, numbers: string, from: number, to: number): string[] {
  const here = `ballot_id >= '${pollId(from)}' and ballot_id < '${pollId(to)}'`;
  return [
    `insert into ballot_options (key, ballot_id, option_id, position, offered, text, base_votes, votes)
     ${numbers}
     select o.key, o.id, o.option_id, o.position, o.position < 3, 'Answer number ' || (o.position + 1), o.base,
       o.base + coalesce(c.votes, 0)
     from (
       select ${e.optionKey('i', 'position')} as key, ${e.poll('i')} as id, 'option-' || (position + 1) as option_id, position, ${e.baseVotes('position')} as base
       from n join (select 0 as position union all select 1 union all select 2 union all select 3) positions
         on position < 3 or ${e.isWeekly}
     ) o
     left join ${tallies} c on c.option_key = o.key`,
    `insert into ballots (key, id, kind, is_active, listed, in_totals, category, starts_at, ends_at, closed_at, base_votes, total_votes,
       noted_votes, noted_end)
     ${numbers}
     select ${e.pollKey('i')}, ${e.poll('i')}, case when ${e.isWeekly} then 'poll' else 'community' end, not ${e.isClosed},
       ${e.isWeekly} or ${e.visibility} = 'public', ${e.isWeekly} or ${e.visibility} = 'public', ${e.category}, ${e.made},
       case when ${e.isWeekly} then case when ${e.isClosed} then ${e.closed} else ${e.openUntil} end end,
       case when ${e.isClosed} then ${e.closed} end, o.base, o.votes,
       case when ${e.isWeekly} then 0 else o.votes end, not (${e.isWeekly}) and ${e.isClosed}
     from n join (
       select ballot_id, sum(base_votes) as base, sum(votes) as votes from ballot_options where ${here} group by ballot_id
     ) o on o.ballot_id = ${e.poll('i')}`,
    `insert into polls (id, question, description, tags, author, summary, analysis, created_at, updated_at)
     ${numbers}
     select ${e.poll('i')}, 'Poll ' || i || ': which of these should a city do first about its oldest streets?',
       'One of many polls that only the benchmark reads. It has a description of about the usual length.',
       '["benchmark"]', 'The benchmark', case when ${e.isClosed} then 'Poll ' || i || ' is closed.' end,
       case when ${e.isClosed} then '<p>${'Nothing about anyone. '.repeat(20)}</p>' end, ${e.made}, ${e.made}
     from n where ${e.isWeekly}`,
    `insert into community_polls (id, question, description, visibility, category, featured, created_by, created_at,
       updated_at)
     ${numbers}
     select ${e.poll('i')}, 'Community poll ' || i || ': which of these should a city do first?',
       'A poll that only the benchmark reads.', ${e.visibility}, ${e.category}, ${e.featured}, ${e.creator}, ${e.made},
       ${e.made}
     from n where not (${e.isWeekly})`,
  ];
}

/** The activities and badges of members. */
function memberStatements({ users }: DataPlan, now: number, numbers: string, member: string): string[] {
  const keys = badgeKeys.slice(0, busiestBadges);
  // The busiest member has all of these; member n has the first n % 4.
  const places = keys.map((key, place) => `select ${place} as place, '${key}' as badge`).join(' union all ');
  const holds = `i = 0 and place < ${busiestBadges} or i > 0 and i % 4 > place`;
  const first = (count: number) => JSON.stringify(keys.slice(0, count)).slice(1, -1);
  const figures = JSON.stringify({
    ...noProgress,
    counts: { ...noProgress.counts, votes: -1, polls: -2 },
    badges: ['@'],
  });
  const held = `case when i = 0 then '${first(busiestBadges)}' when i % 4 = 1 then '${first(1)}' when i % 4 = 2 then '${first(2)}'
    when i % 4 = 3 then '${first(3)}' else '' end`;
  const count = (type: string) =>
    `(select count(*) from activities a where a.user_id = ${member} and a.activity_type = '${type}')`;
  return [
    `insert into activities (user_id, activity_type, entity_id, entity_type, metadata, created_at)
     select created_by, 'poll_created', id, 'community_poll', '{"visibility":"' || visibility || '","category":null,"options":3}',
       created_at from community_polls`,
    `insert into facts (user_id, fact, subject, at, details, counted)
     select user_id, case activity_type when 'vote' then 'vote_cast' else 'poll_created' end, entity_id, created_at,
       '{"category":null}', true from activities`,
    `insert into activity_days (user_id, day, count)
     select user_id, created_at / 86400000, count(*) from activities group by user_id, created_at / 86400000`,
    `insert into badges (user_id, badge_type, earned_at, announced)
     ${numbers} select ${member}, badge, ${now} - 1000 * (1 + place), true from n join (${places}) places on ${holds}`,
    'create index bench_activities on activities (user_id, activity_type)',
    `insert into progress (user_id, figures)
     ${numbers} select ${member}, replace(replace(replace('${figures}', '"votes":-1', '"votes":' || ${count('vote')}),
       '"polls":-2', '"polls":' || ${count('poll_created')}), '"@"', ${held}) from n where i < ${users}`,
    'drop index bench_activities',
    `insert into activities (user_id, activity_type, entity_id, entity_type, metadata, created_at)
     select user_id, 'badge_earned', badge_type, 'badge', '{}', earned_at from badges`,
  ];
}

/** The counters over all polls. */
function counterStatements({ devices }: DataPlan, sqlite: boolean): string[] {
  return [
    `drop table ${tallies}`,
    ...(sqlite
      ? []
      : [
          ['votes', 'id'],
          ['ballots', 'key'],
          ['ballot_options', 'key'],
        ].map(
          ([table, column]) =>
            `select setval(pg_get_serial_sequence('${table}', '${column}'), (select max(${column}) from ${table}))`,
        )),
    `insert into archive_categories (category, closed_polls)
     select coalesce(category, ''), count(*) from ballots where kind = 'poll' and closed_at is not null group by 1`,
    `update statistics set total_votes = (select sum(total_votes) from ballots where listed and in_totals),
       imported_votes = (select sum(base_votes) from ballots where listed and in_totals),
       total_polls = (select count(*) from ballots where listed and in_totals), total_participants = ${devices + 1} where shard = 0`,
  ];
}

/** The number of votes up to which every counter is compared with its rows; with ten million that takes minutes. */
const allUpTo = 1_000_000;
const sample = 500;

/**
 * Throws if a filled database, including later votes, is inconsistent: checks every counter, or sums and a sample in a
 * large database.
 */
export async function checkFilling(db: Database, engine: string, made: DataPlan, votedSince = 0): Promise<void> {
  const votes = made.votes + votedSince;
  const fail = (what: string) => {
    throw new Error(`${engine}: the data was not filled correctly: ${what}`);
  };
  if (made.votes <= allUpTo) {
    const { wrongCounters, recordedVotes } = await reconcile(db);
    if (wrongCounters.length > 0 || recordedVotes !== votes)
      fail(JSON.stringify({ recordedVotes, votes, wrongCounters: wrongCounters.slice(0, 5) }));
    return;
  }
  const expected = {
    votes,
    polls: made.polls,
    'votes counted on options': votes,
    'votes counted on polls': votes,
  };
  const count = async (table: string, what = 'count(*)') => {
    const row = await db(table).first<{ figure: number | string }>(db.raw(`${what} as figure`));
    return Number(row.figure);
  };
  const found = {
    votes: await count('votes'),
    polls: await count('ballots'),
    'votes counted on options': await count('ballot_options', 'sum(votes - base_votes)'),
    'votes counted on polls': await count('ballots', 'sum(total_votes - base_votes)'),
  };
  if (JSON.stringify(found) !== JSON.stringify(expected)) fail(JSON.stringify({ found, expected }));
  const ids = Array.from({ length: sample }, (_, n) => pollId(Math.floor((n * made.polls) / sample)));
  const options = db('ballot_options').whereIn('ballot_id', [...ids, pollId(made.hottest)]);
  // One scan of all votes, because no index finds those of an option.
  const cast = db('votes').whereIn('option_key', options.clone().select('key')).groupBy('option_key');
  const wrong = await options
    .leftJoin(cast.select('option_key').count({ cast_here: '*' }).as('c'), 'c.option_key', 'ballot_options.key')
    .whereRaw('votes - base_votes <> coalesce(cast_here, 0)')
    .pluck<string[]>('ballot_id');
  if (wrong.length > 0) fail(wrong.join(', '));
}

/** The size of the database in bytes. */
export async function databaseBytes(db: Database): Promise<number> {
  if (!isSqlite(db)) {
    const answer = await db.raw<{
      rows: { bytes: number }[];
    }>('select pg_database_size(current_database()) as bytes');
    return Number(answer.rows[0]?.bytes);
  }
  const [pages] = await db.raw<{ page_count: number }[]>('pragma page_count');
  const [size] = await db.raw<{ page_size: number }[]>('pragma page_size');
  return (pages?.page_count ?? 0) * (size?.page_size ?? 0);
}
