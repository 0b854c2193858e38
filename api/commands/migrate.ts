import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { startTexts } from '#texts/start.ts';
import { prepareDatabase } from './prepare-database.ts';
import { runCommand } from './command-line.ts';

await runCommand({
  help: startTexts.migrateHelp,
  options: {},
  async run() {
    const db = openDatabase(readConfig().databaseUrl);
    try {
      console.log(startTexts.migrated(await prepareDatabase(db)));
      return 0;
    } finally {
      await db.destroy();
    }
  },
});
