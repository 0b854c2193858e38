import { serverLimits } from '#contract/server-limits.ts';
import type { Clock } from '#platform/clock.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import type { Metrics } from '#platform/metrics.ts';
import { GroupCommit } from './group-commit.ts';
import type { VotingIntake } from './group-commit.ts';
import { openPostgresWriter } from './postgres-batch.queries.ts';
import { openSqliteWriter } from './sqlite-batch.queries.ts';

export type { VoteOutcome, VotingIntake } from './group-commit.ts';

export interface IntakeOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics;
}

/** The one way in for votes, on whichever engine the database is. */
export function createVotingIntake({ db, clock, log, metrics }: IntakeOptions): VotingIntake {
  // Several processes rarely meet on one of the 16 rows; when they do, one waits for the other.
  const shard = Math.floor(Math.random() * serverLimits.statisticsShards);
  const oneWriter = isSqlite(db);
  const open = oneWriter ? openSqliteWriter : openPostgresWriter;
  const intake = new GroupCommit(() => open(db, shard), clock, log, { oneWriter, ...(metrics && { metrics }) });
  metrics?.read('votes_waiting', () => ({ now: intake.waiting }));
  return intake;
}
