import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '#platform/clock.ts';
import { ConfigError, readConfig } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { runningPublish } from '#api/publishing/job.service.ts';
import type { JobProgress } from '#api/publishing/job.service.ts';
import { pausedSince, publishAgain, reasonForWholeSite, setPaused, useBuild } from '#api/publishing/state.service.ts';
import { publishDue } from '#api/publishing/publish.service.ts';
import { publishPollMs } from '#api/publishing/publisher.service.ts';
import { codeDigest } from '#api/publishing/source-digest.ts';
import { servedBuild } from '#api/publishing/builds.ts';
import { publishingTexts } from '#texts/publishing.ts';
import { runCommand, stopSignal } from './command-line.ts';
import { openInstallation, prepareDatabase } from './prepare.ts';
import { progressScreen } from './progress-bar.ts';
import { publishContext } from './publishing.ts';

const stop = stopSignal();

await runCommand({
  help: publishingTexts.buildHelp,
  options: {
    force: { type: 'boolean' },
    pause: { type: 'boolean' },
    resume: { type: 'boolean' },
    use: { type: 'string' },
  },
  async run(values) {
    const config = readConfig();
    if (values.pause && values.resume) throw new ConfigError(publishingTexts.pauseAndResume);
    const db = openInstallation(config);
    try {
      await prepareDatabase(db, config);
      if (values.pause) {
        if (!(await setPaused(db, systemClock, true))) throw new ConfigError(publishingTexts.pausedAlready);
        console.log(publishingTexts.pausedNow);
        return 0;
      }
      if (values.resume && !(await setPaused(db, systemClock, false))) throw new ConfigError(publishingTexts.notPaused);
      if (values.use !== undefined) {
        if ((await pausedSince(db)) !== null) throw new ConfigError(publishingTexts.paused);
        await useBuild({ db, clock: systemClock, dataDir: config.dataDir, codeId: codeDigest(config) }, values.use);
      }
      return await buildNow(db, config, values.force ?? false);
    } finally {
      await db.destroy();
    }
  },
});

/** Publishes the newest state of code, content, and database, in this process or in another one that is publishing. */
async function buildNow(db: Database, config: Config, force: boolean): Promise<number> {
  const started = performance.now();
  if ((await pausedSince(db)) !== null) throw new ConfigError(publishingTexts.paused);
  const reason = await reasonForWholeSite(db, config.dataDir, codeDigest(config));
  const isWhole = force || reason !== null;
  const key = force || reason === null ? publishingTexts.reasons.command : reason;
  const at = systemClock.now();
  await db.transaction((trx) => publishAgain(trx, { at, actor: 'terminal', whole: isWhole ? key : null }));
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
      const other = await runningPublish(db);
      if (other === null) {
        screen.end();
        const build = servedBuild(config.dataDir) ?? '';
        console.log(publishingTexts.published(build, (performance.now() - started) / 1000));
        return 0;
      }
      if (!announcedOther) console.log(publishingTexts.waiting(other.runner));
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
