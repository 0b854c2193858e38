import { Worker } from 'node:worker_threads';
import type { Config } from '#platform/config.ts';
import type { Logger } from '#platform/logger.ts';

/** What the settings say about the vote log. */
type VoteLogConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'publicUrl' | 'witnesses' | 'privateWitnesses'>;

/** What the thread that writes the vote log gets from the process. */
export interface VoteLogSettings extends VoteLogConfig {
  /** Seeds of keys, newest first. */
  readonly logKeys: readonly string[];
}

/** A log line of the thread. */
export interface VoteLogMessage {
  readonly level: 'info' | 'error';
  readonly facts: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Milliseconds until the thread is started again after it failed. */
const restartMs = 10_000;

/**
 * Writes the vote log in a thread, so that hashing never delays votes. Any number of processes may; the lease decides which
 * one does. `stop` waits for the running step.
 */
export function startVoteLog(options: {
  readonly config: VoteLogConfig;
  readonly logKeys: readonly string[];
  readonly log: Logger;
}): { stop(): Promise<void> } {
  const { config, logKeys, log } = options;
  const { databaseUrl, dataDir, publicUrl, witnesses, privateWitnesses } = config;
  const workerData: VoteLogSettings = { databaseUrl, dataDir, publicUrl, witnesses, privateWitnesses, logKeys };
  let stopped = false;
  let worker: Worker | undefined;
  let ended: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    const thread = new Worker(new URL('worker.ts', import.meta.url), { workerData, execArgv: [] });
    worker = thread;
    thread.on('message', ({ level, facts, text }: Partial<VoteLogMessage>) => {
      // Under `node --watch`, threads also send other messages.
      if (level && facts && text !== undefined) log[level](facts, text);
    });
    thread.on('error', (error) => log.error({ err: error }, 'the vote log’s thread ended; starting it again'));
    ended = new Promise((done) => {
      thread.once('exit', () => {
        if (!stopped) timer = setTimeout(start, restartMs).unref();
        done();
      });
    });
  };
  start();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      worker?.postMessage('stop');
      await ended;
    },
  };
}
