import { toBase64 } from '#domain/verification/bytes.ts';
import { recordOpenHolds } from '#api/voting/decisions.service.ts';
import type { BallotPaper } from './integrity-log.contract.ts';
import { tagOf } from '#domain/verification/paper.ts';
import { amendEntry, decisionEntry, hourOf, independentEntry } from '#domain/verification/site-log.ts';
import { integrityLogTexts as texts } from '#texts/integrity-log.ts';
import { recordComparison } from './comparison.service.ts';
import { closeLog, publishDueBatches } from './batches.service.ts';
import { collectLeaves, openDueLogs } from './leaves.service.ts';
import { LeaseLost } from '#platform/jobs/lease.service.ts';
import { loggedDecision, publishResult } from './results.service.ts';
import { sha256 } from './signing.ts';
import { commit, prepareSite } from './site-log.service.ts';
import type { LogContext, SiteEntry } from './site-log.service.ts';
import {
  ballotFacts,
  ballotsWithProblem,
  ballotsWithoutTheirLog,
  decisionActionsAfter,
  deleteSome,
  endedLogs,
  logOfBallot,
  logNumber,
  logsToClose,
  logsToCompare,
  logsWithResultDue,
  optionFacts,
  paperOf,
} from './vote-log.queries.ts';
import type { ActionRow, PollLogRow } from './vote-log.queries.ts';

/** Logs that one step of a tick handles; the rest follows in the next tick. */
const logsAtOnce = 200;
/** Actions that are read at once. */
const actionsAtOnce = 500;
/** Milliseconds after which no action with a lower id can appear: transactions are shorter. */
const actionsSettleMs = 3_600_000;

/**
 * Brings the vote log up to date, if no other process does: opens logs, collects votes, publishes what is due, closes logs of
 * closed polls, and publishes decisions and results. Interrupted anywhere, the next tick continues. False if another process
 * has the lease.
 */
export async function tick(context: LogContext): Promise<boolean> {
  const { db, clock, lease } = context;
  try {
    if (!(await lease.take(db, clock.now()))) return false;
    await prepareSite(context);
    await openDueLogs(context);
    // Votes of a closed poll were committed before it closed: what is collected now has all of them.
    const closing = await logsToClose(db, logsAtOnce);
    await collectLeaves(context);
    await publishDueBatches(context);
    await compareWordings(context);
    for (const { ballot_id } of closing) await commit(context, (trx) => recordOpenHolds(trx, ballot_id, clock.now()));
    await logDecisions(context);
    for (const { ballot_id } of closing) {
      const log = await logOfBallot(db, ballot_id);
      if (log?.closed_at === null) await closeLog(context, log);
    }
    // The page is made later: the daily comparison reads it.
    const withoutPage = { ...context, readPage: () => Promise.resolve(null) };
    for (const log of await logsWithResultDue(db, logsAtOnce)) {
      await publishResult(context, log);
      await recordComparison(withoutPage, log.ballot_key);
    }
    for (const find of [ballotsWithProblem, ballotsWithoutTheirLog])
      for (const key of await find(db, logsAtOnce)) await recordComparison(withoutPage, key);
    await logIndependent(context);
    await deleteEndedLogs(context);
    return true;
  } catch (error) {
    if (error instanceof LeaseLost) return false;
    throw error;
  }
}

/** Logs corrected wordings. A log whose options have changed begins again if it is empty, and otherwise can't continue. */
async function compareWordings(context: LogContext): Promise<void> {
  const { db, clock, log: logger } = context;
  for (const log of await logsToCompare(db, logsAtOnce)) {
    await commit(context, async (trx) => {
      const [ballot] = await ballotFacts(trx, [log.ballot_key]);
      if (ballot === undefined) return [];
      const opened = JSON.parse(log.paper) as BallotPaper;
      // A log keeps the format in which it was opened.
      const paper = { ...paperOf(log.origin, ballot, await optionFacts(trx, log.ballot_id)), choice: opened.choice };
      const update = (change: object) =>
        trx('vote_logs')
          .where({ key: log.key })
          .update({ checked_at: ballot.updated_at!, ...change });
      if (idsOf(paper) !== idsOf(opened)) {
        if (log.size + log.waiting === 0) await update({ ballot_key: null });
        else {
          logger.error({ poll: log.ballot_id }, texts.problems.otherOptions);
          await update({ problem: texts.problems.otherOptions });
        }
        return [];
      }
      const tag = tagOf(paper, sha256);
      const wording = toBase64(tag);
      // Imported votes may have changed as well.
      await update({ wording, result_due: log.closed_at !== null });
      if (wording === log.wording || !log.is_public) return [];
      return [{ text: amendEntry(log.origin, tag, hourOf(clock.now())), logKey: log.key }];
    });
  }
}

