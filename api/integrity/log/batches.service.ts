import { hashBytes } from '#domain/verification/merkle.ts';
import { checkpointEntry, hourOf, reopenEntry } from '#domain/verification/site-log.ts';
import type { Database } from '#platform/database.ts';
import { integrityLogTexts as texts } from '#texts/integrity-log.ts';
import { signedCheckpoint } from './signing.ts';
import { commit, signersAt } from './site-log.service.ts';
import type { LogContext, SiteEntry } from './site-log.service.ts';
import { growTree, sortedLeaves } from './tree.ts';
import type { Growth } from './tree.ts';
import { oldestWaiting, putTiles, removeWaiting, tilesOf } from './tiles.queries.ts';
import { announcedKeys, ballotFacts, logNumber, logsToPublish, optionFacts } from './vote-log.queries.ts';
import type { BallotFacts, PollLogRow } from './vote-log.queries.ts';

/** Milliseconds between two checkpoints of a poll that is open. */
export const publishEveryMs = 3_600_000;
/** Logs, and leaves about, that one transaction publishes: one log may have more. */
const publishedAtOnce = { logs: 50, leaves: 50_000 };

/** The next batch of a log with everything that its checkpoint needs. */
interface Batch {
  readonly log: PollLogRow;
  readonly growth: Growth;
  readonly rest: Awaited<ReturnType<typeof oldestWaiting>>['rest'];
  readonly added: number;
}

/** Publishes a batch of each log that has waited for an hour, if enough votes wait. */
export async function publishDueBatches(context: LogContext): Promise<void> {
  const { db, clock, minimumBatch } = context;
  for (;;) {
    const before = clock.now() - publishEveryMs;
    const logs = await logsToPublish(db, 2 * minimumBatch, before, publishedAtOnce.logs);
    const due = upTo(logs, publishedAtOnce.leaves);
    if (due.length === 0) return;
    const batches: Batch[] = [];
    // The newest votes stay, so that the last batch has enough of them, too.
    for (const log of due) batches.push(await prepareBatch(context, log, log.waiting - minimumBatch));
    await commit(context, async (trx) => {
      const entries: SiteEntry[] = [];
      for (const batch of batches) entries.push(...(await publishBatch(context, trx, batch)));
      return entries;
    });
  }
}

/** The first logs that have no more than this many waiting leaves together; at least one. */
function upTo(logs: readonly PollLogRow[], leaves: number): PollLogRow[] {
  let sum = 0;
  return logs.filter(({ waiting }, place) => (sum += waiting) <= leaves || place === 0);
}

async function prepareBatch(context: LogContext, log: PollLogRow, added: number): Promise<Batch> {
  const { db } = context;
  const { leaves, rest } = await oldestWaiting(db, log.key, added);
  const growth = await growTree(tilesOf(db, log.key), log.size, sortedLeaves(leaves), (tiles) =>
    commit(context, async (trx) => {
      await putTiles(trx, log.key, tiles);
      return [];
    }),
  );
  return { log, growth, rest, added: leaves.length / hashBytes };
}

async function publishBatch(
  { clock, keys }: LogContext,
  trx: Database,
  { log, growth, rest, added }: Batch,
): Promise<SiteEntry[]> {
  const now = clock.now();
  const { head, tiles } = growth;
  const note = signedCheckpoint(log.origin, head, signersAt(await announcedKeys(trx), keys, now));
  const updated = await trx('vote_logs')
    .where({ key: log.key, ballot_key: log.ballot_key, size: log.size, checkpoints: log.checkpoints, closed_at: null })
    .update({
      ...{ size: head.size, checkpoints: log.checkpoints + 1, published_at: now, reopened: log.results },
      waiting: trx.raw('waiting - ?', [added]),
    });
  // Deleted or closed meanwhile: nothing is added to a closed log.
  if (updated === 0) return [];
  await putTiles(trx, log.key, tiles);
  await removeWaiting(trx, log.key, rest);
  await trx('vote_log_checkpoints').insert({ log_key: log.key, number: log.checkpoints, size: head.size, note });
  if (!log.is_public) return [];
  const isReopened = log.results > log.reopened;
  return [
    ...(isReopened ? [{ text: reopenEntry(log.origin, log.results, hourOf(now)), logKey: log.key }] : []),
    { text: checkpointEntry(log.origin, head, hourOf(now)), logKey: log.key },
  ];
}

/**
 * Closes the log of a closed poll: its remaining votes are published whatever their number. Only if the log has all votes
 * that the poll has received; otherwise the log stays open, and the operator is alerted.
 */
export async function closeLog(context: LogContext, log: PollLogRow): Promise<void> {
  const { db, clock, log: logger } = context;
  const [ballot] = await ballotFacts(db, [log.ballot_key]);
  // Reopened meanwhile.
  if (ballot?.closed_at === null) return;
  const problem = ballot === undefined ? null : await incompleteness(db, log, ballot);
  if (problem !== null) {
    if (problem === log.problem) return;
    logger.error({ poll: log.ballot_id, problem }, 'the vote log of a poll can’t be closed');
    await db('vote_logs').where({ key: log.key }).update({ problem });
    return;
  }
  const batch = log.waiting === 0 ? null : await prepareBatch(context, log, log.waiting);
  await commit(context, async (trx) => {
    const entries = batch === null ? [] : await publishBatch(context, trx, batch);
    const still = { key: log.key, waiting: 0, last_id: log.last_id };
    await trx('vote_logs').where(still).update({ closed_at: clock.now(), result_due: true, problem: null });
    return entries;
  });
}

/** Votes that a ballot has received, without those that are in no log. */
async function receivedVotes(db: Database, ballot: BallotFacts): Promise<number> {
  const options = await optionFacts(db, ballot.id);
  const base = options.reduce((sum, option) => sum + option.base, 0);
  return ballot.total_votes + ballot.set_aside_votes - base;
}

/** Why a log does not have all votes of its closed poll; null if it has. */
export async function incompleteness(db: Database, log: PollLogRow, ballot: BallotFacts): Promise<string | null> {
  const received = await receivedVotes(db, ballot);
  const logged = log.size + log.waiting;
  return received === logged ? null : texts.problems.otherNumber(received, logged);
}

/**
 * Why the log of a ballot, open or closed, does not have the votes that were collected for it; null if it has. `db` must read
 * one state.
 */
export async function lostVotes(
  db: Database,
  log: PollLogRow | undefined,
  ballot: BallotFacts,
): Promise<string | null> {
  const received = await receivedVotes(db, ballot);
  if (log === undefined && received === 0) return null;
  const [since, watermark] = [await logNumber(db, 'since'), await logNumber(db, 'watermark')];
  const logged = log === undefined ? 0 : log.size + log.waiting;
  const uncollected = await votesBetween(db, ballot.key, watermark, null);
  if (received - uncollected === logged) return null;
  // A counter may be wrong, which is no matter of the log. This takes longer.
  const collected = await votesBetween(db, ballot.key, since, watermark);
  if (collected === logged) return null;
  return log === undefined ? texts.differences.noLog : texts.problems.otherNumber(collected, logged);
}

/** The recorded votes of a ballot with ids above one, up to another. */
async function votesBetween(db: Database, ballotKey: number, after: number, through: number | null): Promise<number> {
  const { votes } = await db('votes')
    .where('id', '>', after)
    .modify((query) => void (through !== null && query.where('id', '<=', through)))
    .where({ ballot_key: ballotKey })
    .count('* as votes')
    .first<{ votes: number | string }>();
  return Number(votes);
}
