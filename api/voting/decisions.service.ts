import { record } from '#api/events/record.service.ts';
import type { Actor, VotesEvent } from '#api/events/events.ts';
import { writtenReason } from '#domain/integrity/reasons.ts';
import type { Reason } from '#domain/integrity/reasons.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database, Row } from '#platform/database.ts';
import type { Clock } from '#platform/clock.ts';
import { errors } from '#platform/errors.ts';
import { decisionTexts as texts } from '#texts/decisions.ts';
import type { VotingIntake } from './group-commit.ts';
import { lockBallots } from './ballots.service.ts';
import { clusterSearch } from './clusters.queries.ts';
import type { Cluster } from './clusters.queries.ts';
import {
  discard,
  invalidateMarks,
  isStaging,
  markVotes,
  stage,
  unstage,
  votesOfDecision,
} from './decision-marks.service.ts';
import type { DecidedVotes } from './decision-marks.service.ts';
import { addTotals } from './statistics.service.ts';

export type { Cluster } from './clusters.queries.ts';

/** The namespace of PostgreSQL’s advisory locks on the decisions of a ballot. */
const decisionLocks = 1_522;

export interface DecisionContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly intake: Pick<VotingIntake, 'runExclusive'>;
}

/** Votes of one ballot that were taken out of its counters, or are again in them; moments in milliseconds. */
export interface VoteDecision {
  readonly key: number;
  readonly ballotId: string;
  /** From 1 within its ballot. */
  readonly number: number;
  readonly action: 'hold' | 'set-aside';
  readonly state: 'held' | 'set-aside' | 'released' | 'expired';
  readonly reason: Reason;
  readonly votes: number;
  readonly cluster: Cluster;
  readonly madeBy: string;
  readonly madeAt: number;
  readonly decidedBy: string | null;
  readonly decidedAt: number | null;
  /** Of a hold. */
  readonly expiresAt: number | null;
  readonly note: string;
}

/** Who decides something, and why. */
interface DecidedBy {
  readonly actor: string;
  /** Given when an operator decides: the audit log records it. */
  readonly operator?: Actor | undefined;
  readonly note?: string;
  /** Done in the same transaction, before anything follows from the decision; not done where nothing changes. */
  readonly also?: (trx: Database, now: number) => Promise<void>;
}

/** Of votes that were held from the start: if nobody reviews them, they are set aside. */
export const uncheckedReason = 'unchecked-browser' satisfies Reason;

/** Who ends holds that nobody decided. */
export const expiryActor = 'system';

/**
 * Takes the counted votes of a cluster out of the counters of their options, their ballot, and the headline figures, in one
 * transaction after they were marked; nothing is deleted. `hold`: until the operator decides, or the hold expires. Throws
 * POLL_NOT_FOUND, and CONFLICT without such votes, once the poll’s votes are final, or while other votes on it are marked.
 */
