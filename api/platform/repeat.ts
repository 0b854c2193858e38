import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from './logger.ts';

interface RepeatOptions {
  /** Milliseconds between two calls, and before the first if `later`. */
  readonly everyMs: number;
  readonly later?: boolean;
  /** Milliseconds until the next call if this one resolved to true: there is more to do. */
  readonly moreMs?: number;
  readonly log: Logger;
  /** Logged with the error of a call that failed. */
  readonly failed: string;
}

/**
 * Repeats `work` in the background until stopped, also after failures. `stop` aborts the signal and resolves when no call
 * is running. The pauses don’t keep the process running.
 */
export function repeat(
  work: (signal: AbortSignal) => Promise<unknown>,
  { everyMs, later = false, moreMs = everyMs, log, failed }: RepeatOptions,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (ms: number) => pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
  const run = async () => {
    if (later) await wait(everyMs);
    while (!signal.aborted) {
      const result = await work(signal).catch((error: unknown) => log.error({ err: error }, failed));
      await wait(result === true ? moreMs : everyMs);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
