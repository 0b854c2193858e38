import { pollSubject } from '#api/events/events.ts';
import type { Actor, PollEvent } from '#api/events/events.ts';
import { record } from '#api/events/record.service.ts';
import { idList, selectRows } from '#platform/bulk-rows.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { OptionOrder, Protection } from '#contract/vocabulary.ts';
import { orderOf } from '#domain/option-order.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import { mayChangeProtection, protectionOf, rankOf } from '#domain/protection.ts';
import { errors } from '#platform/errors.ts';
import { protectionTexts } from '#texts/protection.ts';
import { BallotModel, BallotOptionModel, lifespanOf } from './ballot.model.ts';
import { choiceColumns, oneChoice } from './choices.model.ts';
import type { BallotChoice } from './choices.model.ts';
import { addTotals } from './statistics.service.ts';
import { ballotLocks } from './vote-batch.ts';

/** Ballots that one transaction closes. */
export const closedAtOnce = 500;

/** A ballot to create, with its options in their order; times in milliseconds. */
export interface NewBallot extends Pick<BallotModel, 'id' | 'kind' | 'category'> {
  /** Anyone may find it in lists. */
  readonly listed: boolean;
  /** Counts toward the headline figures. */
  readonly inTotals: boolean;
  readonly startsAt: number;
  readonly endsAt: number | null;
  readonly closedAt?: number | null;
  /** Publish its ballots when it closes; by default yes. */
  readonly publishBallots?: boolean;
  /** The order of its offered options; by default as it follows from them. */
  readonly optionOrder?: OptionOrder | undefined;
  /** What its votes need; by default any browser. */
  readonly protection?: Protection;
  /** What a vote chooses; by default one option. */
  readonly choice?: BallotChoice;
  /** Voters may write another answer; by default not. */
  readonly writeIns?: boolean;
  /** Options that can be voted for; by default all. */
  readonly offered?: number;
  /** `votes` come with the option; by default none. */
  readonly options: readonly { readonly id: string; readonly text: string; readonly votes?: number }[];
}

/**
 * Keeps votes and other changes away from these ballots until the transaction ends. On PostgreSQL, batches of votes share the
 * advisory locks of their ballots; in the order of keys and before any row is locked, so that nothing deadlocks (handbook
 * decision 050). On SQLite, the first write does it.
 */
export async function lockBallots(trx: Database, ids: readonly string[]): Promise<void> {
  if (isSqlite(trx) || ids.length === 0) return;
  // Nobody votes on closed ballots: an import of many needs no entry of the lock table for each.
  const lockOpen = `select pg_advisory_xact_lock(${ballotLocks}, key)
     from (select key from ballots where id in ${idList(trx)} and closed_at is null order by key) touched`;
  await selectRows(trx, lockOpen, ids);
  await selectRows(trx, `select id from ballots where id in ${idList(trx)} order by id for update`, ids);
  // Somebody may have reopened one in between.
  await selectRows(trx, lockOpen, ids);
}

/** Inserts a ballot and its options; the caller adds it to the headline figures. */
export async function createBallot(trx: Database, ballot: NewBallot): Promise<void> {
  const { id, kind, category, listed, inTotals, startsAt, endsAt, closedAt = null, options } = ballot;
  const { publishBallots = true, offered = options.length, protection = 'browser', choice = oneChoice } = ballot;
  const { optionOrder = 'auto', writeIns = false } = ballot;
  const votes = options.reduce((sum, option) => sum + (option.votes ?? 0), 0);
  await BallotModel.query(trx).insertGraph({
    ...{ id, kind, category, listed, in_totals: inTotals, is_active: closedAt === null },
    ...{ starts_at: startsAt, ends_at: endsAt, closed_at: closedAt, base_votes: votes, total_votes: votes },
    publish_ballots: publishBallots,
    option_order: orderOf(
      optionOrder,
      options.slice(0, offered).map(({ text }) => text),
    ),
    protection: rankOf(protection),
    ...choiceColumns(choice),
    write_ins: writeIns,
    options: options.map((option, position) => ({
      ...{ option_id: option.id, position, offered: position < offered, text: option.text },
      ...{ base_votes: option.votes ?? 0, votes: option.votes ?? 0 },
    })),
  });
}

/**
 * Locks the ballot of a weekly poll against votes and other changes until the transaction ends; undefined when it doesn't
 * exist.
 */
export async function lockPollBallot(
  trx: Database,
  id: string,
): Promise<(BallotModel & { ends_at: number }) | undefined> {
  await lockBallots(trx, [id]);
  // A write, not a read: on SQLite it makes the transaction the writer.
  const ballot = await BallotModel.query(trx)
    .where({ id, kind: 'poll' })
    .patch({ kind: 'poll' })
    .returning('*')
    .first();
  return ballot as (BallotModel & { ends_at: number }) | undefined;
}

