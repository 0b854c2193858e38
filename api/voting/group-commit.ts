import { setTimeout as wait } from 'node:timers/promises';
import { serverLimits } from '#contract/server-limits.ts';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import type { Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { VoteCounter } from '#platform/vote-counter.ts';
import { causeOf } from './batch-failure.ts';
import type { BatchResult, BatchWriter, Tally, Vote } from './vote-batch.ts';

/** What became of a vote. Counts are those of the commit that carried it. */
export type VoteOutcome =
  | { readonly status: 'recorded'; readonly userVote: string; readonly tally: Tally }
  | {
      readonly status: 'already-voted';
      readonly userVote: string;
      /** The voter cookie that the recorded vote came with. */
      readonly cookie: string | null;
      readonly tally: Tally;
    }
  /** A limit has no room for it in the next `seconds`. */
  | { readonly status: 'crowded'; readonly limit: VoteCounter['limit']; readonly seconds: number }
  | { readonly status: 'not-found' | 'invalid-option' | 'closed' | 'not-started' | 'overloaded' };

/** The one way in for votes on anything that can be voted on. */
export interface VotingIntake {
  /** Resolves after the commit that carried the vote; rejects when the database failed and nothing can be said. */
  cast(vote: Vote): Promise<VoteOutcome>;
  /** Writes the way that votes go, between two batches; rejects when nothing can be written. */
  testWrite(): Promise<void>;
  /** Counts something against a limit with the next batch; false when the limit is known to be used up. */
  count(counter: VoteCounter): boolean;
  /** Resolves when every vote that was handed in is committed or refused, and lets go of the database. */
  drain(): Promise<void>;
  /**
   * Does something that writes, between two batches where the database has one writer: who waits for it outside of this
   * queue gets it now and then only, and keeps votes waiting for longer than the work takes.
   */
  between<T>(work: () => Promise<T>): Promise<T>;
}

/** Counters that are remembered as used up. Forgetting one costs a look at the database. */
const fullRemembered = 10_000;

interface Waiting {
  readonly vote: Vote;
  resolve(outcome: VoteOutcome): void;
  reject(error: unknown): void;
}

/**
 * Group commit: votes that arrive while a commit runs are committed together by the next one, and a lone vote is
 * committed at once. The writer is opened for the first vote, and again after a broken connection.
 */
export class GroupCommit implements VotingIntake {
  readonly #openWriter: () => Promise<BatchWriter>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #oneWriter: boolean;
  readonly #metrics: Metrics | undefined;
  #writer: BatchWriter | null = null;
  #queue: Waiting[] = [];
  /** What is counted with the next batch. */
  #counts: VoteCounter[] = [];
  /** Keys of counters that are used up. A key is of one window, so that it stays used up. */
  readonly #full = new Set<string>();
  /** What is done before the next batch. */
  #guests: (() => Promise<void>)[] = [];
  #isDrained = false;
  /** The run that empties the queue; null while nothing waits. */
  #running: Promise<void> | null = null;

  constructor(
    openWriter: () => Promise<BatchWriter>,
    clock: Clock,
    log: Logger,
    { oneWriter = false, metrics }: { readonly oneWriter?: boolean; readonly metrics?: Metrics } = {},
  ) {
    this.#oneWriter = oneWriter;
    this.#metrics = metrics;
    this.#openWriter = openWriter;
    this.#clock = clock;
    this.#log = log;
  }

  /** Votes that wait for the next commit. */
  get waiting(): number {
    return this.#queue.length;
  }

  cast(vote: Vote): Promise<VoteOutcome> {
    if (this.#isDrained || this.#queue.length >= serverLimits.voteQueue)
      return Promise.resolve({ status: 'overloaded' });
    // No option has such a name, and PostgreSQL would refuse the whole batch for it.
    if (vote.optionId.includes('\0') || !vote.optionId.isWellFormed())
      return Promise.resolve({ status: 'invalid-option' });
    const full = vote.counters?.find(({ key }) => this.#full.has(key));
    if (full) return Promise.resolve(crowded(full, this.#clock.now()));
    return new Promise((resolve, reject) => {
      this.#queue.push({ vote, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  count(counter: VoteCounter): boolean {
    if (this.#full.has(counter.key)) return false;
    if (!this.#isDrained) {
      this.#counts.push(counter);
      this.#running ??= this.#run();
    }
    return true;
  }

  async drain(): Promise<void> {
    while (this.#running) await this.#running;
    // What comes later could be counted without anybody being told.
    this.#isDrained = true;
    await this.#closeWriter();
  }

  between<T>(work: () => Promise<T>): Promise<T> {
    return this.#oneWriter ? this.#asGuest(work) : work();
  }

  async testWrite(): Promise<void> {
    if (this.#isDrained) throw new Error('The service is draining and accepts no more votes.');
    await this.#asGuest(async () => {
      try {
        this.#writer ??= await this.#openWriter();
        await this.#writer.testWrite();
      } catch (error) {
        if (causeOf(error) === 'connection') void this.#closeWriter();
        throw error;
      }
    });
  }

  #asGuest<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#guests.push(() => work().then(resolve, reject));
    this.#running ??= this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    // Votes of the same turn of the event loop join the first batch.
    await new Promise(setImmediate);
    let answer: (() => void) | null = null;
    while (this.#queue.length > 0 || this.#guests.length > 0 || this.#counts.length > 0) {
      const guest = this.#guests.shift();
      const batch = guest ? [] : this.#queue.splice(0, serverLimits.voteBatch);
      const working = guest ? guest() : this.#commit(batch, this.#counts.splice(0));
      // The voters of one batch are answered while the next batch is on its way to the disk.
      answer?.();
      answer = (await working) ?? null;
    }
    this.#running = null;
    answer?.();
  }

  /** Commits a batch; what it returns answers the voters. A batch that cannot be written is split to spare the rest. */
  async #commit(batch: readonly Waiting[], counts: readonly VoteCounter[]): Promise<() => void> {
    try {
      return await this.#persist(batch, counts);
    } catch (error) {
      const [first] = batch;
      if (batch.length <= 1) {
        this.#log.error({ err: error, ballot: first?.vote.ballotId }, 'could not record a vote');
        return () => first?.reject(error);
      }
      const half = Math.ceil(batch.length / 2);
      const answers = [await this.#commit(batch.slice(0, half), counts), await this.#commit(batch.slice(half), [])];
      return () => answers.forEach((answer) => answer());
    }
  }

  /** Tries a batch until its fate is known, or often enough; throws when the database refuses what is in it. */
  async #persist(batch: readonly Waiting[], counts: readonly VoteCounter[]): Promise<() => void> {
    const votes = batch.map(({ vote }) => vote);
    /** Moments of attempts that may or may not have been committed. */
    const doubtful = new Set<number>();
    for (let attempt = 1; ; attempt++) {
      const now = this.#clock.now();
      let sent = false;
      try {
        this.#writer ??= await this.#openWriter();
        sent = true;
        const begun = performance.now();
        const result = await this.#writer.record(votes, now, counts);
        this.#rememberFull([...counts, ...votes.flatMap((vote) => vote.counters ?? [])], result.used);
        const outcomes = outcomesOf(votes, result, now, doubtful);
        if (votes.length > 0) this.#metrics?.batchWritten(votes.length, (performance.now() - begun) / 1_000);
        return () => batch.forEach((waiting, place) => waiting.resolve(outcomes[place]!));
      } catch (error) {
        const cause = causeOf(error);
        if (cause === 'content') throw error;
        if (cause === 'connection') {
          if (sent) doubtful.add(now);
          // Not waited for: a broken connection may never answer its own goodbye.
          void this.#closeWriter();
        }
        this.#metrics?.batchTriedAgain();
        this.#log.warn({ err: error, votes: votes.length, attempt }, 'retrying a batch of votes');
        if (attempt === serverLimits.voteAttempts) {
          // Without a lost connection it is certain that nothing was recorded, and the voter may try again.
          return () => {
            for (const waiting of batch) {
              if (doubtful.size === 0) waiting.resolve({ status: 'overloaded' });
              else waiting.reject(error);
            }
          };
        }
        await wait(serverLimits.voteRetryMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
      }
    }
  }

  #rememberFull(counters: readonly VoteCounter[], used: BatchResult['used']): void {
    for (const counter of counters)
      if (isFull(counter, used)) {
        if (this.#full.size >= fullRemembered) this.#full.clear();
        this.#full.add(counter.key);
      }
  }

  async #closeWriter(): Promise<void> {
    const writer = this.#writer;
    this.#writer = null;
    // A connection that broke cannot be closed in good order, and need not be.
    await writer?.close().catch(() => undefined);
  }
}

/** What each vote of a batch is told, in the order of the batch. */
function outcomesOf(
  votes: readonly Vote[],
  result: BatchResult,
  now: number,
  doubtful: ReadonlySet<number>,
): readonly VoteOutcome[] {
  const refusals = new Map(result.refusals.map(({ place, earlier }) => [place, earlier]));
  const claimed = new Set<string>();
  return votes.map((vote, place): VoteOutcome => {
    const tally = result.tallies.get(vote.ballotId);
    if (tally?.kind !== vote.kind) return { status: 'not-found' };
    const earlier = refusals.get(place);
    if (earlier === undefined) return { status: 'recorded', userVote: vote.optionId, tally };
    if (earlier !== null) {
      // The row of an attempt whose answer got lost: this vote was recorded after all, once.
      const mark = `${vote.ballotId} ${vote.voter.fingerprint}`;
      const own =
        doubtful.has(earlier.createdAt) &&
        earlier.fingerprint === vote.voter.fingerprint &&
        earlier.cookie === vote.voter.cookie &&
        earlier.optionId === vote.optionId &&
        !claimed.has(mark);
      claimed.add(mark);
      return own
        ? { status: 'recorded', userVote: vote.optionId, tally }
        : { status: 'already-voted', userVote: earlier.optionId, cookie: earlier.cookie, tally };
    }
    const phase = phaseOf(tally, now);
    if (phase !== 'open') return { status: phase === 'closed' ? 'closed' : 'not-started' };
    const full = vote.counters?.find((counter) => isFull(counter, result.used)) ?? vote.counters?.[0];
    // Nothing else keeps a vote from being recorded.
    if (full && tally.options.some(({ id, offered }) => offered && id === vote.optionId)) return crowded(full, now);
    return { status: 'invalid-option' };
  });
}

const isFull = ({ key, points }: VoteCounter, used: BatchResult['used']) => (used.get(key) ?? 0) >= points;

const crowded = ({ limit, resetsAt }: VoteCounter, now: number): VoteOutcome => ({
  status: 'crowded',
  limit,
  seconds: (resetsAt - now) / 1_000,
});
