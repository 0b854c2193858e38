import { resolve } from 'node:path';
import { ConfigError, readConfig } from '#platform/config.ts';
import { messageOf } from '#platform/errors.ts';
import { restoreBackup } from '#api/backup/restore.service.ts';
import { backupTexts as texts } from '#texts/backup.ts';
import { databaseRefusal } from '#platform/database-problem.ts';
import { runCommand } from './command-line.ts';
import { phaseBar } from './progress-bar.ts';

await runCommand({
  help: texts.restoreUsage,
  positionals: true,
  options: {},
  async run(_, [file, extra]) {
    if (file === undefined) throw new ConfigError(texts.noFile);
    if (extra !== undefined) throw new ConfigError(texts.tooMany(extra));
    process.umask(0o077);
    const bar = phaseBar(texts);
    const { manifest, steps } = await restoreBackup({
      config: readConfig(),
      file: resolve(file),
      onProgress: bar.show,
    })
      .catch((error: unknown) => {
        if (error instanceof ConfigError) throw error;
        throw databaseRefusal(error) ?? new ConfigError(texts.restoreFailed(messageOf(error)));
      })
      .finally(bar.end);
    console.log(texts.restored(manifest.createdAt, manifest.counts, steps));
    return 0;
  },
});