/** Closes a ballot at the moment `now`; false when somebody has closed it, or it has ended, or it doesn't exist. */
export async function closeBallot(trx: Database, id: string, now: number, actor?: Actor): Promise<boolean> {
  await lockBallots(trx, [id]);
  const closed = await unclosedBallots(trx, now)
    .where({ id })
    .update({ is_active: false, closed_at: now })
    .returning([...closedColumns]);
  return (await recordClosed(trx, closed, now, actor)).length > 0;
}

/** Closes all ballots of a member's community polls that are open or upcoming at the moment `now`. */
export async function closeBallotsOf(trx: Database, userId: string, now: number): Promise<string[]> {
  const unclosed = await unclosedBallots(trx, now)
    .whereIn('id', trx('community_polls').where({ created_by: userId }).select('id'))
    .pluck('id');
  await lockBallots(trx, unclosed);
  const closed = await unclosedBallots(trx, now)
    .whereIn('id', unclosed)
    .update({ is_active: false, closed_at: now })
    .returning([...closedColumns]);
  return recordClosed(trx, closed, now);
}

/** Whether and where a ballot is shown: in lists, and in the headline figures. */
interface Shown {
  readonly listed: boolean;
  readonly inTotals: boolean;
}

/**
 * Stops votes on a ballot and removes it from lists and headline figures, with null, or shows it again. Recorded votes stay;
 * false when it doesn't exist. The transaction has begun writing.
 */
export async function setBallotShown(trx: Database, id: string, shown: Shown | null): Promise<boolean> {
  await lockBallots(trx, [id]);
  const ballot = await BallotModel.query(trx).findById(id);
  if (!ballot) return false;
  const { listed = false, inTotals = false } = shown ?? {};
  const is_active = shown !== null && ballot.closed_at === null;
  await BallotModel.query(trx).findById(id).patch({ listed, in_totals: inTotals, is_active });
  const polls = Number(listed && inTotals) - Number(Boolean(ballot.listed) && Boolean(ballot.in_totals));
  await addTotals(trx, {
    total_votes: polls * ballot.total_votes,
    set_aside_votes: polls * ballot.set_aside_votes,
    imported_votes: polls * ballot.base_votes,
    total_polls: polls,
  });
  return true;
}

/** Ballots that nobody has closed and that have not ended at the moment `now`. */
function unclosedBallots(trx: Database, now: number) {
  return trx('ballots')
    .whereNull('closed_at')
    .where((end) => void end.whereNull('ends_at').orWhere('ends_at', '>', now));
}

/** A ballot that has just been closed. */
interface ClosedBallot {
  readonly id: string;
  readonly kind: 'poll' | 'community';
  /** Publicly listed; false for unlisted and private community polls. */
  readonly listed: boolean | 0 | 1;
  readonly category: string | null;
}
const closedColumns = ['id', 'kind', 'listed', 'category'] as const satisfies (keyof ClosedBallot)[];

/** The event of a ballot that was closed at the moment `at`, which may be after its end. */
export const closing = ({ id, kind, listed, category }: ClosedBallot, at: number, actor?: Actor): PollEvent => ({
  ...{ type: 'poll.closed', at, actor, subject: pollSubject(kind, id) },
  poll: { kind, listed, ...(kind === 'poll' && { moved: [null, { category, closedAt: at }] }) },
});

async function recordClosed(
  trx: Database,
  ballots: readonly ClosedBallot[],
  at: number,
  actor?: Actor,
): Promise<string[]> {
  await record(
    trx,
    ballots.map((ballot) => closing(ballot, at, actor)),
  );
  return ballots.map(({ id }) => id);
}

/** Closes up to `closedAtOnce` ballots whose end has passed, with closed_at as their end time. Returns their ids. */
export async function closeDueBallots(trx: Database, now: number): Promise<string[]> {
  const due = () => trx('ballots').whereNull('closed_at').where('ends_at', '<=', now);
  let some = due().orderBy('ends_at').limit(closedAtOnce).select('id');
  if (!isSqlite(trx)) {
    // Votes are kept away before a row is locked. On SQLite, the transaction must begin with its write.
    const ids = await some.pluck('id');
    await lockBallots(trx, ids);
    // A trigger writes to their rows; comments are hidden and deleted in the same order.
    await selectRows(
      trx,
      `select id from community_polls where id in ${idList(trx)} order by id for no key update`,
      ids,
    );
    some = due().whereIn('id', ids).select('id');
  }
  const closed = await due()
    // As a subquery it could be evaluated again for every row, each time with the next ballots.
    .withMaterialized('due', some)
    .whereIn('id', trx('due').select('id'))
    .update({ is_active: false, closed_at: trx.ref('ends_at') })
    .returning([...closedColumns]);
  return recordClosed(trx, closed, now);
}

