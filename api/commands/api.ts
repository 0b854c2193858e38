import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { assertVoterKey, openDatabase } from '#platform/database.ts';
import { createLogger } from '#platform/logger.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import { assertLogKeys } from '#api/integrity-log/site-log.service.ts';
import { nextTransition } from '#api/lifecycle/lifecycle.service.ts';
import { startPublisher } from '#api/publishing/publisher.service.ts';
import { startApiServer } from '#api/server.ts';
import { startTexts } from '#texts/start.ts';
import { openInstallation, prepareDatabase, waitForDatabase } from './prepare.ts';
import {
  listenFailure,
  prepareDataFolder,
  runCommand,
  serviceLogLevel,
  stopSignal,
  whenAborted,
} from './command-line.ts';

const stop = stopSignal();

await runCommand({
  help: startTexts.apiHelp,
  // For npm run dev, where every code change would start a build.
  options: { 'no-publisher': { type: 'boolean' } },
  async run(values) {
    const config = readConfig();
    const log = createLogger('api', { level: serviceLogLevel(config) });
    await prepareDataFolder(config.dataDir);
    const secrets = await ensureSecrets(config);
    const { sessionKeys: keys, voterKey, logKeys, newAdminPassword } = secrets;
    const isAdminPassword = (candidate: string) => secrets.isAdminPassword(candidate);
    if (newAdminPassword !== null) console.log(startTexts.newAdminPassword(newAdminPassword));
    await whenDatabaseIsReady(config, voterKey, logKeys);
    if (stop.aborted) return 0;
    const server = await startApiServer({ config, keys, voterKey, logKeys, isAdminPassword, log }).catch(
      (error: unknown) => {
        throw listenFailure(error, 'API_PORT', config.apiPort, config.apiHost);
      },
    );
    // A separate connection: the check for jobs must never wait behind votes.
    const db = values['no-publisher'] === true ? null : openDatabase(config.databaseUrl);
    const publisher = db && startPublisher({ db, clock: systemClock, config, log, nextTransition });
    process.send?.('ready');
    log.info({ address: `http://${config.apiHost}:${server.port}` }, 'the API service is listening');
    await whenAborted(stop);
    await Promise.all([server.close(), publisher?.stop()]);
    await db?.destroy();
    return 0;
  },
});

async function whenDatabaseIsReady(config: Config, voterKey: string, logKeys: readonly string[]): Promise<void> {
  const db = openInstallation(config);
  try {
    await waitForDatabase(db, { seconds: config.databaseWait, signal: stop, say: (line) => console.error(line) });
    if (stop.aborted) return;
    await prepareDatabase(db, config);
    await assertVoterKey(db, voterKey);
    await assertLogKeys(db, logKeys, systemClock.now());
  } finally {
    await db.destroy();
  }
}
