import { setTimeout as wait } from 'node:timers/promises';
import { phaseOf } from '#domain/poll-lifecycle.ts';
import type { Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import { noPromise } from './promises.service.ts';
import type { BatchPromises, PromiseText, Promises } from './promises.service.ts';
import { makeReceipt } from './receipts.ts';
import type { BallotChoice, Chosen } from './choices.model.ts';
import type { BatchResult, BatchWriter, Tally, Vote, VoteCounter } from './vote-batch.ts';
import { causeOf, storedTime, voteAttempts } from './vote-batch.ts';
import type { VoteMetrics } from './vote-metrics.ts';

/** Votes that one transaction may carry. */
export const voteBatch = 512;
/** Votes that may wait; beyond that the service answers 503 instead of growing without bound. */
export const voteQueue = 20_000;
/** Milliseconds before a failed batch is tried again; doubled with each attempt. */
const voteRetryMs = 25;

/** The result of casting a vote. Counts are those of the commit that included it. */
export type VoteOutcome =
  | {
      readonly status: 'recorded';
      readonly userVote: string;
      readonly further?: Chosen['further'];
      /** The code of the vote’s receipt; null without a secret. */
      readonly receipt: string | null;
      readonly promise: PromiseText;
      readonly tally: Tally;
      /** The headline figures as JSON. */
      readonly statistics: string;
    }
  | {
      readonly status: 'already-voted';
      readonly userVote: string;
      readonly further?: Chosen['further'];
      /** The digest of the voter cookie that the recorded vote came with. */
      readonly cookie: string | null;
      /** Of the recorded vote; null if it is older than receipts, or the ballot’s secret is deleted. */
      readonly receipt: string | null;
      readonly promise: PromiseText;
      readonly tally: Tally;
    }
  /** A limit is used up for the next `seconds`. */
  | { readonly status: 'rate-limited'; readonly limit: VoteCounter['limit']; readonly seconds: number }
  /** The ballot asks for another number of options. */
  | { readonly status: 'wrong-number'; readonly choice: BallotChoice }
  /** The ballot has come to need more than the vote meets. */
  | { readonly status: 'not-found' | 'unprotected' | 'invalid-option' | 'closed' | 'not-started' | 'overloaded' };

/** Records votes on every kind of ballot. */
export interface VotingIntake {
  /** Resolves after the commit that included the vote; rejects when the database failed and the outcome is unknown. */
  cast(vote: Vote): Promise<VoteOutcome>;
  /** Writes over the connection that votes use, between two batches; rejects when nothing can be written. */
  testWrite(): Promise<void>;
  /** Counts something against a limit with the next batch; false when the limit is known to be used up. */
  count(counter: VoteCounter): boolean;
  /** Resolves when every queued vote is committed or refused, and closes the connection. */
  drain(): Promise<void>;
  /**
   * Runs a task that writes, between two batches where the database has one writer: outside of this queue, the task would
   * rarely get the write lock, and votes would wait for longer than the task takes.
   */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
}

/** Counters that are remembered as used up. Forgetting one costs a database read. */
const maxFullCounters = 10_000;

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
  readonly #metrics: VoteMetrics | undefined;
  readonly #promises: Promises | undefined;
  #writer: BatchWriter | null = null;
  #queue: Waiting[] = [];
  /** Rejected votes to count with the next batch. */
  #counts: VoteCounter[] = [];
  /** Keys of counters that are used up. A key belongs to one window, so it stays used up. */
  readonly #full = new Set<string>();
  /** Tasks that run before the next batch. */
  #exclusiveTasks: (() => Promise<void>)[] = [];
  #isDrained = false;
  /** The run that empties the queue; null while nothing waits. */
  #running: Promise<void> | null = null;

  constructor(
    openWriter: () => Promise<BatchWriter>,
    clock: Clock,
    log: Logger,
    options: { readonly oneWriter?: boolean; readonly metrics?: VoteMetrics; readonly promises?: Promises } = {},
  ) {
    const { oneWriter = false, metrics, promises } = options;
    this.#promises = promises;
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
    if (this.#isDrained || this.#queue.length >= voteQueue) return Promise.resolve({ status: 'overloaded' });
    if (!isStorable(vote.optionId) || vote.further?.every(isStorable) === false)
      return Promise.resolve({ status: 'invalid-option' });
    const full = vote.counters?.find(({ key }) => this.#full.has(key));
    if (full) return Promise.resolve(rateLimited(full, this.#clock.now()));
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
    // A vote accepted after this could be recorded without an answer.
    this.#isDrained = true;
    await this.#closeWriter();
  }

  runExclusive<T>(task: () => Promise<T>): Promise<T> {
    return this.#oneWriter ? this.#enqueue(task) : task();
  }

  async testWrite(): Promise<void> {
    if (this.#isDrained) throw new Error('The service is draining and accepts no more votes.');
    await this.#enqueue(async () => {
      try {
        this.#writer ??= await this.#openWriter();
        await this.#writer.testWrite();
      } catch (error) {
        if (causeOf(error) === 'connection') void this.#closeWriter();
        throw error;
      }
    });
  }

  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#exclusiveTasks.push(() => task().then(resolve, reject));
    this.#running ??= this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    // Votes of the same turn of the event loop join the first batch.
    await new Promise(setImmediate);
    let respond: (() => void) | null = null;
    while (this.#queue.length > 0 || this.#exclusiveTasks.length > 0 || this.#counts.length > 0) {
      const task = this.#exclusiveTasks.shift();
      const batch = task ? [] : this.#queue.splice(0, voteBatch);
      const running = task ? task() : this.#commit(batch, this.#counts.splice(0));
      // The voters of one batch are answered while the next batch is being written.
      respond?.();
      respond = (await running) ?? null;
    }
    this.#running = null;
    respond?.();
  }

  /** Commits a batch; the returned function answers the voters. A batch that cannot be written is split to save the rest. */
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
      const halves = [await this.#commit(batch.slice(0, half), counts), await this.#commit(batch.slice(half), [])];
      return () => halves.forEach((respond) => respond());
    }
  }

  /** Tries a batch until its outcome is known or the attempts are used up; throws when the database refuses its content. */
  async #persist(batch: readonly Waiting[], counts: readonly VoteCounter[]): Promise<() => void> {
    const votes = batch.map(({ vote }) => vote);
    /** Stored times of attempts that may or may not have been committed. */
    const uncertain = new Set<number>();
    for (let attempt = 1; ; attempt++) {
      const now = this.#clock.now();
      let sent = false;
      try {
        this.#writer ??= await this.#openWriter();
        sent = true;
        const startedAt = performance.now();
        const result = await this.#writer.record(votes, now, counts);
        if (result.used.size > 0)
          this.#rememberFull([...counts, ...votes.flatMap((vote) => vote.counters ?? [])], result.used);
        const promises = await this.#promises?.begin(result.tallies.values());
        const outcomes = outcomesOf(votes, result, now, uncertain, promises);
        if (votes.length > 0) this.#metrics?.batchCommitted(votes.length, (performance.now() - startedAt) / 1_000);
        return () => batch.forEach((waiting, place) => waiting.resolve(outcomes[place]!));
      } catch (error) {
        const cause = causeOf(error);
        if (cause === 'content') throw error;
        if (cause === 'connection') {
          if (sent) uncertain.add(storedTime(now));
          // Not awaited: close() can hang on a broken connection.
          void this.#closeWriter();
        }
        this.#metrics?.batchRetried();
        this.#log.warn({ err: error, votes: votes.length, attempt }, 'retrying a batch of votes');
        if (attempt === voteAttempts) {
          // If no connection was lost, nothing was recorded, and the voter may try again.
          return () => {
            for (const waiting of batch) {
              if (uncertain.size === 0) waiting.resolve({ status: 'overloaded' });
              else waiting.reject(error);
            }
          };
        }
        await wait(voteRetryMs * 2 ** (attempt - 1) * (0.5 + Math.random()));
      }
    }
  }

  #rememberFull(counters: readonly VoteCounter[], used: BatchResult['used']): void {
    for (const counter of counters)
      if (isFull(counter, used)) {
        if (this.#full.size >= maxFullCounters) this.#full.clear();
        this.#full.add(counter.key);
      }
  }

  async #closeWriter(): Promise<void> {
    const writer = this.#writer;
    this.#writer = null;
    // A broken connection cannot be closed cleanly, and need not be.
    await writer?.close().catch(() => undefined);
  }
}

