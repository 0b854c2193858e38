interface BulkWorkLine {
  readonly round: number;
  readonly rounds: number;
  readonly engine: string;
  /** Seconds. */
  readonly answered: number;
  readonly complete: number;
  readonly before: VotesMeanwhile;
  readonly during: VotesMeanwhile;
}

interface VotesMeanwhile {
  readonly p99: number;
  readonly max: number;
  readonly refused: number;
}

interface CapacityLoad {
  readonly polls: number;
  readonly processes: number;
  /** To each process. */
  readonly connections: number;
}

interface CapacityLine extends CapacityLoad {
  readonly round: number;
  readonly rounds: number;
  readonly votesPerSecond: number;
  readonly database: number;
  readonly atOnce: number;
  readonly waiting: number;
}

interface FullBatchesLine {
  readonly polls: number;
  readonly size: number;
  readonly votesPerSecond: number;
  readonly locked: number;
  /** Votes per second by locked rows. */
  readonly rows: number;
}

interface CapacityVerdict {
  readonly polls: number;
  readonly cores: number;
  readonly atOnce: number;
  readonly waiting: number;
  /** Of those waiting, the share that waits for a row of `ballots`. */
  readonly ballots: number;
  readonly processes: number;
  /** Votes per second by processor time and, if they are the limit, by locked rows. */
  readonly processors: number;
  readonly limit: number | null;
  /** The API processes that send as many. */
  readonly needed: number;
}

/** The kind of poll, as in URLs. */
export type VotedOn = 'polls' | 'community-polls';

/** A number of polls of a kind, in words. */
export const pollsOf = (on: VotedOn, count: number) =>
  `${count === 1 ? 'one' : count} ${on === 'polls' ? '' : 'community '}${count === 1 ? 'poll' : 'polls'}`;

const whole = (figure: number) => Math.round(figure).toLocaleString('en-US');

/** The texts about the cost of a vote by thread. */
export const cpuTexts = {
  heading:
    'Processor time per vote in microseconds, by thread, and disk space per vote with all indexes. The load generator shares the cores.',
  notMeasured:
    'Processor time by thread was not measured: it takes Linux with /proc and scheduler statistics (/proc/self/schedstat).',
  columns: {
    candidate: 'µs per vote',
    of: {
      eventLoop: 'API event loop',
      threadPool: 'API thread pool (SQLite)',
      engine: 'API V8 and other',
      siteEventLoop: 'site event loop',
      siteOther: 'site other',
      databaseBackends: 'database backends',
      databaseOther: 'WAL writer, checkpointer, other',
    },
    product: 'product',
    generator: 'load generator',
    bytes: 'bytes per vote',
  },
} as const;

