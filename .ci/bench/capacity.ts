/** What the connections of one database did at one moment. */
export interface Sample {
  /** Batches of votes being recorded, without those that wait. */
  readonly working: number;
  /** Batches waiting for a row that another one has locked. */
  readonly waiting: number;
}

/** What samples show about batches of votes. */
export interface LockShares {
  /** The share of the time in which any batch is being recorded. */
  readonly busy: number;
  /** The number of batches recorded at once, while any is. */
  readonly atOnce: number;
  /** The number of batches waiting for a row, on average over the whole time. */
  readonly waiting: number;
}

/** Summarizes samples taken at regular intervals. */
export function lockShares(samples: readonly Sample[]): LockShares {
  const busy = samples.filter(({ working, waiting }) => working + waiting > 0);
  const sum = (of: readonly Sample[], figure: keyof Sample) => of.reduce((total, one) => total + one[figure], 0);
  return {
    busy: samples.length === 0 ? 0 : busy.length / samples.length,
    atOnce: busy.length === 0 ? 0 : sum(busy, 'working') / busy.length,
    waiting: samples.length === 0 ? 0 : sum(samples, 'waiting') / samples.length,
  };
}

/** The votes per second for which a server’s cores have processor time, in microseconds per vote. */
export function byProcessors(cores: number, microsecondsPerVote: number): number {
  return (cores * 1_000_000) / microsecondsPerVote;
}

/** The share of the batches in the database that wait for a row from which row locks count as a limit. */
const limitingShare = 0.2;

/** A measured load on one database. */
export interface LockedLoad extends LockShares {
  readonly votesPerBatch: number;
  readonly votesPerSecond: number;
  /** Microseconds per vote: time of the database’s connections on a processor, and ready but waiting for one. */
  readonly cpu: number;
  readonly queued: number;
}

/**
 * How long one batch keeps its rows locked, in milliseconds: the time in which it was being recorded, without the time for
 * which it waited for one of this machine’s processors, and never less than its own processor time.
 */
export function lockedMs({ votesPerBatch, votesPerSecond, busy, atOnce, cpu, queued }: LockedLoad): number {
  const perVote = (busy * atOnce * 1_000_000) / votesPerSecond;
  return (Math.max(perVote - queued, cpu) * votesPerBatch) / 1_000;
}

/** The votes per second if batches are always being recorded, as many at once as were measured. */
export function byLockedRows(load: LockedLoad): number {
  return (load.atOnce * load.votesPerBatch * 1_000) / lockedMs(load);
}

/** Whether so many batches wait for rows that more API processes would only wait, too. */
export function areRowsLimiting({ busy, atOnce, waiting }: LockShares): boolean {
  return waiting > limitingShare * (waiting + busy * atOnce);
}

/** The number of API processes, with one core each, that send a number of votes per second. */
export function processesFor(votesPerSecond: number, eventLoopMicroseconds: number): number {
  return Math.ceil((votesPerSecond * eventLoopMicroseconds) / 1_000_000);
}
