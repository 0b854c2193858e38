import { circumstanceNames } from '#contract/vocabulary.ts';
import { demonstrationMembers } from '#content/demo/community-polls.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { circumstances } from '#domain/integrity/vote-traits.ts';
import { countedFurther } from './choices.model.ts';
import { isCounted } from './voting.service.ts';

/** A counter that differs from its rows. */
export interface WrongCounter {
  /** What it counts, such as "votes of ballot x". */
  readonly counter: string;
  readonly counted: number;
  readonly expected: number;
}

/** The comparison of all counters with their rows. */
export interface Reconciliation {
  readonly wrongCounters: readonly WrongCounter[];
  readonly recordedVotes: number;
}

// PostgreSQL would hash the votes without a cookie, too, all to one value, for minutes with a million votes.
const participants = `
  (
    select count(*) from votes v
    where ${isCounted('v')}
      and not exists (select 1 from votes w where w.device = v.device and w.id < v.id)
      and (v.cookie is null or not exists (select 1 from votes w where w.cookie = v.cookie and w.id < v.id))
      and not exists (select 1 from voters where digest in (v.device, v.cookie))
  ) + (select coalesce(sum(counted), 0) from voters)`;

const headlines = {
  total_votes: `(select coalesce(sum(base_votes), 0) from ballots where listed and in_totals)
    + (select count(*) from votes v join ballots b on b.key = v.ballot_key where b.listed and b.in_totals and ${isCounted('v')})`,
  set_aside_votes: `(select count(*) from votes v join ballots b on b.key = v.ballot_key
    where b.listed and b.in_totals and not ${isCounted('v')})`,
  imported_votes: '(select coalesce(sum(base_votes), 0) from ballots where listed and in_totals)',
  total_participants: participants,
  total_polls: '(select count(*) from ballots where listed and in_totals)',
} as const;

const demonstrationAccounts = Object.values(demonstrationMembers).map(({ id }) => `'${id}'`);
/** Whether a ballot should count toward the headline figures; a process of the previous release sets its flag wrong. */
const belongsInTotals = `(
  ballots.listed and not exists (select 1 from polls p where p.id = ballots.id and p.demonstration)
  and not exists (
    select 1 from community_polls c where c.id = ballots.id and (c.visibility <> 'public' or c.created_by in (${demonstrationAccounts.join()}))
  )
)`;

const numberOf = (condition: string) => `sum(case when ${condition} then 1 else 0 end)`;
const castHere = (votes: string) =>
  `${numberOf(isCounted(votes))} as cast_here, ${numberOf(`not ${isCounted(votes)}`)} as set_aside`;
const castByOption = `(
  select ballot_key, option_key, sum(cast_here) as cast_here, sum(set_aside) as set_aside from (
    select ballot_key, option_key, ${castHere('votes')} from votes group by ballot_key, option_key
    union all select v.ballot_key, f.key, ${castHere('v')} from ${countedFurther()} group by v.ballot_key, f.key
  ) chosen group by ballot_key, option_key
)`;
const castByBallot = `(select ballot_key, ${castHere('votes')} from votes group by ballot_key)`;

const apart = circumstanceNames.map((name) => circumstances[name]);
/** The votes of each option by circumstance. Erasing votes takes their traits, and begins 30 days after the end. */
const castApart = `select option_key, ${numberOf('traits is null')} as erased
  ${apart.map(({ column, trait }) => `, ${numberOf(`traits & ${trait} <> 0`)} as ${column}`).join('')}
  from votes group by option_key`;

