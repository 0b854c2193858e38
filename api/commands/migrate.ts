import { readConfig } from '#platform/config.ts';
import { startTexts } from '#texts/start.ts';
import { openInstallation, prepareDatabase, waitForDatabase } from './prepare.ts';
import { runCommand } from './command-line.ts';

await runCommand({
  help: startTexts.migrateHelp,
  options: {},
  async run() {
    const config = readConfig();
    const db = openInstallation(config);
    try {
      await waitForDatabase(db, { seconds: config.databaseWait, say: (line) => console.error(line) });
      console.log(startTexts.migrated(await prepareDatabase(db, config)));
      return 0;
    } finally {
      await db.destroy();
    }
  },
});
