import type { Clock } from '#platform/clock.ts';
import { isSqlite } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import type { Metrics } from '#platform/metrics.ts';
import { GroupCommit } from './group-commit.ts';
import type { VotingIntake } from './group-commit.ts';
import type { Promises } from './promises.service.ts';
import { openPostgresWriter } from './postgres-batch.queries.ts';
import { openSqliteWriter } from './sqlite-batch.queries.ts';
import { VoteMetrics } from './vote-metrics.ts';

export type { VoteOutcome, VotingIntake } from './group-commit.ts';

interface IntakeOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics;
  readonly promises?: Promises;
}

/** Rows of the headline counters; each API process writes one of them. */
const statisticsShards = 16;

/** Creates the vote intake for the database's engine. */
export function createVotingIntake({ db, clock, log, metrics, promises }: IntakeOptions): VotingIntake {
  // Several processes rarely pick the same of the 16 rows; when they do, one waits for the other.
  const shard = Math.floor(Math.random() * statisticsShards);
  const oneWriter = isSqlite(db);
  const open = oneWriter ? openSqliteWriter : openPostgresWriter;
  const intake = new GroupCommit(() => open(db, shard), clock, log, {
    oneWriter,
    ...(promises && { promises }),
    ...(metrics && { metrics: new VoteMetrics(metrics) }),
  });
  metrics?.read('votes_waiting', () => ({ now: intake.waiting }));
  return intake;
}
