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
import { watchContent } from './content-watch.ts';
import { buildDeadAfterMs, failDueJob, isWorkDue, runningJob } from './jobs.queries.ts';
import { publishPollMs, requestBuild } from './publishing.service.ts';
import { removeLeftOvers } from './releases.ts';
import { projectFolder } from './source-digest.ts';

interface PublisherOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Config;
  readonly log: Logger;
  /** The program that builds what is due, and its words; for tests. */
  readonly builder?: readonly [string, ...string[]];
}

/** A running publisher. */
export interface Publisher {
  /** Stops looking for jobs; a build that runs is stopped and queued again. */
  stop(): Promise<void>;
}

/**
 * Starts a build whenever one is due: asked for by an import, a poll that closed or a person, or because the release
 * is missing or older than the code or the content. First it clears away what a builder that died has left. Any number of publishers may run; the job decides who builds. The build is a
 * process of its own, so that answering votes never waits for it.
 */
export function startPublisher(options: PublisherOptions): Publisher {
  const { db, clock, config, log, builder = [join(projectFolder, 'api/commands/build.ts'), '--queued'] } = options;
  let stopped = false;
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | undefined;

  /** False when the build did not come about. */
  const build = async (): Promise<boolean> => {
    log.info('building the site');
    const started = clock.now();
    child = spawn(process.execPath, builder, {
      cwd: projectFolder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    child = null;
    if (code === 0) log.info({ seconds: (clock.now() - started) / 1000 }, 'the site is up to date');
    else if (!stopped) {
      log.error({ reason: said.trim() || signal }, 'the site was not built; the previous release stays live');
      // A builder that ends by itself before it has taken the job would be started again for ever.
      if (code !== null) await failDueJob(db, started, publishingTexts.neverBegan(said.trim()));
    }
    return code === 0;
  };
  const look = async () => {
    let wait: number = publishPollMs;
    try {
      // A build that cannot even begin must not be tried in a hot loop.
      if ((await isWorkDue(db, clock.now())) && !(await build())) wait = buildDeadAfterMs;
    } catch (error) {
      log.error({ err: error }, 'could not check for build jobs; retrying');
    }
    if (stopped) return;
    timer = setTimeout(() => {
      turn = look();
    }, wait);
    timer.unref();
  };
  const begin = async () => {
    try {
      await removeLeftOvers(config.dataDir, async () => (await runningJob(db))?.release_id ?? null);
      await pinnedRelease(db, config.dataDir);
      const reason = await reasonToBuild(db, config);
      if (reason !== null) await requestBuild(db, clock, reason);
    } catch (error) {
      log.error({ err: error }, 'could not check whether the site is up to date');
    }
    await look();
  };
  let turn = begin();
  const lookAtContent = watchContent(async () => {
    if ((await reasonToBuild(db, config)) !== null)
      await requestBuild(db, clock, publishingTexts.reasons.contentChanged);
  });
  let contentLook: Promise<void> = Promise.resolve();
  const contentTimer = setInterval(() => {
    contentLook = contentLook
      .then(lookAtContent)
      .catch((error: unknown) => log.error({ err: error }, 'could not check whether content has changed; retrying'));
  }, publishPollMs);
  contentTimer.unref();

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      clearInterval(contentTimer);
      child?.kill('SIGTERM');
      await Promise.all([turn, contentLook]);
    },
  };
}