/** Reopens a locked ballot until `endsAt`, in milliseconds. */
export async function reopenBallot(trx: Database, id: string, endsAt: number): Promise<void> {
  await BallotModel.query(trx)
    .findById(id)
    .patch({ is_active: true, closed_at: null, ends_at: endsAt, erased_at: null });
}

/** Moves a locked ballot to a category; null: to none. */
export async function changeCategory(trx: Database, id: string, category: string | null): Promise<void> {
  await BallotModel.query(trx).findById(id).patch({ category });
}

/** Changes whether the ballots of a locked ballot that has not opened are published. */
export async function changePublishing(trx: Database, id: string, publishBallots: boolean): Promise<void> {
  await BallotModel.query(trx).findById(id).patch({ publish_ballots: publishBallots });
}

/** Changes the order in which the options of a locked ballot without votes are shown; `texts` are those offered. */
export async function changeOrder(
  trx: Database,
  id: string,
  order: OptionOrder,
  texts: readonly string[],
): Promise<void> {
  await BallotModel.query(trx)
    .findById(id)
    .patch({ option_order: orderOf(order, texts) });
}

/**
 * Changes what votes on a locked ballot need, and records a raise if it has votes, which stay; returns whether it changed.
 * Throws CONFLICT for a lower level once there are votes, and once it is closed.
 */
export async function changeProtection(
  trx: Database,
  ballot: BallotModel,
  level: Protection,
  now: number,
): Promise<boolean> {
  const before = protectionOf(ballot.protection);
  if (before === level) return false;
  const votesBefore = ballot.total_votes + ballot.set_aside_votes;
  const hasVotes = votesBefore > 0;
  const closed = phaseOf(lifespanOf(ballot), now) === 'closed';
  if (!mayChangeProtection(before, level, { hasVotes, closed }))
    throw errors.conflict(closed ? protectionTexts.closed : protectionTexts.lower);
  const raises = [...(ballot.protection_raises ?? []), { level, at: now, votesBefore }];
  await BallotModel.query(trx)
    .findById(ballot.id)
    .patch({ protection: rankOf(level), ...(hasVotes && { protection_raises: raises }) });
  return true;
}

/** Changes when a locked ballot of a weekly poll starts and ends, in milliseconds. */
export async function changeTimes(trx: Database, id: string, startsAt: number, endsAt: number): Promise<void> {
  await BallotModel.query(trx).findById(id).patch({ starts_at: startsAt, ends_at: endsAt });
}

/** Changes when a locked ballot ends, in milliseconds; null: when it is closed. */
export async function changeEnd(trx: Database, id: string, endsAt: number | null): Promise<void> {
  await BallotModel.query(trx).findById(id).patch({ ends_at: endsAt });
}

/**
 * Replaces the options of a locked ballot that has no votes, what a vote chooses, and whether voters may write another answer. The
 * first `offered` can be voted for. Its vote log has none either, and ends: the next one begins with the poll’s texts and
 * visibility after this transaction.
 */
export async function replaceOptions(
  trx: Database,
  id: string,
  options: readonly { readonly id: string; readonly text: string }[],
  choice: BallotChoice = oneChoice,
  { offered = options.length, writeIns = false } = {},
): Promise<void> {
  await trx('ballots')
    .where({ id })
    .update({ ...choiceColumns(choice), write_ins: writeIns });
  await trx('vote_logs').where({ ballot_id: id, size: 0, waiting: 0 }).update({ ballot_key: null });
  await BallotOptionModel.query(trx).where({ ballot_id: id }).delete();
  for (const [position, option] of options.entries())
    await BallotOptionModel.query(trx).insert({
      ...{ ballot_id: id, option_id: option.id, position, offered: position < offered, text: option.text },
    });
}

/** Changes the text of an option; the ballot is locked and has no votes, whose meaning would change. */
export async function changeOptionText(trx: Database, id: string, optionId: string, text: string): Promise<void> {
  await BallotOptionModel.query(trx).findById([id, optionId]).patch({ text });
}

/** Stores how a ballot’s result differs from its log, or that it doesn’t (null); false if the ballot is gone. */
export async function markLogDifference(trx: Database, key: number, difference: string | null): Promise<boolean> {
  return (await trx('ballots').where({ key }).update({ log_difference: difference })) > 0;
}
