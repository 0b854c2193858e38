import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '#platform/clock.ts';
import { ConfigError, readConfig } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { migrate, openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import { bringBack, buildRelease, pinnedRelease, releasePin } from '#api/publishing/build.service.ts';
import { findJob, pinnedReleaseId, runningJob } from '#api/publishing/jobs.queries.ts';
import { publishPollMs, requestBuildNow, runNextBuild } from '#api/publishing/publishing.service.ts';
import type { BuildOutcome } from '#api/publishing/publishing.service.ts';
import { releasesKept } from '#api/publishing/overview.service.ts';
import { readFacts } from '#api/publishing/releases.ts';
import { applyTakedowns } from '#api/publishing/takedowns.service.ts';
import { writeSnapshot } from '#api/snapshot/snapshot.service.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { runCommand, stopSignal } from './command-line.ts';
import { openInstallation, unreachableReason } from './prepare-database.ts';
import { progressScreen } from './progress-screen.ts';
import type { ProgressScreen } from './progress-screen.ts';

const stop = stopSignal();

/** Milliseconds that the database has to say which release is pinned. */
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
    // For the publisher of the API service: runs what is due and asks for nothing.
    queued: { type: 'boolean' },
  },
  async run(values) {
    const config = readConfig();
    const pin = values.pin ?? false;
    if (pin && values.use === undefined) throw new ConfigError(publishingTexts.pinWithoutUse);
    if (values.releases) return printReleases(config);
    const db = openInstallation(config);
    try {
      await migrate(db);
      if (values.use !== undefined) return await serveAgain(db, config, values.use, { pin, yes: values.yes ?? false });
      if (values.unpin && !(await releasePin(db, systemClock))) throw new ConfigError(publishingTexts.notPinned);
      if (values.queued) return exitCode(await runDueBuild(db, config, null));
      return await buildNow(db, config, values.force ?? false);
    } finally {
      await db.destroy();
    }
  },
});

/** Lists what is on the disk, whatever state the database is in, and changes nothing. Only the pin is in the database. */
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

async function serveAgain(
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
  const release = await bringBack(db, systemClock, config.dataDir, id, { pin });
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

/** Asks for a build and sees it through, in this process or, when another one was faster, by watching that one. */
async function buildNow(db: Database, config: Config, force: boolean): Promise<number> {
  const started = performance.now();
  const pinned = await pinnedRelease(db, config.dataDir);
  if (pinned !== null) throw new ConfigError(publishingTexts.pinned(pinned));
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
      await pause(publishPollMs);
    }
    return 1;
  } finally {
    screen.end();
  }
}

async function runDueBuild(db: Database, config: Config, screen: ProgressScreen | null): Promise<BuildOutcome> {
  // A build of another process holds the place.
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
