import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '#platform/clock.ts';
import { ConfigError, readConfig } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import { rollbackRelease, buildRelease, pinnedRelease, releasePin } from '#api/publishing/build.service.ts';
import { findJob, pinnedReleaseId, runningJob } from '#api/publishing/jobs.queries.ts';
import { publishPollMs, requestBuildNow, runNextBuild } from '#api/publishing/publishing.service.ts';
import type { BuildOutcome } from '#api/publishing/publishing.service.ts';
import { releasesKept } from '#api/publishing/overview.service.ts';
import { readFacts } from '#api/publishing/releases.service.ts';
import { applyTakedowns } from '#api/publishing/takedowns.service.ts';
import { writeSnapshot } from '#api/snapshot/snapshot.service.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { runCommand, stopSignal } from './command-line.ts';
import { openInstallation, prepareDatabase, unreachableReason } from './prepare.ts';
import { progressScreen } from './progress-bar.ts';
import type { ProgressScreen } from './progress-bar.ts';

const stop = stopSignal();

/** The time limit for reading the pinned release from the database, in milliseconds. */
const pinMs = 5_000;

await runCommand({
  help: publishingTexts.buildHelp,
  options: {
    force: { type: 'boolean' },
    releases: { type: 'boolean' },
    use: { type: 'string' },
    pin: { type: 'boolean' },
    unpin: { type: 'boolean' },
    yes: { type: 'boolean' },
    // For the API service’s publisher: runs the due build and requests none.
    queued: { type: 'boolean' },
  },
  async run(values) {
    const config = readConfig();
    const pin = values.pin ?? false;
    if (pin && values.use === undefined) throw new ConfigError(publishingTexts.pinWithoutUse);
    if (values.releases) return printReleases(config);
    const db = openInstallation(config);
    try {
      await prepareDatabase(db, config);
      if (values.use !== undefined) return await rollback(db, config, values.use, { pin, yes: values.yes ?? false });
      if (values.unpin && !(await releasePin(db, systemClock))) throw new ConfigError(publishingTexts.notPinned);
      if (values.queued) return exitCode(await runDueBuild(db, config, null));
      return await buildNow(db, config, values.force ?? false);
    } finally {
      await db.destroy();
    }
  },
});

/**
 * Lists the releases on disk, whatever state the database is in, and changes nothing. Only the pin is read from the
 * database.
 */
async function printReleases({ dataDir, databaseUrl }: Config): Promise<number> {
  let releases = await releasesKept(dataDir, null);
  if (releases.length === 0) console.log(publishingTexts.noReleases);
  else {
    const db = openDatabase(databaseUrl, { readOnly: true, timeouts: { acquireMs: pinMs, queryMs: pinMs } });
    try {
      releases = await releasesKept(dataDir, await pinnedReleaseId(db));
    } catch (error) {
      console.error(publishingTexts.pinUnknown((unreachableReason(error) ?? (error as Error)).message));
    } finally {
      await db.destroy();
    }
  }
  for (const release of releases) console.log(publishingTexts.releaseLine(release));
  return 0;
}

async function rollback(
  db: Database,
  config: Config,
  id: string,
  { pin, yes }: { readonly pin: boolean; readonly yes: boolean },
): Promise<number> {
  if ((await readFacts(config.dataDir, id)) === null) throw new ConfigError(publishingTexts.noSuchRelease(id));
  if (!yes && !(await isConfirmed(publishingTexts.askUse(id, pin)))) {
    console.log(publishingTexts.useUnconfirmed);
    return 1;
  }
  const release = await rollbackRelease(db, systemClock, config.dataDir, id, { pin });
  if (release === null) throw new ConfigError(publishingTexts.noSuchRelease(id));
  console.log(publishingTexts.broughtBack(release.id, release.pages, pin));
  return 0;
}

async function isConfirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new ConfigError(publishingTexts.useNeedsYes);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(question, { signal: stop })).trim());
  } finally {
    terminal.close();
  }
}

/** Requests a build and follows it to its end, in this process or in another one that claimed it first. */
async function buildNow(db: Database, config: Config, force: boolean): Promise<number> {
  const started = performance.now();
  const pinned = await pinnedRelease(db, config.dataDir);
  if (pinned !== null) throw new ConfigError(publishingTexts.pinned(pinned));
  const id = await requestBuildNow(db, systemClock, publishingTexts.reasons.command, { force });
  const screen = progressScreen();
  let announcedOther = false;
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
        if (!announcedOther) console.log(publishingTexts.waiting(other.runner ?? ''));
        announcedOther = true;
        screen.show(other.progress);
      }
      await pause(publishPollMs);
    }
    return 1;
  } finally {
    screen.end();
  }
}

async function runDueBuild(db: Database, config: Config, screen: ProgressScreen | null): Promise<BuildOutcome> {
  // Another process is building.
  if (!(await applyTakedowns({ db, clock: systemClock, dataDir: config.dataDir }))) return { status: 'nothing-due' };
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
          // A separate connection: SQLite has one per handle, and heartbeats must not wait for a long read.
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
