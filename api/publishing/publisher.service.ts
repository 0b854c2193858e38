import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { hasLittleMemory, publishingProcess } from '#platform/little-memory.ts';
import type { Logger } from '#platform/logger.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { areChangesDue, onRecorded, recordChanges } from './changes.service.ts';
import { isAuditDue, newestAuditRow } from './audit.service.ts';
import { reasonForWholeSite, setPaused } from './state.service.ts';
import { codeDigest, projectFolder, watchContent } from './source-digest.ts';

/** Milliseconds between checks whether something is due, while no publisher process runs. */
export const publishPollMs = 250;
/** Milliseconds before a poll opens or closes from which the publisher process warms up: its first page takes seconds. */
export const warmUpMs = 15_000;
/**
 * Whether it is always running and warm, because members and operators publish at any time: unless there is little memory,
 * its processes take some 200 MB.
 */
export const staysReady = (): boolean => !hasLittleMemory();
/** Milliseconds until the publisher process is started again after it failed. */
const restartMs = 10_000;
/** Milliseconds between checks of content files. */
const contentPollMs = 1_000;

/** The next moment at which a poll opens or closes, or null. Passed in, because that feature records changes here. */
export type NextTransition = (db: Database, now: number) => Promise<number | null>;

interface PublisherOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Config;
  readonly log: Logger;
  readonly nextTransition: NextTransition;
  /** The program that publishes, with its arguments; for tests. */
  readonly program?: readonly [string, ...string[]];
}

export interface Publisher {
  /** Stops checking; a publish that is running is given up and tried again by the next start. */
  stop(): Promise<void>;
}

/**
 * Runs the process that publishes: always, or with little memory when something is due, or will be soon. It is a process of
 * its own, so that it never delays votes. Any number of publishers may run; the job decides which one publishes.
 */
export function startPublisher(options: PublisherOptions): Publisher {
  const { db, clock, config, log, nextTransition } = options;
  const [script, ...args] = options.program ?? [join(projectFolder, 'api/commands/publisher.ts')];
  let stopped = false;
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | undefined;

  const isNeeded = async () => {
    if (staysReady()) return true;
    const now = clock.now();
    if (await areChangesDue(db, now)) return true;
    const next = await nextTransition(db, now);
    return (next !== null && next - now < warmUpMs) || isAuditDue(await newestAuditRow(db), now);
  };
  const publish = async (): Promise<boolean> => {
    child = fork(script, args, {
      cwd: projectFolder,
      execArgv: [...publishingProcess.nodeArgs],
      env: { ...process.env, ...publishingProcess.env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let output = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4_000)));
    child.on('message', (message: PublisherMessage) => {
      const { level, text, ...facts } = message;
      log[level](facts, text);
    });
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    child = null;
    if (code !== 0 && !stopped)
      log.error({ reason: output.trim() || signal }, 'the publisher ended; starting it again');
    return code === 0;
  };
  const check = async () => {
    let wait: number = publishPollMs;
    try {
      // It may have been stopped meanwhile.
      if ((await isNeeded()) && !stopped && !(await publish())) wait = restartMs;
    } catch (error) {
      log.error({ err: error }, 'could not check whether something has to be published; retrying');
      wait = restartMs;
    }
    if (stopped) return;
    timer = setTimeout(() => {
      current = check();
    }, wait);
    timer.unref();
  };
  const startUp = async () => {
    try {
      const reason = await reasonForWholeSite(db, config.dataDir, codeDigest(config));
      const { noPages, otherDatabase } = publishingTexts.reasons;
      // There are no pages of this database that a pause could keep, as after a backup was restored elsewhere.
      if (reason === noPages || reason === otherDatabase) await setPaused(db, clock, false);
      const change =
        reason === null ? ({ kind: 'content', key: '' } as const) : ({ kind: 'site', key: reason } as const);
      await recordChanges(db, clock.now(), [change]);
    } catch (error) {
      log.error({ err: error }, 'could not check whether the site is up to date');
    }
    await check();
  };
  let current = startUp();
  // A poll that closes must not wait for the next check. A process that can’t be reached is about to end.
  const forget = onRecorded(() => child?.send('recorded', () => undefined));
  const checkContent = watchContent(async (files) => {
    // Texts are part of the code build.
    const reason = await reasonForWholeSite(db, config.dataDir, codeDigest(config));
    const content = files.filter((file) => !file.startsWith('content/texts/'));
    const changes = content.map((key) => ({ kind: 'content', key }) as const);
    await recordChanges(db, clock.now(), reason === null ? changes : [{ kind: 'site', key: reason }]);
  });
  let contentCheck: Promise<void> = Promise.resolve();
  const contentTimer = setInterval(() => {
    contentCheck = contentCheck
      .then(checkContent)
      .catch((error: unknown) => log.error({ err: error }, 'could not check whether content has changed; retrying'));
  }, contentPollMs);
  contentTimer.unref();

  return {
    async stop() {
      stopped = true;
      forget();
      clearTimeout(timer);
      clearInterval(contentTimer);
      child?.kill('SIGTERM');
      await Promise.all([current, contentCheck]);
    },
  };
}

/** A log line of the publisher process. */
export interface PublisherMessage {
  readonly level: 'info' | 'error';
  readonly text: string;
  readonly [fact: string]: unknown;
}