export async function setAside(
  context: DecisionContext,
  options: DecidedBy & {
    readonly ballotId: string;
    readonly cluster: Cluster;
    readonly reason: Reason;
    readonly hold?: { readonly expiresAt: number };
  },
): Promise<VoteDecision> {
  const { ballotId, cluster, reason, actor, operator, note = '', hold } = options;
  const found = await ballotOf(context.db, { id: ballotId });
  const search = await clusterSearch(context.db, found.key, cluster.from);
  const action = hold ? 'hold' : 'set-aside';
  const state = hold ? 'held' : 'set-aside';
  const staged = await exclusively(context, found.key, async (trx, now) => {
    const { key: ballotKey } = await changeableBallot(trx, { id: ballotId });
    const made = { action, state, reason, votes: 0, cluster: JSON.stringify(cluster), note } as const;
    const by = { made_by: actor, made_at: now, expires_at: hold?.expiresAt ?? null };
    const number = trx('vote_decisions')
      .where({ ballot_key: ballotKey })
      .select(trx.raw('1 + coalesce(max(number), 0)'));
    const [row] = await trx('vote_decisions')
      .insert({ ballot_key: ballotKey, number, ...made, ...by, first_id: 0, last_id: 0 })
      .returning<DecisionRow[]>('*');
    // Nobody may see it yet; its key is not given again.
    await trx('vote_decisions').where({ key: row!.key }).del();
    await stage(trx, now, { key: row!.key, ballotKey, after: search.after });
    return row!;
  });
  const { key } = staged;
  try {
    const votes = await markVotes(context, { key, ballotKey: found.key }, cluster, search);
    if (votes.total === 0) throw errors.conflict(texts.noVotes);
    return await exclusively(context, found.key, async (trx, now) => {
      await changeableBallot(trx, { id: ballotId });
      await unstage(trx, key);
      const counted = { votes: votes.total, first_id: votes.first, last_id: votes.last };
      const decision = { ...staged, ...counted, made_at: now };
      await trx('vote_decisions').insert(decision);
      await recordDecision(trx, { at: now, actor, operator, action, decision, ballotId, note });
      await move(trx, { ballotKey: found.key, votes, sign: 1, held: hold ? votes.total : 0 });
      return decisionOf(decision, ballotId);
    });
  } catch (error) {
    // If this fails too, it is given up a minute later.
    await discard(context, { key }).catch(() => undefined);
    throw error;
  }
}

/** Ends the decision with this number within a ballot. Throws what {@link decide} throws. */
export async function endDecision(
  context: DecisionContext,
  { ballotId, number }: { readonly ballotId: string; readonly number: number },
  end: 'set-aside' | 'release',
  by: DecidedBy,
): Promise<void> {
  const found = (await decisionsOf(context.db, [ballotId])).find((decision) => decision.number === number);
  if (!found) throw errors.notFound();
  if (found.reason === writtenReason) throw errors.conflict(texts.written);
  await decide(context, found.key, end === 'release' ? 'release' : 'confirm', by);
}

/**
 * Counts the votes of holds again that nobody has decided in time, and sets aside those that never counted. Returns the
 * decisions whose votes count again.
 */
export async function expireHolds(context: DecisionContext): Promise<VoteDecision[]> {
  const due = await context
    .db('vote_decisions')
    .where({ state: 'held' })
    .where('expires_at', '<=', context.clock.now())
    .orderBy('key')
    .select('key', 'reason');
  const expired: VoteDecision[] = [];
  for (const { key, reason } of due) {
    const action = reason === uncheckedReason ? 'expire-unchecked' : 'expire';
    const decision = await decide(context, key, action, { actor: expiryActor });
    if (decision.state === 'expired') expired.push(decision);
  }
  return expired;
}

/**
 * Records the holds on a closed ballot, which no vote joins any more, and of which nothing is recorded while votes do: its result
 * says which votes are held.
 */
export async function recordOpenHolds(trx: Database, ballotId: string, at: number): Promise<[]> {
  await lockBallots(trx, [ballotId]);
  const holds = await trx('vote_decisions as d')
    .join('ballots as b', 'b.key', 'd.ballot_key')
    .where({ 'b.id': ballotId, 'd.state': 'held' })
    .whereNotNull('b.closed_at')
    .whereNotExists(
      trx('integrity_actions as a').whereRaw('a.decision_key = d.key and a.votes = d.votes').select(trx.raw('1')),
    )
    .orderBy('d.key')
    .select<DecisionRow[]>('d.*');
  for (const { key, ballot_key, reason, votes, made_by: actor } of holds)
    await trx('integrity_actions').insert({
      ...{ at, actor, action: 'hold', ballot_id: ballotId, ballot_key, decision_key: key, reason, votes, note: '' },
    });
  return [];
}

/** Every decision about votes on these ballots, by number. */
export async function decisionsOf(db: Database, ballotIds: readonly string[]): Promise<VoteDecision[]> {
  const rows = await db('vote_decisions as decision')
    .join('ballots as ballot', 'ballot.key', 'decision.ballot_key')
    .whereIn('ballot.id', ballotIds)
    .orderBy('decision.number')
    .select<(DecisionRow & { ballot_id: string })[]>('decision.*', 'ballot.id as ballot_id');
  return rows.map((row) => decisionOf(row, row.ballot_id));
}

