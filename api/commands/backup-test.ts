/**
 * The process that tests backups, started by the API service; see api/admin/today/backup-test.service.ts. The settings come as its
 * first message. It ends, without leaving anything behind, when it is done or the API service has ended.
 */
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { testBackup, testFolderPrefix } from '#api/backup/test-backup.service.ts';
import type { BackupTestMessage, BackupTestSettings } from '#api/admin/today/backup-test.service.ts';
import { systemClock } from '#platform/clock.ts';
import { messageOf } from '#platform/errors.ts';

const send = (message: BackupTestMessage) => new Promise((sent) => process.send?.(message, sent));
// Everything written here is secret.
process.umask(0o077);
// Votes have priority. Not every system lets a process lower its own.
try {
  setPriority(constants.priority.PRIORITY_LOW);
} catch {
  // Then it runs at normal priority.
}
const [config] = (await once(process, 'message')) as [BackupTestSettings];
// One test runs at a time: these are of tests that were killed.
for (const name of readdirSync(config.dataDir))
  if (name.startsWith(testFolderPrefix)) rmSync(join(config.dataDir, name), { recursive: true, force: true });
const folder = await mkdtemp(join(config.dataDir, testFolderPrefix));
const cleanUp = () => rmSync(folder, { recursive: true, force: true });
process.on('disconnect', () => {
  cleanUp();
  process.exit();
});
try {
  const onProgress = (phase: string, done: number, total: number) => {
    void send({ phase, percent: total === 0 ? 0 : Math.min(100, Math.floor((100 * done) / total)) });
  };
  await send({ bytes: await testBackup({ config, clock: systemClock, folder, onProgress }) });
} catch (error) {
  await send({ error: messageOf(error) });
} finally {
  cleanUp();
}
process.exit();
