import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import type { Logger } from '#platform/logger.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { pinnedRelease, reasonToBuild } from './build.service.ts';
import { buildDeadAfterMs, failDueJob, isWorkDue, runningJob } from './jobs.queries.ts';
import { watchContent } from './content-watch.ts';
import { publishPollMs, requestBuild } from './publishing.service.ts';
import { removeLeftovers } from './releases.service.ts';
import { projectFolder } from './source-digest.ts';

interface PublisherOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Config;
  readonly log: Logger;
  /** The program that runs due builds, with its arguments; for tests. */
  readonly builder?: readonly [string, ...string[]];
}

export interface Publisher {
  /** Stops checking for jobs; a running build is stopped and queued again. */
  stop(): Promise<void>;
}

/**
 * Starts a build whenever one is due: requested by an import, a closed poll, or a person, or because the release is
 * missing or older than the code or the content. It first deletes what a dead builder left. Any number of publishers
 * may run; the job decides which one builds. The build is a child process, so that it never delays votes.
 */
export function startPublisher(options: PublisherOptions): Publisher {
  const { db, clock, config, log, builder = [join(projectFolder, 'api/commands/build.ts'), '--queued'] } = options;
  let stopped = false;
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | undefined;

  /** Returns false if the build failed to start or to finish. */
  const build = async (): Promise<boolean> => {
    log.info('building the site');
    const started = clock.now();
    child = spawn(process.execPath, builder, {
      cwd: projectFolder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4_000)));
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    child = null;
    if (code === 0) log.info({ seconds: (clock.now() - started) / 1000 }, 'the site is up to date');
    else if (!stopped) {
      log.error({ reason: output.trim() || signal }, 'the site was not built; the previous release stays live');
      // A builder that exits before it has claimed the job would be restarted forever.
      if (code !== null) await failDueJob(db, started, publishingTexts.neverBegan(output.trim()));
    }
    return code === 0;
  };
  const checkJobs = async () => {
    let wait: number = publishPollMs;
    try {
      // A build that can’t even start must not be retried in a tight loop.
      if ((await isWorkDue(db, clock.now())) && !(await build())) wait = buildDeadAfterMs;
    } catch (error) {
      log.error({ err: error }, 'could not check for build jobs; retrying');
    }
    if (stopped) return;
    timer = setTimeout(() => {
      currentCheck = checkJobs();
    }, wait);
    timer.unref();
  };
  const startUp = async () => {
    try {
      await removeLeftovers(config.dataDir, async () => (await runningJob(db))?.release_id ?? null);
      await pinnedRelease(db, config.dataDir);
      const reason = await reasonToBuild(db, config);
      if (reason !== null) await requestBuild(db, clock, reason);
    } catch (error) {
      log.error({ err: error }, 'could not check whether the site is up to date');
    }
    await checkJobs();
  };
  let currentCheck = startUp();
  const checkContent = watchContent(async () => {
    if ((await reasonToBuild(db, config)) !== null)
      await requestBuild(db, clock, publishingTexts.reasons.contentChanged);
  });
  let contentCheck: Promise<void> = Promise.resolve();
  const contentTimer = setInterval(() => {
    contentCheck = contentCheck
      .then(checkContent)
      .catch((error: unknown) => log.error({ err: error }, 'could not check whether content has changed; retrying'));
  }, publishPollMs);
  contentTimer.unref();

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      clearInterval(contentTimer);
      child?.kill('SIGTERM');
      await Promise.all([currentCheck, contentCheck]);
    },
  };
}
