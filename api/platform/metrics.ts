import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EndpointName } from '#contract/routes.ts';
import { metricTexts as help } from '#texts/metrics.ts';

/** The calls that take votes, and the kind of poll that they are for. */
const voteKinds = { vote: 'poll', communityVote: 'community' } as const;
type VoteCall = keyof typeof voteKinds;

/** A figure that is asked for when somebody looks, by the value of its label or alone; null where it is not known. */
type Figures = () => Promise<Readonly<Record<string, number>> | null> | Readonly<Record<string, number>>;

/**
 * What this process counts, for Prometheus. What votes touch is bound to its labels beforehand: an accepted vote costs two
 * additions, well below a microsecond.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #accepted;
  readonly #refused;
  readonly #voteSeconds;
  readonly #answers;
  readonly #answered = new Map<string, { inc(): void }>();
  readonly #batchVotes;
  readonly #batchSeconds;
  readonly #batchesAgain;

  constructor() {
    const registers = [this.#registry];
    const counter = (name: keyof typeof help, labelNames: string[] = []) =>
      new Counter({ name: `weathervane_${name}`, help: help[name], labelNames, registers });
    const histogram = (name: keyof typeof help, buckets: number[]) =>
      new Histogram({ name: `weathervane_${name}`, help: help[name], buckets, registers });

    const accepted = counter('votes_accepted_total', ['kind']);
    this.#accepted = { vote: accepted.labels('poll'), communityVote: accepted.labels('community') };
    // Told from the start, so that the first vote is seen as a change.
    for (const kind of Object.values(this.#accepted)) kind.inc(0);
    this.#refused = counter('votes_refused_total', ['kind', 'reason']);
    this.#voteSeconds = histogram('vote_seconds', [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]);
    this.#answers = counter('answers_total', ['call', 'status']);
    this.#batchVotes = histogram('vote_batch_size', [1, 2, 5, 10, 20, 50, 100, 200, 512]);
    this.#batchSeconds = histogram('vote_batch_seconds', [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5]);
    this.#batchesAgain = counter('vote_batches_retried_total');
  }

  /** A call was answered, and took so many seconds. `refusal` is the code of an error. */
  answered(call: EndpointName | undefined, status: number, refusal: string | undefined, seconds: number): void {
    if (call === 'vote' || call === 'communityVote') this.#voteAnswered(call, refusal, seconds);
    else {
      const key = `${call ?? 'unknown'} ${status}`;
      let child = this.#answered.get(key);
      if (!child) this.#answered.set(key, (child = this.#answers.labels(call ?? 'unknown', String(status))));
      child.inc();
    }
  }

  #voteAnswered(call: VoteCall, refusal: string | undefined, seconds: number): void {
    if (refusal === undefined) {
      this.#accepted[call].inc();
      this.#voteSeconds.observe(seconds);
    } else this.#refused.labels(voteKinds[call], refusal).inc();
  }

  /** A batch of votes was committed. */
  batchWritten(votes: number, seconds: number): void {
    this.#batchVotes.observe(votes);
    this.#batchSeconds.observe(seconds);
  }

  /** A batch of votes met another writer or a broken connection and is tried again. */
  batchTriedAgain(): void {
    this.#batchesAgain.inc();
  }

  /** Adds figures that are read when somebody looks. With a label, one line for each of its values. */
  read(name: keyof typeof help, figures: Figures, label?: string): void {
    new Gauge({
      name: `weathervane_${name}`,
      help: help[name],
      labelNames: label === undefined ? [] : [label],
      registers: [this.#registry],
      async collect() {
        const found = await figures();
        // What is not known any more is not told; a reset would say 0.
        if (label === undefined) this.remove();
        else this.reset();
        for (const [value, figure] of Object.entries(found ?? {}))
          if (label === undefined) this.set(figure);
          else this.set({ [label]: value }, figure);
      },
    });
  }

  /** Adds what Node tells of its process: memory, processor time, event-loop lag, garbage collection. */
  readProcess(): void {
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 20 });
  }

  /** Everything in the text form that Prometheus reads. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}