/** What each action does: the states that it can follow, the state that results, and whether the votes are counted again. */
const changes = {
  confirm: { from: ['held'], to: 'set-aside', counts: false },
  release: { from: ['held', 'set-aside'], to: 'released', counts: true },
  expire: { from: ['held'], to: 'expired', counts: true },
  'expire-unchecked': { from: ['held'], to: 'set-aside', counts: false },
} as const;

/**
 * Ends a hold, or counts votes after all. Throws NOT_FOUND, and CONFLICT when it was ended differently, the votes are final, or
 * others on the ballot are being marked. A repeated action changes nothing, and neither does expiring a hold that somebody has decided meanwhile, or while other
 * votes on the ballot are marked.
 */
export async function decide(
  context: DecisionContext,
  decisionKey: number,
  action: keyof typeof changes,
  { actor, operator, note = '', also }: DecidedBy,
): Promise<VoteDecision> {
  const { from, to, counts } = changes[action];
  const isExpiry = action === 'expire' || action === 'expire-unchecked';
  const found = await context.db('vote_decisions').where({ key: decisionKey }).first();
  if (!found) throw errors.notFound();
  const isOpen = (from as readonly string[]).includes(found.state);
  const votes = counts && isOpen ? await votesOfDecision(context.db, found) : null;
  return exclusively(context, found.ballot_key, async (trx, now) => {
    const ballot = await changeableBallot(trx, { key: found.ballot_key });
    const decision = await trx('vote_decisions').where({ key: decisionKey }).first<DecisionRow>();
    if (!(from as readonly string[]).includes(decision.state)) {
      if (decision.state !== to && !isExpiry) throw errors.conflict(texts.decided[decision.state]);
      return decisionOf(decision, ballot.id);
    }
    // Votes that are counted again would be marked by the rest of it.
    if (counts && (await isStaging(trx, ballot.key))) {
      if (!isExpiry) throw errors.conflict(texts.busy);
      return decisionOf(decision, ballot.id);
    }
    const settled = { state: to, decided_by: actor, decided_at: now };
    await trx('vote_decisions').where({ key: decisionKey }).update(settled);
    await also?.(trx, now);
    const recorded = action === 'expire-unchecked' ? 'confirm' : action;
    await recordDecision(trx, { at: now, actor, operator, action: recorded, decision, ballotId: ballot.id, note });
    const held = decision.state === 'held' ? -decision.votes : 0;
    if (votes) {
      await invalidateMarks(trx, now, decision);
      // Votes of unchecked browsers may have joined the hold meanwhile.
      const moved = votes.total === decision.votes ? votes : await votesOfDecision(trx, decision);
      await move(trx, { ballotKey: ballot.key, votes: moved, sign: -1, held });
    } else await trx('ballots').where({ key: ballot.key, erased_at: null }).increment('held_votes', held);
    return decisionOf({ ...decision, ...settled }, ballot.id);
  });
}

/** Runs one change of a ballot’s decisions at a time; votes on it go on, except where SQLite has one writer. */
export async function exclusively<T>(
  { db, clock, intake }: DecisionContext,
  ballotKey: number,
  work: (trx: Database, now: number) => Promise<T>,
): Promise<T> {
  return intake.runExclusive(() =>
    db.transaction(async (trx) => {
      if (!isSqlite(trx)) {
        await trx.raw(`select pg_advisory_xact_lock(${decisionLocks}, ?)`, [ballotKey]);
        // As for any write, but all before the first one and in the order of `recountAll`, so that neither waits for the other.
        await trx.raw(
          'lock table unfinished_decisions, ballots, ballot_options, vote_decisions, statistics in row exclusive mode',
        );
      }
      return work(trx, clock.now());
    }),
  );
}

type BallotRow = Pick<Row<'ballots'>, 'key' | 'id' | 'erased_at'>;

