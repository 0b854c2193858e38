import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '#platform/clock.ts';
import { ConfigError, readConfig } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import type { JobProgress } from '#api/publishing/build-job.model.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import { pinnedReleaseId, runningJob } from '#api/publishing/jobs.queries.ts';
import { listReleases } from '#api/publishing/overview.service.ts';
import { publishDue, reasonForWholeSite } from '#api/publishing/publish.service.ts';
import { publishPollMs } from '#api/publishing/publisher.service.ts';
import { isKept } from '#api/publishing/releases.ts';
import { pinnedRelease, releasePin, rollbackRelease } from '#api/publishing/return.service.ts';
import { codeDigest } from '#api/publishing/source-digest.ts';
import { currentHead } from '#api/publishing/store.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { databaseRefusal } from '#platform/database-problem.ts';
import { runCommand, stopSignal } from './command-line.ts';
import { openInstallation, prepareDatabase } from './prepare.ts';
import { progressScreen } from './progress-bar.ts';
import { publishContext } from './publishing.ts';

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
  let releases = listReleases(dataDir, null);
  if (releases.length === 0) console.log(publishingTexts.noReleases);
  else {
    const db = openDatabase(databaseUrl, { readOnly: true, timeouts: { acquireMs: pinMs, queryMs: pinMs } });
    try {
      releases = listReleases(dataDir, await pinnedReleaseId(db));
    } catch (error) {
      console.error(publishingTexts.pinUnknown((databaseRefusal(error) ?? (error as Error)).message));
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
  if (!isKept(config.dataDir, id)) throw new ConfigError(publishingTexts.noSuchRelease(id));
  if (!yes && !(await isConfirmed(publishingTexts.askUse(id, pin)))) {
    console.log(publishingTexts.useUnconfirmed);
    return 1;
  }
  const release = await rollbackRelease({ db, clock: systemClock, dataDir: config.dataDir }, id, { pin });
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

/** Publishes the newest state of code, content, and database, in this process or in another one that is publishing. */
async function buildNow(db: Database, config: Config, force: boolean): Promise<number> {
  const started = performance.now();
  const pinned = await pinnedRelease(db, config.dataDir);
  if (pinned !== null) throw new ConfigError(publishingTexts.pinned(pinned));
  const reason = await reasonForWholeSite(db, config.dataDir, codeDigest(config));
  const isWhole = force || reason !== null;
  const key = force || reason === null ? publishingTexts.reasons.command : reason;
  await recordChanges(db, systemClock.now(), [isWhole ? { kind: 'site', key } : { kind: 'content', key: '' }]);
  const screen = progressScreen();
  const context = { ...publishContext(db, config, stop), onProgress: (progress: JobProgress) => screen.show(progress) };
  let announcedOther = false;
  try {
    while (!stop.aborted) {
      const outcome = await publishDue(context);
      if (outcome.status === 'failed') {
        screen.end();
        console.error(publishingTexts.failed(outcome.error.message));
        return 1;
      }
      if (outcome.status === 'published') continue;
      const other = await runningJob(db);
      if (other === null) {
        screen.end();
        const id = currentHead(config.dataDir)?.release ?? '';
        console.log(publishingTexts.published(id, (performance.now() - started) / 1000));
        return 0;
      }
      if (!announcedOther) console.log(publishingTexts.waiting(other.runner ?? ''));
      announcedOther = true;
      screen.show(other.progress);
      await pause(publishPollMs);
    }
    return 1;
  } finally {
    screen.end();
    await context.close();
  }
}
