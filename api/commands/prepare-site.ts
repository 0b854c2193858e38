/**
 * The process with which npm start prepares the database and loads demo polls. It sends the reason if the whole site has to
 * be published, and ends, so that the process that stays never loads the code of databases.
 */
import { readConfig } from '#platform/config.ts';
import { hasVoterKey } from '#platform/database.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import { reasonForWholeSite } from '#api/publishing/state.service.ts';
import { codeDigest } from '#api/publishing/source-digest.ts';
import { startTexts } from '#texts/start.ts';
import { runCommand, stopSignal } from './command-line.ts';
import { loadDemonstrationIfEmpty, openInstallation, prepareDatabase, waitForDatabase } from './prepare.ts';

const stop = stopSignal();

await runCommand({
  help: startTexts.startHelp,
  options: {},
  async run() {
    const config = readConfig();
    const db = openInstallation(config);
    try {
      await waitForDatabase(db, { seconds: config.databaseWait, signal: stop, say: (line) => console.error(line) });
      if (stop.aborted) return 0;
      await prepareDatabase(db, config);
      // Before anything else needs them: this process knows the database.
      await ensureSecrets(config, () => hasVoterKey(db));
      await loadDemonstrationIfEmpty(db, config);
      const reason = await reasonForWholeSite(db, config.dataDir, codeDigest(config));
      if (reason !== null) await new Promise((sent) => process.send?.(reason, sent));
      return 0;
    } finally {
      await db.destroy();
    }
  },
});
