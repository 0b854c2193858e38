import { setTimeout as pause } from 'node:timers/promises';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { Clock } from '#platform/clock.ts';
import { errors } from '#platform/errors.ts';
import { decisionTexts as texts } from '#texts/decisions.ts';
import { countedFurther } from './choices.model.ts';
import { matching } from './clusters.queries.ts';
import type { Cluster } from './clusters.queries.ts';
import type { VotingIntake } from './group-commit.ts';
import { nextRanges, votesWithin } from './vote-ranges.queries.ts';
import type { IdRange } from './vote-ranges.queries.ts';

/*
 * A vote is marked with the key of the decision that sets it aside. Marking many votes takes longer than other votes may
 * wait, so it is staged: while a decision has a row in `unfinished_decisions`, its marks don't count, and one small
 * transaction deletes or inserts that row and moves the counters. See handbook decision 161.
 */

/** Votes that one transaction marks or clears: other votes wait that long. */
export const markedAtOnce = 500;
/** Milliseconds between two such transactions. */
const betweenBatchesMs = 5;
/** Milliseconds without progress after which marking was interrupted, and its marks are cleared. */
export const abandonedAfterMs = 60_000;

interface MarkingContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly intake: Pick<VotingIntake, 'runExclusive'>;
}

/** Begins marking votes; the transaction holds the lock of the ballot’s decisions. Throws CONFLICT while another one is staged. */
export async function stage(
  trx: Database,
  now: number,
  { key, ballotKey, after }: { readonly key: number; readonly ballotKey: number; readonly after: number },
): Promise<void> {
  const staged = await trx('unfinished_decisions')
    .insert({ key, ballot_key: ballotKey, is_staged: true, after_id: after, last_id: after, touched_at: now })
    .onConflict()
    .ignore()
    .returning('key');
  if (staged.length === 0) throw errors.conflict(texts.busy);
}

/** Whether votes of a ballot are being marked; for whoever holds the lock of its decisions. */
export async function isStaging(trx: Database, ballotKey: number): Promise<boolean> {
  const staged = trx('unfinished_decisions').where({ ballot_key: ballotKey, is_staged: true });
  return (await staged.pluck('key')).length > 0;
}

/** Has the marks of a staged decision count. Throws CONFLICT when marking was interrupted. */
export async function unstage(trx: Database, key: number): Promise<void> {
  if ((await trx('unfinished_decisions').where({ key, is_staged: true }).del()) === 0)
    throw errors.conflict(texts.interrupted);
}

/** Gives a staged decision up; with `touched_at`, only if no vote has been marked since. */
export async function discard(
  { db, intake }: MarkingContext,
  staged: { readonly key: number; readonly touched_at?: number },
): Promise<void> {
  await intake.runExclusive(() =>
    db('unfinished_decisions')
      .where({ ...staged, is_staged: true })
      .update({ is_staged: false }),
  );
}

/** Has the marks of a decision that is over not count; {@link clearNextMarks} removes them. */
export async function invalidateMarks(
  trx: Database,
  now: number,
  { key, ballot_key, first_id, last_id }: { key: number; ballot_key: number; first_id: number; last_id: number },
): Promise<void> {
  const ids = { after_id: first_id - 1, last_id };
  await trx('unfinished_decisions').insert({ key, ballot_key, is_staged: false, ...ids, touched_at: now });
}

/** The votes of a decision: how many for each option, and how many of them are the first ones of a voter. */
export interface DecidedVotes {
  readonly total: number;
  readonly participants: number;
  /** The lowest and the highest id. */
  readonly first: number;
  readonly last: number;
  /** By key. */
  readonly byOption: ReadonlyMap<number, number>;
}

/**
 * Marks the counted votes of a cluster with the key of a staged decision, in short transactions, and counts them. Throws
 * CONFLICT when another process took it for interrupted.
 */
export async function markVotes(
  { db, clock, intake }: MarkingContext,
  { key, ballotKey }: { readonly key: number; readonly ballotKey: number },
  cluster: Cluster,
  { after, through }: IdRange,
): Promise<DecidedVotes> {
  const counted: (CountRow | FurtherRow)[] = [];
  const find = (ids: IdRange) => matching(db, ballotKey, cluster, ids);
  for await (const ids of ranges({ after, through }, find)) {
    await intake.runExclusive(() =>
      db.transaction(async (trx) => {
        const progress = { last_id: ids.through, touched_at: clock.now() };
        const advanced = await trx('unfinished_decisions').where({ key, is_staged: true }).update(progress);
        if (advanced === 0) throw errors.conflict(texts.interrupted);
        if (!ids.isEmpty) await matching(trx, ballotKey, cluster, ids).update({ decision_key: key });
      }),
    );
    if (!ids.isEmpty) counted.push(...(await countVotes(db, key, ids)));
    await pause(betweenBatchesMs);
  }
  return sumOf(counted);
}

/**
 * Counts the votes of a decision in effect. They don’t change while it is, and neither does whether they are the first ones
 * of a voter: nothing has to be locked.
 */
