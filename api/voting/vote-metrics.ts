import type { Metrics } from '#platform/metrics.ts';

/** The endpoints that record votes, and the kind of poll that each is for. */
const voteEndpoints = [
  ['vote', 'poll'],
  ['communityVote', 'community'],
] as const;

/** Metrics of votes. Counters are bound to their labels beforehand, so that an accepted vote costs two additions. */
export class VoteMetrics {
  readonly #batchVotes;
  readonly #batchSeconds;
  readonly #batchesRetried;

  constructor(metrics: Metrics) {
    const accepted = metrics.counter('votes_accepted_total', ['kind']);
    const refused = metrics.counter('votes_refused_total', ['kind', 'reason']);
    const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
    const voteSeconds = metrics.histogram('vote_seconds', buckets);
    for (const [call, kind] of voteEndpoints) {
      const counter = accepted.labels(kind);
      // Reported from the start, so that the first vote is seen as a change.
      counter.inc(0);
      metrics.observe(call, (refusal, seconds) => {
        if (refusal === undefined) {
          counter.inc();
          voteSeconds.observe(seconds);
        } else refused.labels(kind, refusal).inc();
      });
    }
    this.#batchVotes = metrics.histogram('vote_batch_size', [1, 2, 5, 10, 20, 50, 100, 200, 512]);
    this.#batchSeconds = metrics.histogram(
      'vote_batch_seconds',
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    );
    this.#batchesRetried = metrics.counter('vote_batches_retried_total');
  }

  /** A batch of votes was committed. */
  batchCommitted(votes: number, seconds: number): void {
    this.#batchVotes.observe(votes);
    this.#batchSeconds.observe(seconds);
  }

  /** A batch of votes is retried because of another writer or a broken connection. */
  batchRetried(): void {
    this.#batchesRetried.inc();
  }
}
