import { setTimeout as pause } from 'node:timers/promises';
import * as limits from '#contract/limits.ts';
import type { VotesOverTime } from '#api/polls/polls.contract.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import type { VotingIntake } from './group-commit.ts';
import { isCounted, newestVoteId } from './voting.service.ts';

/** Ids of votes that one query counts, and polls that one pass over them counts. */
const idsAtOnce = 100_000;
const pollsAtOnce = 500;
/** Milliseconds between two queries. */
const betweenQueriesMs = 5;

const hourMs = 3_600_000;
const dayHours = 24;

interface Options {
  readonly db: Database;
  readonly clock: Clock;
  readonly intake: Pick<VotingIntake, 'runExclusive'>;
  /** Ends between two queries; the next call starts again. */
  readonly signal?: AbortSignal;
}

/** A closed poll whose votes have not been counted by day since they last changed. */
interface Uncounted {
  readonly id: string;
  readonly key: number;
  readonly starts_at: number;
  readonly closed_at: number;
  /** Votes cast here. */
  readonly votes: number;
}

/** Votes for an option in an hour, numbered since 1970. */
interface HourRow {
  readonly ballot_key: number;
  readonly option_key: number;
  readonly hour: number;
  readonly votes: number | string;
}

/**
 * Counts the counted votes of closed polls by option and day, and records that their reports changed. Reads all votes once, in
 * batches by their ids, for up to 500 polls: an index by poll and time would cost every vote. Returns the ids of the polls.
 * Several processes may do it at once.
 */
export async function countDays({ db, clock, intake, signal }: Options): Promise<string[]> {
  const polls = await uncountedPolls(db);
  if (polls.length === 0) return [];
  const rows = new Map<number, HourRow[]>(polls.map(({ key }) => [key, []]));
  const newest = await newestVoteId(db);
  for (let after = 0; after < newest; after += idsAtOnce) {
    const batch = await db('votes')
      .where('id', '>', after)
      .where('id', '<=', after + idsAtOnce)
      .whereIn('ballot_key', [...rows.keys()])
      .whereRaw(isCounted())
      .select<HourRow[]>(
        'ballot_key',
        'option_key',
        db.raw(`created_at / ${hourMs} as hour`),
        db.raw('count(*) as votes'),
      )
      .groupByRaw(`ballot_key, option_key, created_at / ${hourMs}`);
    for (const row of batch) rows.get(row.ballot_key)?.push(row);
    await pause(betweenQueriesMs);
    if (signal?.aborted) return [];
  }
  for (const poll of polls) await intake.runExclusive(() => store(db, clock.now(), poll, rows.get(poll.key) ?? []));
  return polls.map(({ id }) => id);
}

async function uncountedPolls(db: Database): Promise<Uncounted[]> {
  return (
    db('ballots as b')
      .leftJoin('counted_ballots as c', 'c.ballot_key', 'b.key')
      .where('b.kind', 'poll')
      .whereNotNull('b.closed_at')
      // Erased votes have lost their times.
      .whereNull('b.erased_at')
      .whereRaw('b.total_votes > b.base_votes')
      .whereRaw('(c.ballot_key is null or c.votes <> b.total_votes - b.base_votes)')
      .orderBy('b.key')
      .limit(pollsAtOnce)
      .select('b.id', 'b.key', 'b.starts_at', 'b.closed_at', db.raw('b.total_votes - b.base_votes as votes'))
  );
}

/** Stores the periods of a poll, if they have exactly its votes; otherwise its report shows none. */
async function store(db: Database, now: number, poll: Uncounted, rows: readonly HourRow[]): Promise<void> {
  const { id, key } = poll;
  const [first, last] = [Math.floor(poll.starts_at / hourMs), Math.floor(poll.closed_at / hourMs)];
  const hours = rows.filter(({ hour }) => hour >= first && hour <= last);
  const isExact = sumOf(hours) === poll.votes;
  await db.transaction(async (trx) => {
    const counted = { ballot_key: key, votes: poll.votes, counted_at: now };
    const [stored] = await trx('counted_ballots')
      .insert(counted)
      .onConflict('ballot_key')
      .merge()
      .returning('ballot_key');
    // Deleted meanwhile.
    if (stored === undefined) return;
    await trx('option_days').where({ ballot_key: key }).del();
    if (!isExact) return;
    const early = hours.filter(({ hour }) => hour < first + limits.hourlyHours);
    const periods = [
      ...periodsOf(hours, dayHours),
      ...(sumOf(early) >= limits.hourlyVotes ? periodsOf(early, 1) : []),
    ].map((period) => ({ ballot_key: key, ...period }));
    await trx.batchInsert('option_days', periods, 100);
    await recordChanges(trx, now, [{ kind: 'page', key: `/poll/${id}` }]);
  });
}

const sumOf = (rows: readonly { readonly votes: number | string }[]) =>
  rows.reduce((sum, { votes }) => sum + Number(votes), 0);

/** Votes of hours, added up in periods of this many hours. */
function periodsOf(rows: readonly HourRow[], hours: number) {
  const periods = new Map<string, { option_key: number; hours: number; starts_at: number; votes: number }>();
  for (const { option_key, hour, votes } of rows) {
    const starts_at = Math.floor(hour / hours) * hours * hourMs;
    const name = `${option_key} ${starts_at}`;
    const period = periods.get(name) ?? { option_key, hours, starts_at, votes: 0 };
    periods.set(name, { ...period, votes: period.votes + Number(votes) });
  }
  return [...periods.values()];
}

/** The votes of closed polls over time by poll, as reports show them; without those that have too few or are not counted yet. */
export async function votesOverTime(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, VotesOverTime>> {
  const rows = await db('ballots as b')
    .join('option_days as d', 'd.ballot_key', 'b.key')
    .join('ballot_options as o', 'o.key', 'd.option_key')
    .whereIn('b.id', ids)
    .orderBy('d.starts_at')
    .select<PeriodRow[]>('b.id', 'o.option_id', 'd.hours', 'd.starts_at', 'd.votes');
  const overTime = new Map<string, VotesOverTime>();
  for (const [id, own] of Map.groupBy(rows, (row) => row.id)) {
    const days = own.filter(({ hours }) => hours === dayHours);
    if (sumOf(days) < limits.timelineVotes) continue;
    overTime.set(id, { days: series(days), hours: series(own.filter(({ hours }) => hours === 1)) });
  }
  return overTime;
}

interface PeriodRow {
  readonly id: string;
  readonly option_id: string;
  readonly hours: number;
  readonly starts_at: number;
  readonly votes: number | string;
}

/** Periods with their votes by option. */
function series(rows: readonly PeriodRow[]): VotesOverTime['days'] {
  const periods = Map.groupBy(rows, ({ starts_at }) => starts_at);
  return [...periods].map(([startsAt, votes]) => ({
    startsAt: iso(startsAt),
    votes: Object.fromEntries(votes.map(({ option_id, votes: count }) => [option_id, Number(count)])),
  }));
}
