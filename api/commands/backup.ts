import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { systemClock } from '#platform/clock.ts';
import { ConfigError, readConfig } from '#platform/config.ts';
import type { Config } from '#platform/config.ts';
import { messageOf } from '#platform/errors.ts';
import { takeBackup } from '#api/backup/backup.service.ts';
import { recordBackup } from '#api/backup/last-backup.service.ts';
import { backupTexts as texts } from '#texts/backup.ts';
import { databaseRefusal } from '#platform/database-problem.ts';
import { runCommand } from './command-line.ts';
import { phaseBar } from './progress-bar.ts';

/** Tells the operator’s page about a backup. The backup is complete, whether or not that succeeds. */
const noteBackup = ({ dataDir }: Config, at: string) =>
  recordBackup(dataDir, at).catch((error: unknown) => console.error(texts.notRecorded(messageOf(error))));

await runCommand({
  help: texts.backupUsage,
  positionals: true,
  options: { keep: { type: 'string' } },
  async run({ keep }, [folder, extra]) {
    if (folder === undefined) throw new ConfigError(texts.noFolder);
    if (extra !== undefined) throw new ConfigError(texts.tooMany(extra));
    if (keep !== undefined && !/^[1-9]\d{0,5}$/.test(keep)) throw new ConfigError(texts.wrongKeep(keep));
    // Everything written here is secret, including drafts.
    process.umask(0o077);
    // Votes have priority. Not every system lets a process lower its own.
    try {
      setPriority(constants.priority.PRIORITY_LOW);
    } catch {
      // Then it runs at normal priority.
    }
    const bar = phaseBar(texts);
    const config = readConfig();
    const backup = await takeBackup({
      config,
      clock: systemClock,
      folder: resolve(folder),
      keep: keep === undefined ? undefined : Number(keep),
      onProgress: bar.show,
    })
      .catch((error: unknown) => {
        if (error instanceof ConfigError) throw error;
        throw databaseRefusal(error) ?? new ConfigError(texts.backupFailed(messageOf(error)));
      })
      .finally(bar.end);
    await noteBackup(config, backup.manifest.createdAt);
    console.log(texts.written(backup.path, backup.bytes / 1e6, backup.manifest.counts));
    if (backup.removed.length > 0) console.log(texts.removed(backup.removed));
    return 0;
  },
});
