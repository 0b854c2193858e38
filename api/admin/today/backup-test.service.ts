import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { backupTestPhases } from './today.contract.ts';
import type { BackupTest } from './today.contract.ts';
import { iso, isoOrNull } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { sqlitePath } from '#platform/config.ts';
import { databaseBytes } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { installationDiskSpace } from '#platform/disk-space.ts';
import { errors } from '#platform/errors.ts';
import { backupTestTexts as texts } from '#texts/admin-checklist.ts';
import { record } from '#api/events/record.service.ts';
import { readRecord, replaceRecord } from './records.queries.ts';
import type { BackupTestRecord } from './records.queries.ts';

/** What the process that tests backups gets. */
export type BackupTestSettings = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** What it reports: how far it is, or its result. */
export type BackupTestMessage =
  { readonly phase: string; readonly percent: number } | { readonly bytes: number } | { readonly error: string };

interface BackupTestContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: BackupTestSettings;
}

const name = 'desk.backup-test';
const script = fileURLToPath(new URL('../../commands/backup-test.ts', import.meta.url));
/** Milliseconds between heartbeats, and without one after which a test counts as interrupted. */
const heartbeatMs = 1_000;
const deadAfterMs = 30_000;
/** Copies of the database that a test has on disk at once, and free bytes that votes need beside them. */
const copies = 3;
const spareBytes = 200_000_000;
/** Characters of an error that are kept. */
const errorLength = 1_000;

const isRunning = ({ state, heartbeatAt }: BackupTestRecord, now: number) =>
  state === 'running' && Math.abs(now - heartbeatAt) < deadAfterMs;

/** The newest backup test; null before the first one. */
export async function backupTest({ db, clock }: Pick<BackupTestContext, 'db' | 'clock'>): Promise<BackupTest | null> {
  const record = await readRecord(db, name);
  return record && present(record, clock.now());
}

function present(record: BackupTestRecord, now: number): BackupTest {
  const { state, phase, percent, bytes, error } = record;
  const isDead = state === 'running' && !isRunning(record, now);
  return {
    ...{ state: isDead ? 'failed' : state, phase, percent, bytes, error: isDead ? texts.interrupted : error },
    startedAt: iso(record.startedAt),
    finishedAt: isoOrNull(isDead ? record.heartbeatAt : record.finishedAt),
  };
}

/**
 * Starts a backup test in a process of its own and returns its state. Throws CONFLICT while one runs, in whatever process,
 * when the disk has no room for the copies of the database, and
 * when that is in memory.
 */
export async function startBackupTest({ db, clock, config }: BackupTestContext, actor: string): Promise<BackupTest> {
  if (sqlitePath(config.databaseUrl) === ':memory:') throw errors.conflict(texts.inMemory);
  const now = clock.now();
  const before = await readRecord(db, name);
  if (before && isRunning(before, now)) throw errors.conflict(texts.running);
  const disk = await installationDiskSpace(db, config.dataDir);
  const needed = copies * (await databaseBytes(db)) + spareBytes;
  if (disk !== null && disk.freeBytes < needed) throw errors.conflict(texts.noRoom(disk.freeBytes, needed));
  const first: BackupTestRecord = {
    ...{ state: 'running', startedAt: now, heartbeatAt: now, finishedAt: null },
    ...{ phase: 'copying', percent: 0, bytes: null, error: null },
  };
  await db.transaction(async (trx) => {
    if (!(await replaceRecord(trx, name, before, first))) throw errors.conflict(texts.running);
    await record(trx, { at: now, actor, type: 'setup.test-backup', subject: { kind: 'setup', id: 'backup' } });
  });
  run({ db, clock, config }, first);
  return present(first, now);
}

/** Runs the process, and records how far it is while the record is still its own. */
function run({ db, clock, config }: BackupTestContext, first: BackupTestRecord): void {
  const child = fork(script, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
  let recorded = first;
  let wanted: BackupTestRecord = first;
  let output = '';
  let writing: Promise<void> = Promise.resolve();
  const write = () => {
    writing = writing.then(async () => {
      const next = { ...wanted, heartbeatAt: clock.now() };
      // Otherwise the database is away: the next heartbeat tries again, or the test counts as interrupted.
      const isOwn = await replaceRecord(db, name, recorded, next).catch(() => null);
      if (isOwn) recorded = next;
      if (isOwn === false) child.kill();
    });
  };
  const timer = setInterval(write, heartbeatMs);
  const end = (result: Partial<BackupTestRecord>) => {
    wanted = { ...wanted, ...result, finishedAt: clock.now() };
  };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-errorLength)));
  child.on('message', (message: BackupTestMessage) => {
    if ('error' in message) end({ state: 'failed', error: message.error.slice(0, errorLength) });
    else if ('bytes' in message) end({ state: 'passed', percent: 100, bytes: message.bytes });
    else if (wanted.finishedAt === null) {
      // A file that was verified is restored, which has no figures of its own.
      const phase =
        message.phase === 'unpacking' && message.percent === 100
          ? 'checking'
          : (backupTestPhases.find((one) => one === message.phase) ?? 'checking');
      wanted = { ...wanted, phase, percent: phase === 'checking' ? 0 : message.percent };
    }
  });
  child.once('error', (error) => end({ state: 'failed', error: error.message.slice(0, errorLength) }));
  child.once('close', () => {
    clearInterval(timer);
    if (wanted.finishedAt === null) end({ state: 'failed', error: output.trim() || texts.interrupted });
    write();
  });
  // The test must not keep the process running; it ends with it.
  for (const one of [timer, child, child.channel, child.stderr as unknown as { unref(): void }]) one?.unref();
  child.send(config, () => undefined);
}