/** Every counter: its name, its value, and the value according to its rows. */
const counters = [
  `select 'votes of option ' || o.ballot_id || '/' || o.option_id as counter, o.votes as counted,
     o.base_votes + coalesce(v.cast_here, 0) as expected
   from ballot_options o
   join ballots b on b.id = o.ballot_id
   left join ${castByOption} v on v.option_key = o.key and v.ballot_key = b.key`,
  `select 'votes set aside of option ' || o.ballot_id || '/' || o.option_id, o.set_aside, coalesce(v.set_aside, 0)
   from ballot_options o
   join ballots b on b.id = o.ballot_id
   left join ${castByOption} v on v.option_key = o.key and v.ballot_key = b.key`,
  ...apart.map(
    ({ column }) =>
      `select '${column} of option ' || o.ballot_id || '/' || o.option_id, o.${column}, coalesce(a.${column}, 0)
     from ballot_options o left join apart a on a.option_key = o.key
     where coalesce(a.erased, 0) = 0`,
  ),
  `select 'votes of ballot ' || b.id, b.total_votes, b.base_votes + coalesce(v.cast_here, 0)
   from ballots b left join ${castByBallot} v on v.ballot_key = b.key`,
  `select 'votes set aside of ballot ' || b.id, b.set_aside_votes, coalesce(v.set_aside, 0)
   from ballots b left join ${castByBallot} v on v.ballot_key = b.key`,
  `select 'held votes of ballot ' || b.id, b.held_votes, coalesce(d.held, 0)
   from ballots b left join (
     select ballot_key, sum(votes) as held from vote_decisions where state = 'held' group by ballot_key
   ) d on d.ballot_key = b.key`,
  `select 'votes of decision ' || d.number || ' of ballot ' || b.id, d.votes, coalesce(v.decided, 0)
   from vote_decisions d
   join ballots b on b.key = d.ballot_key
   left join (select decision_key, count(*) as decided from votes where decision_key is not null group by decision_key) v
     on v.decision_key = d.key
   where d.state in ('held', 'set-aside')`,
  `select 'imported votes of ballot ' || b.id, b.base_votes, coalesce(o.imported, 0)
   from ballots b
   left join (select ballot_id, sum(base_votes) as imported from ballot_options group by ballot_id) o on o.ballot_id = b.id`,
  `select 'ballot ' || id || ' in the totals', case when in_totals then 1 else 0 end, case when ${belongsInTotals} then 1 else 0 end
   from ballots`,
  `select 'comments of community poll ' || p.id, p.comment_count, coalesce(c.shown, 0)
   from community_polls p
   left join (select poll_id, count(*) as shown from comments where not hidden group by poll_id) c on c.poll_id = p.id`,
  `select 'closed polls of category "' || coalesce(a.category, c.category) || '"', coalesce(a.closed_polls, 0),
     coalesce(c.closed, 0)
   from archive_categories a
   full join (
     select coalesce(category, '') as category, count(*) as closed from ballots
     where kind = 'poll' and closed_at is not null group by coalesce(category, '')
   ) c on c.category = a.category`,
  ...Object.entries(headlines).map(
    ([column, expected]) =>
      `select 'headline ${column.replace('total_', '')}', (select sum(${column}) from statistics), ${expected}`,
  ),
];

/** Compares every counter with its rows, in full table scans: for tests, benchmarks, and the doctor. */
export async function reconcile(db: Database): Promise<Reconciliation> {
  const wrong = await rowsOf<{ counter: string; counted: number | string; expected: number | string }>(
    db,
    `with apart as (${castApart}) select * from (${counters.join('\nunion all\n')}) compared where counted <> expected order by counter`,
  );
  const [votes] = await rowsOf<{ count: number | string }>(
    db,
    'select count(*) as count from votes v join ballots b on b.key = v.ballot_key',
  );
  return {
    wrongCounters: wrong.map(({ counter, counted, expected }) => ({
      counter,
      counted: Number(counted),
      expected: Number(expected),
    })),
    recordedVotes: Number(votes?.count),
  };
}

/**
 * Sets every counter to the value according to its rows and returns those that were wrong. Votes and other writes wait
 * until it is done.
 */