export async function votesOfDecision(
  db: Database,
  { key, first_id, last_id }: { readonly key: number; readonly first_id: number; readonly last_id: number },
): Promise<DecidedVotes> {
  const counted: (CountRow | FurtherRow)[] = [];
  const find = (ids: IdRange) => marked(db, key, ids);
  for await (const ids of ranges({ after: first_id - 1, through: last_id }, find))
    if (!ids.isEmpty) counted.push(...(await countVotes(db, key, ids)));
  return sumOf(counted);
}

/** All ids of a range in batches for one transaction each. */
async function* ranges({ after, through }: IdRange, find: Parameters<typeof nextRanges>[2]) {
  for (let from = after; from < through;) {
    const some = await nextRanges({ after: from, through }, markedAtOnce, find);
    yield* some;
    from = some.at(-1)!.through;
  }
}

/** The members who voted on a ballot, of a range of ids, in batches. */
export async function* votersAmong(
  db: Database,
  { ballotKey, ...range }: IdRange & { readonly ballotKey: number },
): AsyncGenerator<string[]> {
  const find = (ids: IdRange) => votesWithin(db, ids).where({ ballot_key: ballotKey }).whereNotNull('user_id');
  for await (const ids of ranges(range, find)) if (!ids.isEmpty) yield await find(ids).pluck<string[]>('user_id');
}

const marked = (db: Database, key: number, ids: IdRange) => votesWithin(db, ids).where({ decision_key: key });

interface CountRow {
  readonly option_key: number;
  readonly votes: number;
  readonly participants: number;
  readonly first: number;
  readonly last: number;
}

/** Votes that name an option beside their first one, and count for it, too. */
interface FurtherRow {
  readonly option_key: number;
  readonly further: number;
}

async function countVotes(db: Database, key: number, ids: IdRange): Promise<(CountRow | FurtherRow)[]> {
  return db.transaction(async (trx) => {
    // Joins of all votes would take longer than looking up these.
    if (!isSqlite(trx)) await trx.raw('set local enable_hashjoin = off; set local enable_mergejoin = off');
    const further = await trx
      .from(trx.raw(countedFurther(`(${marked(trx, key, ids).whereNotNull('further_options').toQuery()})`)))
      .groupBy('f.key')
      .select<FurtherRow[]>('f.key as option_key', trx.raw('count(*) as further'));
    const rows = await marked(trx, key, ids)
      .groupBy('option_key')
      .select<CountRow[]>(
        'option_key',
        trx.raw('count(*) as votes, min(id) as first, max(id) as last'),
        trx.raw(`sum(case when
          not exists (select 1 from votes w where w.device = votes.device and w.id < votes.id)
          and not exists (select 1 from votes w where w.cookie = votes.cookie and w.id < votes.id)
          and not exists (select 1 from voters where digest in (votes.device, votes.cookie))
          then 1 else 0 end) as participants`),
      );
    return [...rows, ...further];
  });
}

function sumOf(counted: readonly (CountRow | FurtherRow)[]): DecidedVotes {
  const byOption = new Map<number, number>();
  for (const row of counted) {
    const votes = 'further' in row ? row.further : row.votes;
    byOption.set(row.option_key, (byOption.get(row.option_key) ?? 0) + votes);
  }
  const rows = counted.filter((row) => 'votes' in row);
  return {
    total: rows.reduce((sum, { votes }) => sum + votes, 0),
    participants: rows.reduce((sum, { participants }) => sum + participants, 0),
    first: rows.reduce((least, { first }) => Math.min(least, first), Infinity),
    last: rows.reduce((most, { last }) => Math.max(most, last), 0),
    // In the order in which batches of votes lock them.
    byOption: new Map([...byOption].sort(([a], [b]) => a - b)),
  };
}

/** A row of `unfinished_decisions`. */
interface Unfinished {
  readonly key: number;
  readonly is_staged: boolean | 0 | 1;
  readonly after_id: number;
  readonly last_id: number;
  readonly touched_at: number;
}

/**
 * Clears a batch of the marks that don’t count anymore, those of interrupted requests included; false when none is left.
 * Interrupted anywhere, the next call continues; several processes may call it.
 */
export async function clearNextMarks(context: MarkingContext): Promise<boolean> {
  const { db, clock, intake } = context;
  const now = clock.now();
  const decision = await db('unfinished_decisions')
    .where({ is_staged: false })
    // One that was touched later was left before the clock was set back.
    .orWhereNotBetween('touched_at', [now - abandonedAfterMs, now + abandonedAfterMs])
    .orderBy('key')
    .first<Unfinished | undefined>();
  if (!decision) return false;
  const { key, after_id, last_id, touched_at } = decision;
  if (decision.is_staged) {
    await discard(context, { key, touched_at });
    return true;
  }
  if (after_id >= last_id) {
    await intake.runExclusive(() => db('unfinished_decisions').where({ key, after_id }).del());
    return true;
  }
  const left = { after: after_id, through: last_id };
  for (const ids of await nextRanges(left, markedAtOnce, (some) => marked(db, key, some))) {
    await intake.runExclusive(() =>
      db.transaction(async (trx) => {
        const reached = trx('unfinished_decisions').where({ key, after_id: ids.after });
        // Otherwise another process was faster.
        const advanced = await reached.update({ after_id: ids.through });
        if (advanced > 0 && !ids.isEmpty) await marked(trx, key, ids).update({ decision_key: null });
      }),
    );
    await pause(betweenBatchesMs);
  }
  return true;
}
