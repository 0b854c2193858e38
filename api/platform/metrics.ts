import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EndpointName } from '#api/endpoints.contract.ts';
import { metricTexts as help } from '#texts/metrics.ts';

type MetricName = keyof typeof help;

/** Values read when metrics are requested, by label value or alone; null where unknown. */
type Read = () => Promise<Readonly<Record<string, number>> | null> | Readonly<Record<string, number>>;

/** Receives each response of an endpoint: the code of its error, if any, and its duration. */
type ResponseObserver = (refusal: string | undefined, seconds: number) => void;

/** The Prometheus metrics of this process. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #responses = this.counter('answers_total', ['call', 'status']);
  /** Children of the counter by label values: looking them up by labels costs more than counting. */
  readonly #responseCounters = new Map<string, { inc(): void }>();
  readonly #observers = new Map<EndpointName, ResponseObserver>();

  counter(name: MetricName, labelNames: string[] = []): Counter {
    return new Counter({ name: `weathervane_${name}`, help: help[name], labelNames, registers: [this.#registry] });
  }

  histogram(name: MetricName, buckets: number[]): Histogram {
    return new Histogram({ name: `weathervane_${name}`, help: help[name], buckets, registers: [this.#registry] });
  }

  /** Passes the responses of an endpoint to `observer` instead of counting them with those of all others. */
  observe(call: EndpointName, observer: ResponseObserver): void {
    this.#observers.set(call, observer);
  }

  /** Counts a response. `refusal` is the code of an error. */
  answered(call: EndpointName | undefined, status: number, refusal: string | undefined, seconds: number): void {
    const observer = call && this.#observers.get(call);
    if (observer) {
      observer(refusal, seconds);
      return;
    }
    const key = `${call ?? 'unknown'} ${status}`;
    let counter = this.#responseCounters.get(key);
    if (!counter) {
      counter = this.#responses.labels(call ?? 'unknown', String(status));
      this.#responseCounters.set(key, counter);
    }
    counter.inc();
  }

  /** Adds a metric whose values are read when metrics are requested. With a label, one line per value of it. */
  read(name: MetricName, read: Read, label?: string): void {
    new Gauge({
      name: `weathervane_${name}`,
      help: help[name],
      labelNames: label === undefined ? [] : [label],
      registers: [this.#registry],
      async collect() {
        const values = await read();
        // An unknown value is omitted; a reset would report 0.
        if (label === undefined) this.remove();
        else this.reset();
        for (const [key, value] of Object.entries(values ?? {}))
          if (label === undefined) this.set(value);
          else this.set({ [label]: key }, value);
      },
    });
  }

  /** Adds Node's metrics of the process: memory, CPU time, event-loop lag, garbage collection. */
  readProcess(): void {
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 20 });
  }

  /** All metrics in Prometheus's text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}