/** The outcome of each vote of a batch, in the order of the batch. */
function outcomesOf(
  votes: readonly Vote[],
  result: BatchResult,
  now: number,
  uncertain: ReadonlySet<number>,
  promises: BatchPromises | undefined,
): readonly VoteOutcome[] {
  const refusals = new Map(result.refusals.map(({ place, earlier }) => [place, earlier]));
  const claimed = new Set<string>();
  const { statistics } = result;
  /** The receipt of a vote, and what is promised about it. */
  const given = (tally: Tally, { optionId, further }: Chosen, device: string, nonce: string | null) => {
    const made = makeReceipt(tally.secret, device, nonce);
    if (made === null || nonce === null) return { receipt: made?.code ?? null, promise: noPromise };
    const { part, receipt, code } = made;
    return {
      receipt: code,
      promise: promises?.add(tally.ballotId, { optionId, further, nonce, part, receipt }) ?? noPromise,
    };
  };
  const recorded = (vote: Vote, tally: Tally): VoteOutcome => {
    const { optionId: userVote, further, voter, nonce = null } = vote;
    const { receipt, promise } = given(tally, vote, voter.device, nonce);
    return { status: 'recorded', userVote, further, receipt, promise, tally, statistics };
  };
  return votes.map((vote, place): VoteOutcome => {
    const tally = result.tallies.get(vote.ballotId);
    if (tally?.kind !== vote.kind) return { status: 'not-found' };
    const earlier = refusals.get(place);
    if (earlier === undefined) return recorded(vote, tally);
    if (earlier !== null) {
      // The row of an attempt whose response was lost: this vote was recorded after all, once.
      const ownKey = `${vote.ballotId} ${vote.voter.device}`;
      const own =
        uncertain.has(earlier.createdAt) &&
        earlier.device === vote.voter.device &&
        earlier.cookie === vote.voter.cookie &&
        earlier.optionId === vote.optionId &&
        earlier.further?.join('\n') === vote.further?.join('\n') &&
        !claimed.has(ownKey);
      claimed.add(ownKey);
      if (own) return recorded(vote, tally);
      const { optionId: userVote, further, cookie, device, nonce } = earlier;
      const receipt = earlier.hasReceipt ? given(tally, earlier, device, nonce) : { receipt: null, promise: noPromise };
      return { status: 'already-voted', userVote, further, cookie, ...receipt, tally };
    }
    const phase = phaseOf(tally, now);
    if (phase !== 'open') return { status: phase === 'closed' ? 'closed' : 'not-started' };
    if ((vote.protection ?? 0) < tally.protection) return { status: 'unprotected' };
    const chosen = [vote.optionId, ...(vote.further ?? [])];
    const offered = new Set(tally.options.flatMap((option) => (option.offered ? [option.id] : [])));
    if (!chosen.every((id) => offered.has(id))) return { status: 'invalid-option' };
    const { choice } = tally;
    if (chosen.length < choice.min || chosen.length > choice.max) return { status: 'wrong-number', choice };
    const full = vote.counters?.find((counter) => isFull(counter, result.used)) ?? vote.counters?.[0];
    // A used-up limit is the only remaining reason.
    return full ? rateLimited(full, now) : { status: 'invalid-option' };
  });
}

/** No option has another id, and PostgreSQL would refuse the whole batch for it. */
const isStorable = (optionId: string) => !optionId.includes('\0') && optionId.isWellFormed();

const isFull = ({ key, points }: VoteCounter, used: BatchResult['used']) => (used.get(key) ?? 0) >= points;

const rateLimited = ({ limit, resetsAt }: VoteCounter, now: number): VoteOutcome => ({
  status: 'rate-limited',
  limit,
  seconds: (resetsAt - now) / 1_000,
});
