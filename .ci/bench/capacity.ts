/** What the connections of one database did at one moment. */
export interface Sample {
  /** Batches of votes being recorded, without those that wait. */
  readonly working: number;
  /** Batches waiting for a row that another one has locked. */
  readonly waiting: number;
  /** The share of the polls whose row is locked. */
  readonly locked: number;
}

/** What samples show about batches of votes. */
export interface LockShares {
  /** The share of the time in which any batch is being recorded. */
  readonly busy: number;
  /** The number of batches recorded at once, while any is. */
  readonly atOnce: number;
  /** The number of batches waiting for a row, on average over the whole time. */
  readonly waiting: number;
  /** The share of the time for which a poll's row is locked, on average over the polls. */
  readonly locked: number;
}

/** Summarizes samples taken at regular intervals. */
export function lockShares(samples: readonly Sample[]): LockShares {
  const busy = samples.filter(({ working, waiting }) => working + waiting > 0);
  const sum = (of: readonly Sample[], figure: keyof Sample) => of.reduce((total, one) => total + one[figure], 0);
  return {
    busy: samples.length === 0 ? 0 : busy.length / samples.length,
    atOnce: busy.length === 0 ? 0 : sum(busy, 'working') / busy.length,
    waiting: samples.length === 0 ? 0 : sum(samples, 'waiting') / samples.length,
    locked: samples.length === 0 ? 0 : sum(samples, 'locked') / samples.length,
  };
}

/** The votes per second for which a server’s cores have processor time, in microseconds per vote. */
export function byProcessors(cores: number, microsecondsPerVote: number): number {
  return (cores * 1_000_000) / microsecondsPerVote;
}

/** The share of the batches in the database that wait for a row from which row locks count as a limit. */
const limitingShare = 0.2;

/**
 * The votes per second if the rows of all polls are always locked, in batches as large as the measured ones. Too low on a
 * busy machine, where batches with locked rows wait for a processor.
 */
export function byLockedRows(load: { readonly votesPerSecond: number; readonly locked: number }): number {
  const { votesPerSecond, locked } = load;
  return locked === 0 ? Infinity : votesPerSecond / locked;
}

/** Whether so many batches wait for rows that more API processes would only wait, too. */
export function areRowsLimiting({ busy, atOnce, waiting }: LockShares): boolean {
  return waiting > limitingShare * (waiting + busy * atOnce);
}

/** The number of API processes, with one core each, that send a number of votes per second. */
export function processesFor(votesPerSecond: number, eventLoopMicroseconds: number): number {
  return Math.ceil((votesPerSecond * eventLoopMicroseconds) / 1_000_000);
}
