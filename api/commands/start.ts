import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readConfig } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { sqlitePath } from '#platform/database.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import { reasonForWholeSite } from '#api/publishing/publish.service.ts';
import { codeDigest, projectFolder } from '#api/publishing/source-digest.ts';
import { currentTree } from '#api/publishing/store.ts';
import { startTexts } from '#texts/start.ts';
import { assertPortFree, runCommand, stopSignal, whenAborted } from './command-line.ts';
import {
  loadDemonstrationIfEmpty,
  openInstallation,
  prepareDataFolder,
  prepareDatabase,
  waitForDatabase,
} from './prepare.ts';
import { apiNodeArgs, ServiceEnded, supervise } from './supervisor.ts';

const stop = stopSignal();

await runCommand({
  help: startTexts.startHelp,
  options: {},
  async run() {
    const config = readConfig();
    await prepareDataFolder(config.dataDir);
    await Promise.all([
      assertPortFree('PORT', config.port, config.host),
      assertPortFree('API_PORT', config.apiPort, config.apiHost),
    ]);
    let { newAdminPassword } = await ensureSecrets(config);

    // The site service needs no database: it starts immediately and shows a notice while the site is being built.
    const site = supervise('site.ts', { onEnded: (pause) => console.error(startTexts.serviceEnded('site', pause)) });
    const services = [site];
    try {
      const code = await prepareSite(config);
      if (code !== 0 || stop.aborted) return stop.aborted ? 0 : code;
      const api = supervise('api.ts', {
        nodeArgs: apiNodeArgs,
        onEnded: (pause) => console.error(startTexts.serviceEnded('API', pause)),
      });
      services.push(api);
      await Promise.race([Promise.all([site.ready, api.ready]), whenAborted(stop)]);
      if (!stop.aborted) {
        const { siteName, publicUrl, dataDir } = config;
        console.log(startTexts.ready({ siteName, address: publicUrl, dataDir, database: databaseName(config) }));
        if (newAdminPassword !== null) console.log(startTexts.adminPassword(newAdminPassword));
        newAdminPassword = null;
        console.log(startTexts.howToStop);
        await whenAborted(stop);
      }
      return 0;
    } catch (error) {
      // It has already printed the reason.
      if (error instanceof ServiceEnded) return error.code;
      throw error;
    } finally {
      if (stop.aborted) console.error(startTexts.stopping);
      // The site first, so that forwarded requests are still answered.
      for (const service of services) await service.stop();
      // A failed first start must not lose the password, which is shown only once.
      if (newAdminPassword !== null) console.log(startTexts.newAdminPassword(newAdminPassword));
    }
  },
});

/** Prepares what the API needs before it starts: database, demo polls, and release. */
async function prepareSite(config: Config): Promise<number> {
  const db = openInstallation(config);
  try {
    await waitForDatabase(db, { seconds: config.databaseWait, signal: stop, say: (line) => console.error(line) });
    if (stop.aborted) return 0;
    await prepareDatabase(db, config);
    await loadDemonstrationIfEmpty(db, config);
    const reason = await reasonForWholeSite(db, config.dataDir, codeDigest(config));
    if (reason === null) return 0;
    console.log(startTexts.building(reason));
  } finally {
    await db.destroy();
  }
  const build = spawn(process.execPath, [join(projectFolder, 'api/commands/build.ts')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const abort = () => build.kill('SIGTERM');
  stop.addEventListener('abort', abort);
  const [code] = (await once(build, 'close')) as [number | null];
  if (code === 0 || stop.aborted) return 0;
  // Also one of an earlier version.
  if (currentTree(config.dataDir) !== null) {
    console.error(startTexts.olderRelease);
    return 0;
  }
  console.error(startTexts.buildFailed);
  return 1;
}

function databaseName(config: Config): string {
  const file = sqlitePath(config.databaseUrl);
  if (file !== null) return `SQLite, ${file}`;
  const { hostname, pathname } = new URL(config.databaseUrl);
  return `PostgreSQL, ${pathname.slice(1)} on ${hostname}`;
}