async function ballotOf(db: Database, which: { id: string } | { key: number }): Promise<BallotRow> {
  const ballot = await db('ballots').where(which).first('key', 'id', 'erased_at');
  if (!ballot) throw errors.pollNotFound();
  return ballot;
}

/** Locks the ballot first, as all do that change it: what follows from a decision locks accounts and pages. */
async function changeableBallot(trx: Database, which: { id: string } | { key: number }): Promise<BallotRow> {
  await trx('ballots').where(which).forNoKeyUpdate().select('key');
  const ballot = await ballotOf(trx, which);
  if (ballot.erased_at !== null) throw errors.conflict(texts.final);
  return ballot;
}

type DecisionRow = Row<'vote_decisions'>;

function decisionOf(row: DecisionRow, ballotId: string): VoteDecision {
  const { key, number, action, state, reason, votes, note } = row;
  return {
    ...{ key, ballotId, number, action, state, reason, votes, note },
    cluster: JSON.parse(row.cluster) as Cluster,
    ...{ madeBy: row.made_by, madeAt: row.made_at, decidedBy: row.decided_by, decidedAt: row.decided_at },
    expiresAt: row.expires_at,
  };
}

/** Takes votes out of the counters (`sign` 1), or puts them back (-1); `held` is added to the held votes. */
async function move(
  trx: Database,
  { ballotKey, votes, sign, held }: { ballotKey: number; votes: DecidedVotes; sign: 1 | -1; held: number },
): Promise<void> {
  const by = sign * votes.total;
  // In the order in which batches of votes lock them: ballot, options, headline figures.
  const [ballot] = await trx('ballots')
    .where({ key: ballotKey, erased_at: null })
    .update({
      total_votes: trx.raw('total_votes - ?', [by]),
      set_aside_votes: trx.raw('set_aside_votes + ?', [by]),
      held_votes: trx.raw('held_votes + ?', [held]),
    })
    .returning(['id', 'listed', 'in_totals']);
  // Deleted meanwhile, or final.
  if (!ballot) throw errors.pollNotFound();
  for (const [key, count] of votes.byOption)
    await trx('ballot_options')
      .where({ key })
      .update({
        votes: trx.raw('votes - ?', [sign * count]),
        set_aside: trx.raw('set_aside + ?', [sign * count]),
      });
  const total = ballot.listed && ballot.in_totals ? by : 0;
  await addTotals(trx, {
    total_votes: -total,
    set_aside_votes: total,
    total_participants: -sign * votes.participants,
  });
}

/** Records a decision with all that follows from it. */
async function recordDecision(
  trx: Database,
  action: {
    readonly at: number;
    readonly actor: string;
    readonly operator: Actor | undefined;
    readonly action: VoteDecision['action'] | Exclude<keyof typeof changes, 'expire-unchecked'>;
    readonly decision: DecisionRow;
    readonly ballotId: string;
    readonly note: string;
  },
): Promise<void> {
  const { decision, ballotId, operator, ...entry } = action;
  const { key: decision_key, ballot_key, reason, votes, number } = decision;
  await trx('integrity_actions').insert({ ...entry, ballot_id: ballotId, ballot_key, decision_key, reason, votes });
  const isNew = entry.action === 'hold' || entry.action === 'set-aside';
  const isOver = entry.action === 'release' || entry.action === 'expire';
  const happened: VotesEvent = {
    type: isNew ? 'votes.set-aside' : 'votes.decide',
    at: entry.at,
    ...(operator !== undefined && { actor: operator }),
    subject: { kind: 'poll', id: ballotId },
    before: isNew ? undefined : { decision: number, state: decision.state },
    after: { decision: number, action: entry.action, reason, votes, note: entry.note },
    counts: true,
    ...(isOver && { again: { ballotKey: ballot_key, after: decision.first_id - 1, through: decision.last_id } }),
    ...(!isOver && {
      notice: {
        number,
        state: entry.action === 'hold' ? 'held' : 'set-aside',
        reason,
        votes,
        url: '/admin/moderation',
      },
    }),
  };
  await record(trx, happened);
}
