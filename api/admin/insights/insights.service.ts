import { hostsListed, siteInsightDays } from './insights.contract.ts';
import type { InsightKind, Insights } from './insights.contract.ts';
import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';

/** Months for which insights are kept, as the privacy policy says. */
export const insightMonths = 13;

const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** The insights of a weekly poll since its beginning, as far as they are kept. Throws POLL_NOT_FOUND. */
export async function pollInsights(db: Database, id: string): Promise<Insights> {
  const ballot = await db('ballots as b')
    .join('polls as p', 'p.id', 'b.id')
    .where('b.id', id)
    .first<BallotRow | undefined>('b.*', 'p.question');
  if (!ballot) throw errors.pollNotFound();
  const { key, question, total_votes, set_aside_votes, base_votes } = ballot;
  const counted = total_votes - base_votes;
  const received = counted + set_aside_votes;
  const hours = await db('vote_hours').where({ ballot_key: key }).orderBy('hour').select('hour', 'votes');
  const kept = hours.reduce((sum, { votes }) => sum + votes, 0);
  return {
    ...{ question, received, counted, imported: base_votes, hours: hours.map(hourOf) },
    // Votes from before hours were counted, whose times are erased.
    days: kept === 0 && received > 0 ? await daysOf(db, key) : [],
    ...(await countsOf(db, ['poll_id', '=', id])),
  };
}

/** The insights of all weekly polls: sums of votes since the beginning, the rest of the last {@link siteInsightDays} days. */
export async function siteInsights(db: Database, now: number): Promise<Insights> {
  const since = now - siteInsightDays * dayMs;
  const sums = await db('ballots')
    .where({ kind: 'poll' })
    .select<Record<'counted' | 'set_aside' | 'imported', number | string | null>[]>(
      db.raw('sum(total_votes - base_votes) as counted'),
      db.raw('sum(set_aside_votes) as set_aside'),
      db.raw('sum(base_votes) as imported'),
    )
    .first();
  const hours = await db('vote_hours')
    .where('hour', '>=', Math.floor(since / hourMs))
    .groupBy('hour')
    .orderBy('hour')
    .select<HourRow[]>('hour', db.raw('sum(votes) as votes'));
  const counted = Number(sums?.counted ?? 0);
  return {
    ...{ received: counted + Number(sums?.set_aside ?? 0), counted, imported: Number(sums?.imported ?? 0) },
    ...{ question: null, hours: hours.map(hourOf), days: [] },
    ...(await countsOf(db, ['day', '>=', Math.floor(since / dayMs)])),
  };
}

interface BallotRow {
  readonly key: number;
  readonly question: string;
  readonly total_votes: number;
  readonly set_aside_votes: number;
  readonly base_votes: number;
}

interface HourRow {
  readonly hour: number;
  readonly votes: number | string;
}

const hourOf = ({ hour, votes }: HourRow) => ({ startsAt: iso(hour * hourMs), votes: Number(votes) });

/** Counted votes by day as the report of a closed poll has them. */
async function daysOf(db: Database, ballotKey: number): Promise<Insights['days']> {
  const rows = await db('option_days')
    .where({ ballot_key: ballotKey, hours: 24 })
    .groupBy('starts_at')
    .orderBy('starts_at')
    .select<{ starts_at: number; votes: number | string }[]>('starts_at', db.raw('sum(votes) as votes'));
  return rows.map(({ starts_at, votes }) => ({ day: iso(starts_at).slice(0, 10), votes: Number(votes) }));
}

/** Sums by label of the counts for which a condition holds, most frequent first. */
async function countsOf(
  db: Database,
  condition: readonly [column: string, operator: string, value: string | number],
): Promise<Pick<Insights, 'hosts' | 'shares' | 'embeds'>> {
  const rows = await db('insight_counts')
    .where(...condition)
    .groupBy('kind', 'label')
    .orderBy([{ column: 'sum', order: 'desc' }, 'label'])
    .select<{ kind: InsightKind; label: string; sum: number | string }[]>(
      ...['kind', 'label'],
      db.raw('sum(count) as sum'),
    );
  const of = (kind: InsightKind) =>
    rows
      .filter((row) => row.kind === kind)
      .slice(0, hostsListed)
      .map(({ label, sum }) => ({ label, count: Number(sum) }));
  return { hosts: of('vote'), shares: of('share'), embeds: of('embed') };
}

/** Deletes insights that are no longer kept. */
export async function sweepInsights(db: Database, now: number): Promise<void> {
  const oldest = new Date(now);
  oldest.setUTCMonth(oldest.getUTCMonth() - insightMonths);
  const end = oldest.getTime();
  await db('insight_counts')
    .where('day', '<', Math.floor(end / dayMs))
    .del();
  await db('vote_hours')
    .where('hour', '<', Math.floor(end / hourMs))
    .del();
}