const idsOf = ({ options }: BallotPaper): string => options.map(({ id }) => id).join('\n');

/** Logs decisions about votes; a closed poll’s result is published again. */
async function logDecisions(context: LogContext): Promise<void> {
  const { db, clock } = context;
  const floor = await logNumber(db, 'actions');
  let settled = floor;
  for (let after = floor; ;) {
    const actions = await decisionActionsAfter(db, after, actionsAtOnce);
    for (const [ballotId, some] of Map.groupBy(actions, ({ ballot_id }) => ballot_id)) {
      const log = await logOfBallot(db, ballotId);
      const unlogged = log ? some.filter(({ id }) => id > log.last_action) : [];
      if (log && unlogged.length > 0) await logActions(context, log, unlogged);
    }
    for (const { id, at } of actions) if (at < clock.now() - actionsSettleMs) settled = Math.max(settled, id);
    if (actions.length < actionsAtOnce) break;
    after = actions.at(-1)!.id;
  }
  if (settled > floor)
    await db('installation')
      .insert({ name: 'integrity.actions', value: String(settled) })
      .onConflict('name')
      .merge();
}

async function logActions(context: LogContext, log: PollLogRow, actions: readonly ActionRow[]): Promise<void> {
  await commit(context, async (trx) => {
    const changed = await trx('vote_logs')
      .where({ key: log.key, last_action: log.last_action })
      .update({ last_action: actions.at(-1)!.id, result_due: trx.raw('closed_at is not null') });
    if (changed === 0 || !log.is_public) return [];
    return actions.flatMap((action): SiteEntry[] => {
      const decision = loggedDecision(action);
      return decision ? [{ text: decisionEntry(log.origin, decision, hourOf(action.at)), logKey: log.key }] : [];
    });
  });
}

interface IndependentRow {
  readonly ballot_key: number;
  readonly ballot_id: string;
  readonly votes: string;
  readonly counted_at: number;
}

/** Logs the independent votes of flagged polls that have a result, once they are final. */
async function logIndependent(context: LogContext): Promise<void> {
  const { db, clock } = context;
  const rows = await db('independent_votes as i')
    .join('vote_logs as l', 'l.ballot_key', 'i.ballot_key')
    .where({ 'i.final': true, 'l.is_public': true, 'l.result_due': false })
    .where('l.results', '>', 0)
    .whereNotNull('l.closed_at')
    .whereRaw('(i.logged_at is null or i.logged_at < i.counted_at)')
    .limit(logsAtOnce)
    .select<IndependentRow[]>('i.ballot_key', 'l.ballot_id', 'i.votes', 'i.counted_at');
  for (const { ballot_key: key, ballot_id: id, votes, counted_at: at } of rows)
    await commit(context, async (trx) => {
      const log = await logOfBallot(trx, id);
      const logged = await trx('independent_votes')
        .where({ ballot_key: key, counted_at: at })
        .update({ logged_at: at });
      if (!log || logged === 0) return [];
      const byOption = JSON.parse(votes) as Record<string, number>;
      const { options } = JSON.parse(log.paper) as BallotPaper;
      const counts = options.map((option) => byOption[option.id] ?? 0);
      return [{ text: independentEntry(log.origin, log.results, counts, hourOf(clock.now())), logKey: log.key }];
    });
}

/** Deletes what is kept of the logs of deleted polls, except their origins and their entries in the site-wide log. */
async function deleteEndedLogs(context: LogContext): Promise<void> {
  for (const { key } of await endedLogs(context.db, logsAtOnce)) {
    for (const table of ['waiting', 'tiles', 'checkpoints', 'files', 'results'].map((name) => `vote_log_${name}`))
      for (let more = true; more;)
        await commit(context, async (trx) => {
          more = await deleteSome(trx, table, key);
          return [];
        });
    await context.db('vote_logs').where({ key }).update({ paper: null, waiting: 0, problem: null });
  }
}