export async function recountAll(db: Database): Promise<readonly WrongCounter[]> {
  return db.transaction(async (trx) => {
    if (!isSqlite(trx)) {
      await trx.raw("set local lock_timeout = '20s'");
      // In the order in which other transactions first write to them: batches of marks begin with the decision.
      await trx.raw(
        `lock table unfinished_decisions, voters, votes, ballots, ballot_options, vote_decisions, statistics, community_polls, comments, archive_categories
         in share row exclusive mode`,
      );
    }
    const { wrongCounters } = await reconcile(trx);
    if (wrongCounters.length > 0) for (const statement of corrections) await trx.raw(statement);
    return wrongCounters;
  });
}

const [counted, setAside] = [isCounted('v'), `not ${isCounted('v')}`];
const ofOption = (which: string) => `(
  (
    select count(*) from votes v join ballots b on b.key = v.ballot_key
    where v.option_key = ballot_options.key and b.id = ballot_options.ballot_id and ${which}
  ) + (select count(*) from ${countedFurther()} where f.key = ballot_options.key and ${which})
)`;
const castForOption = ofOption(counted);
const setAsideForOption = ofOption(setAside);
const votesOfOption = (which: string) =>
  `(select count(*) from votes v where v.option_key = ballot_options.key and ${which})`;
const imported = '(select coalesce(sum(o.base_votes), 0) from ballot_options o where o.ballot_id = ballots.id)';
const onBallot = (which: string) => `(select count(*) from votes v where v.ballot_key = ballots.key and ${which})`;
const castOnBallot = onBallot(counted);
const setAsideOnBallot = onBallot(setAside);
const inDecision = '(select count(*) from votes v where v.decision_key = vote_decisions.key)';
const heldOnBallot = `(
  select coalesce(sum(d.votes), 0) from vote_decisions d where d.ballot_key = ballots.key and d.state = 'held'
)`;
const shownComments = '(select count(*) from comments c where c.poll_id = community_polls.id and not c.hidden)';

/** The order matters: later statements use the results of earlier ones. */
const corrections = [
  `update ballots set in_totals = not in_totals where in_totals <> ${belongsInTotals}`,
  `update ballot_options set votes = base_votes + ${castForOption} where votes <> base_votes + ${castForOption}`,
  `update ballot_options set set_aside = ${setAsideForOption} where set_aside <> ${setAsideForOption}`,
  ...apart.map(({ column, trait }) => {
    const expected = votesOfOption(`v.traits & ${trait} <> 0`);
    return `update ballot_options set ${column} = ${expected}
     where ${column} <> ${expected} and ${votesOfOption('v.traits is null')} = 0`;
  }),
  `update vote_decisions set votes = ${inDecision} where state in ('held', 'set-aside') and votes <> ${inDecision}`,
  `update ballots set base_votes = ${imported}, total_votes = ${imported} + ${castOnBallot}
   where base_votes <> ${imported} or total_votes <> ${imported} + ${castOnBallot}`,
  `update ballots set set_aside_votes = ${setAsideOnBallot}, held_votes = ${heldOnBallot}
   where set_aside_votes <> ${setAsideOnBallot} or held_votes <> ${heldOnBallot}`,
  `update community_polls set comment_count = ${shownComments} where comment_count <> ${shownComments}`,
  'delete from archive_categories',
  `insert into archive_categories (category, closed_polls)
   select coalesce(category, ''), count(*) from ballots
   where kind = 'poll' and closed_at is not null group by coalesce(category, '')`,
  // Only the sum of the shards matters.
  ...Object.entries(headlines).map(
    ([column, expected]) =>
      `update statistics set ${column} = ${column} + (${expected}) - (select sum(${column}) from statistics) where shard = 0`,
  ),
];

/** The driver returns an array for SQLite and an object with `rows` for PostgreSQL. */
async function rowsOf<Row>(db: Database, sql: string): Promise<Row[]> {
  const answer: unknown = await db.raw(sql);
  return Array.isArray(answer) ? (answer as Row[]) : (answer as { rows: Row[] }).rows;
}