/** The texts about the votes that one database server takes. */
export const capacityTexts = {
  columns: {
    load: 'PostgreSQL',
    perSecond: 'votes/s here',
    perBatch: 'votes per batch',
    api: 'each API process, µs per vote',
    database: 'database, µs per vote',
    log: 'log, bytes per vote',
    atOnce: 'batches recorded at once',
    waiting: 'waiting for a row',
    byProcessors: (cores: number) => `votes/s by ${cores} cores`,
    locked: 'a poll’s row locked, % of the time',
    byRows: 'votes/s by locked rows',
  },
  load: ({ polls, processes, connections }: CapacityLoad) =>
    `${pollsOf('polls', polls)}, ${processes} API ${processes === 1 ? 'process' : 'processes'}, ${connections} connections each`,
  line: ({ round, rounds, votesPerSecond, database, atOnce, waiting, ...load }: CapacityLine) =>
    `round ${round}/${rounds}  ${capacityTexts.load(load).padEnd(52)} ${whole(votesPerSecond).padStart(7)}/s` +
    `  database ${database.toFixed(1)} µs per vote  ${atOnce.toFixed(2)} batches at once, ${waiting.toFixed(2)} waiting for a row`,
  explanation: (cores: number) =>
    `Votes/s by ${cores} cores: ${cores} cores / processor time of all database processes per vote. Votes/s by locked rows: votes/s ` +
    'here / the share of the time for which a poll’s row was locked, so it holds for batches of the measured size, and is too low ' +
    'because batches with locked rows wait for this machine’s processors. Every 5 ms, a sample read what connections did ' +
    '(pg_stat_activity) and which rows were locked (“skip locked”), and every 100 ms the tables of the rows they waited for (pg_locks).',
  fullBatches: ({ polls, size, votesPerSecond, locked, rows }: FullBatchesLine): string =>
    `In full batches of ${size} votes, as a server at its limit gets them, two connections recorded ${whole(votesPerSecond)} votes/s ` +
    `on ${pollsOf('polls', polls)}, and a poll’s row was locked ${(100 * locked).toFixed(1)}% of the time: locked rows allow ` +
    `${Number.isFinite(rows) ? whole(rows) : 'any number of'} votes/s.`,
  verdict: ({
    polls,
    cores,
    atOnce,
    waiting,
    ballots,
    processes,
    processors,
    limit,
    needed,
  }: CapacityVerdict): string =>
    `On ${pollsOf('polls', polls)}, ${processes} API processes recorded ${atOnce.toFixed(2)} batches at once, while ${waiting.toFixed(2)} ` +
    `waited for a row${Number.isFinite(ballots) ? ` (${(ballots * 100).toFixed(0)}% of them in “ballots”)` : ''}. ` +
    `${cores} cores have processor time for ${whole(processors)} votes/s` +
    (limit === null
      ? `, and locked rows are not the limit (API processes needed: ${needed}).`
      : `, but LOCKED ROWS LIMIT THEM to ${whole(limit)} (API processes needed: ${needed}).`),
} as const;

/** The texts about work on a poll with many votes. */
export const bulkWorkTexts = {
  making: (engine: string) => `${engine}: storing votes`,
  columns: {
    engine: (work: 'deletion' | 'decision' | 'closing', votes: number) =>
      ({
        deletion: `a poll with ${votes.toLocaleString('en-US')} votes is deleted; votes on other polls`,
        decision: `${votes.toLocaleString('en-US')} votes are set aside and released; votes on other polls`,
        closing: `a poll with ${votes.toLocaleString('en-US')} votes is closed, its log written; votes on other polls`,
      })[work],
    answered: 'answered, s',
    complete: 'complete, s',
    perSecond: 'votes/s without',
    perSecondDuring: 'votes/s meanwhile',
    p99: 'p99 ms without',
    p99During: 'p99 ms meanwhile',
    max: 'longest ms without',
    maxDuring: 'longest ms meanwhile',
    refused: 'refused',
  },
  line: ({ round, rounds, engine, answered, complete, before, during }: BulkWorkLine) =>
    `round ${round}/${rounds}  ${engine.padEnd(10)}  answered after ${answered.toFixed(2)} s, complete after ${complete.toFixed(1)} s;` +
    `  p99 ${before.p99.toFixed(1)} -> ${during.p99.toFixed(1)} ms, longest ${before.max.toFixed(1)} -> ${during.max.toFixed(1)} ms` +
    (during.refused > 0 ? `, ${during.refused} refused` : ''),
  refused: (status: number, answer: string) => `A request returned ${status}: ${answer}`,
  otherVotes: (ballots: number) => `The log has ${ballots.toLocaleString('en-US')} ballots instead of all.`,
  tooLong: (minutes: number) => `The work was not complete after ${minutes} minutes.`,
  tooFewVotes: (votes: number) =>
    `The work took longer than ${votes.toLocaleString('en-US')} votes, so its end was not measured. Use fewer --votes.`,
} as const;

/** Texts of the benchmark of the conversion. */
export const migrationTexts = {
  filling: (engine: string, votes: number) =>
    `Creating ${votes.toLocaleString('en-US')} votes of the previous release on ${engine}`,
  engine: 'database',
  seconds: 'seconds',
  microseconds: 'µs per vote',
  memory: 'memory at the peak, MB',
  before: 'database before, MB',
  after: 'after, MB',
} as const;
