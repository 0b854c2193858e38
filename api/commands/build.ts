import { setTimeout as pause } from 'node:timers/promises';
import { serverLimits } from '#contract/server-limits.ts';
import { systemClock } from '#platform/clock.ts';
import { ConfigError, readConfig } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import { bringBack, buildRelease } from '#api/publishing/build.service.ts';
import { findJob, runningJob } from '#api/publishing/jobs.queries.ts';
import { requestBuildNow, runNextBuild } from '#api/publishing/publishing.service.ts';
import type { BuildOutcome } from '#api/publishing/publishing.service.ts';
import { currentReleaseId, listReleases } from '#api/publishing/releases.ts';
import { writeSnapshot } from '#api/snapshot/snapshot.service.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { runCommand, stopSignal } from './command-line.ts';
import { openInstallation } from './prepare-database.ts';
import { progressScreen } from './progress-screen.ts';
import type { ProgressScreen } from './progress-screen.ts';

const stop = stopSignal();

await runCommand({
  help: publishingTexts.buildHelp,
  options: {
    force: { type: 'boolean' },
    releases: { type: 'boolean' },
    use: { type: 'string' },
    // For the publisher of the API service: runs what is due and asks for nothing.
    queued: { type: 'boolean' },
  },
  async run(values) {
    const config = readConfig();
    if (values.releases) return printReleases(config);
    const db = openInstallation(config);
    try {
      await migrate(db);
      if (values.use !== undefined) {
        const release = await bringBack(db, systemClock, config.dataDir, values.use);
        if (release === null) throw new ConfigError(publishingTexts.noSuchRelease(values.use));
        console.log(publishingTexts.broughtBack(release.id, release.pages));
        return 0;
      }
      if (values.queued) return exitCode(await runDueBuild(db, config, null));
      return await buildNow(db, config, values.force ?? false);
    } finally {
      await db.destroy();
    }
  },
});

async function printReleases(config: Config): Promise<number> {
  const current = await currentReleaseId(config.dataDir);
  const releases = await listReleases(config.dataDir);
  if (releases.length === 0) console.log(publishingTexts.noReleases);
  for (const { id, createdAt, pages, bytes } of releases)
    console.log(publishingTexts.releaseLine({ id, createdAt, pages, bytes, current: id === current }));
  return 0;
}

/** Asks for a build and sees it through, in this process or, when another one was faster, by watching that one. */
async function buildNow(db: Database, config: Config, force: boolean): Promise<number> {
  const started = performance.now();
  const id = await requestBuildNow(db, systemClock, publishingTexts.reasons.command, { force });
  const screen = progressScreen();
  let toldOfOther = false;
  try {
    while (!stop.aborted) {
      const outcome = await runDueBuild(db, config, screen);
      if (outcome.status !== 'nothing-due' && outcome.job.id === id) {
        screen.end();
        if (outcome.status === 'succeeded')
          console.log(publishingTexts.published(outcome.releaseId, (performance.now() - started) / 1000));
        return exitCode(outcome);
      }
      const job = await findJob(db, id);
      if (job?.status === 'succeeded' || job?.status === 'failed') {
        screen.end();
        if (job.status === 'failed') console.error(publishingTexts.failed(job.error ?? ''));
        else console.log(publishingTexts.published(job.release_id ?? '', (performance.now() - started) / 1000));
        return job.status === 'failed' ? 1 : 0;
      }
      const other = await runningJob(db);
      if (other) {
        if (!toldOfOther) console.log(publishingTexts.waiting(other.runner ?? ''));
        toldOfOther = true;
        screen.show(other.progress);
      }
      await pause(serverLimits.publishPollMs);
    }
    return 1;
  } finally {
    screen.end();
  }
}

async function runDueBuild(db: Database, config: Config, screen: ProgressScreen | null): Promise<BuildOutcome> {
  const { siteKey } = await ensureSecrets(config);
  return runNextBuild({
    db,
    clock: systemClock,
    signal: stop,
    build: (running) =>
      buildRelease({
        clock: systemClock,
        config,
        siteKey,
        async takeSnapshot(options) {
          // A connection of its own: SQLite has one for each handle, and signs of life must not wait for a long reading.
          const reading = openDatabase(config.databaseUrl);
          try {
            return await writeSnapshot({ db: reading, clock: systemClock, settings: config, ...options });
          } finally {
            await reading.destroy();
          }
        },
        running: {
          ...running,
          report(progress) {
            running.report(progress);
            screen?.show(progress);
          },
        },
      }),
  });
}

function exitCode(outcome: BuildOutcome): number {
  if (outcome.status !== 'failed') return 0;
  console.error(publishingTexts.failed(outcome.error.message));
  return 1;
}
