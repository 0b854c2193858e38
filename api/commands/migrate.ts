import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { startTexts } from '#texts/start.ts';
import { assertFileSound, prepareDatabase, waitForDatabase } from './prepare-database.ts';
import { runCommand } from './command-line.ts';

await runCommand({
  help: startTexts.migrateHelp,
  options: {},
  async run() {
    const config = readConfig();
    const { databaseUrl, databaseWait } = config;
    await assertFileSound(config);
    const db = openDatabase(databaseUrl);
    try {
      await waitForDatabase(db, { seconds: databaseWait, say: (line) => console.error(line) });
      console.log(startTexts.migrated(await prepareDatabase(db)));
      return 0;
    } finally {
      await db.destroy();
    }
  },
});
