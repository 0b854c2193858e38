import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { assertVoterKey, hasVoterKey, openDatabase } from '#platform/database.ts';
import { createLogger } from '#platform/logger.ts';
import { ensureSecrets, newAdminPassword } from '#platform/secrets.ts';
import type { Secrets } from '#platform/secrets.ts';
import { assertLogKeys } from '#api/integrity/log/site-log.service.ts';
import { nextTransition } from '#api/polls/lifecycle/lifecycle.service.ts';
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
    const secrets = await secretsOfReadyDatabase(config);
    if (secrets === null) return 0;
    const { sessionKeys: keys, voterKey, logKeys, witnessKey } = secrets;
    const isAdminPassword = (candidate: string) => secrets.isAdminPassword(candidate);
    const options = { config, keys, voterKey, logKeys, witnessKey, isAdminPassword, log };
    const server = await startApiServer(options).catch((error: unknown) => {
      throw listenFailure(error, 'API_PORT', config.apiPort, config.apiHost);
    });
    // A separate connection: the check for jobs must never wait behind votes.
    const db = values['no-publisher'] === true ? null : openDatabase(config.databaseUrl);
    const publisher = db && startPublisher({ db, clock: systemClock, config, log, nextTransition });
    // Under npm start, the process that prints the address prints it.
    const password = process.send ? null : await newAdminPassword(config);
    if (password !== null) console.log(startTexts.newAdminPassword(password));
    process.send?.('ready');
    log.info({ address: `http://${config.apiHost}:${server.port}` }, 'the API service is listening');
    await whenAborted(stop);
    await Promise.all([server.close(), publisher?.stop()]);
    await db?.destroy();
    return 0;
  },
});

/** The secrets, once the database is ready and was used with no other ones; null if the service is to stop. */
async function secretsOfReadyDatabase(config: Config): Promise<Secrets | null> {
  const db = openInstallation(config);
  try {
    await waitForDatabase(db, { seconds: config.databaseWait, signal: stop, say: (line) => console.error(line) });
    if (stop.aborted) return null;
    await prepareDatabase(db, config);
    const secrets = await ensureSecrets(config, () => hasVoterKey(db));
    await assertVoterKey(db, secrets.voterKey);
    await assertLogKeys(db, secrets.logKeys, systemClock.now());
    return secrets;
  } finally {
    await db.destroy();
  }
}
