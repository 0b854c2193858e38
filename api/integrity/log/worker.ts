/** The thread that writes the vote log; see vote-log.service.ts. It has a database connection of its own. */
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { continueRound, pagesAt } from './comparison.service.ts';
import { CheckpointCopy } from './checkpoint-copy.service.ts';
import { cosign } from './cosign.service.ts';
import { Lease } from '#platform/jobs/lease.service.ts';
import { minimumBatch } from './proofs.service.ts';
import { logKeyOf } from './signing.ts';
import type { LogContext } from './site-log.service.ts';
import { tick } from './tick.service.ts';
import type { VoteLogMessage, VoteLogSettings } from './vote-log.service.ts';

/** Milliseconds between two ticks: a closed poll waits that long for its result. */
const tickMs = 10_000;
/** Milliseconds that PostgreSQL may take for a connection and for one statement. */
const timeouts = { acquireMs: 10_000, queryMs: 60_000 };

const { databaseUrl, dataDir, publicUrl, witnesses, privateWitnesses, logKeys } = workerData as VoteLogSettings;
const send =
  (level: VoteLogMessage['level']) =>
  (facts: VoteLogMessage['facts'], text: string): void =>
    parentPort?.postMessage({ level, facts, text } satisfies VoteLogMessage);
const db = openDatabase(databaseUrl, { timeouts, isOpenInThread: true });
const context: LogContext = {
  ...{ db, clock: systemClock, publicUrl, minimumBatch },
  log: Object.assign(Object.create(silentLogger) as LogContext['log'], { info: send('info'), error: send('error') }),
  keys: logKeys.map(logKeyOf),
  lease: new Lease('vote-log'),
  copy: new CheckpointCopy(dataDir),
};

const readPage = pagesAt(publicUrl);

const stopping = new AbortController();
parentPort?.once('message', () => stopping.abort());
const { signal } = stopping;
let cosigning: Promise<void> | null = null;
while (!signal.aborted) {
  const isWriter = await tick(context).catch((error: unknown) => {
    send('error')({ err: error }, 'the vote log could not be updated; retrying');
    return null;
  });
  // Beside the next ticks: a slow witness delays no checkpoint.
  if (isWriter)
    cosigning ??= cosign({ ...context, witnesses, allowPrivate: privateWitnesses }, signal)
      .catch((error: unknown) => send('error')({ err: error }, 'cosignatures could not be stored; retrying'))
      .finally(() => (cosigning = null));
  // Also if the log could not be updated: parts of it may be missing.
  if (isWriter !== false)
    await continueRound({ ...context, readPage }).catch((error: unknown) =>
      send('error')({ err: error }, 'polls could not be compared with their logs; retrying'),
    );
  await pause(tickMs, undefined, { signal }).catch(() => undefined);
}
await cosigning;
await context.lease.release(db).catch(() => undefined);
await db.destroy();
