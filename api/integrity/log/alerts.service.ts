import type { LogAlerts } from '#api/integrity/flags.contract.ts';
import type { Database } from '#platform/database.ts';
import { newestVoteId } from '#api/voting/voting.service.ts';
import { publishEveryMs } from './batches.service.ts';
import { silentAfterMs, silentWitnesses } from './cosign.service.ts';
import { logProblems, minimumBatch } from './proofs.service.ts';
import { logNumber } from './vote-log.queries.ts';

/** Milliseconds by which the log may be late: it ticks every ten seconds, and a large poll takes longer to close. */
export const lateAfterMs = 10 * 60_000;
/** Problems that are listed. */
const problemsListed = 20;
/** How many ids after the watermark are searched for the oldest vote that is not in the log. */
const searchedIds = 5_000;

/** Problems of the vote log that the operator must know. Reads a bounded number of votes. */
export async function logAlerts(db: Database, now: number): Promise<LogAlerts> {
  const late = now - lateAfterMs;
  const watermark = await logNumber(db, 'watermark');
  const uncollected =
    (await newestVoteId(db)) === watermark
      ? null
      : await db('votes')
          .whereBetween('id', [watermark + 1, watermark + searchedIds])
          .min('created_at as at')
          .first<{ at: number | null }>();
  const { overdue } = await db('vote_logs as l')
    .join('ballots as b', 'b.key', 'l.ballot_key')
    .whereNull('l.problem')
    .where(
      (log) =>
        void log
          .where(
            (hourly) =>
              void hourly
                .where('l.waiting', '>=', 2 * minimumBatch)
                .where('l.published_at', '<=', late - publishEveryMs),
          )
          .orWhere((closing) => void closing.whereNull('l.closed_at').where('b.closed_at', '<=', late)),
    )
    .count('* as overdue')
    .first<{ overdue: number | string }>();
  return {
    behindSeconds: uncollected?.at == null ? 0 : Math.max(0, Math.round((now - uncollected.at) / 1_000)),
    overdue: Number(overdue),
    differences: await differingResults(db, problemsListed),
    problems: (await logProblems(db, problemsListed)).map(({ ballotId: pollId, problem }) => ({ pollId, problem })),
    witnesses: await silentWitnesses(db, now, silentAfterMs),
  };
}

/** Polls whose results differ from their logs, and how: at most `most`. */
async function differingResults(db: Database, most: number): Promise<LogAlerts['differences']> {
  return db('ballots')
    .whereNotNull('log_difference')
    .orderBy('key')
    .limit(most)
    .select({ pollId: 'id', problem: 'log_difference' });
}
