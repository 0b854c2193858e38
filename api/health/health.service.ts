import { dirname } from 'node:path';
import type { DiskLevel } from '#contract/disk.ts';
import { databaseBytes, sqliteFileOf } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { diskSpace, installationDiskSpace } from '#platform/disk-space.ts';
import { TtlCache } from '#platform/read-cache.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';

/** Milliseconds for which one test write answers all health checks. */
export const healthWriteMs = 10_000;

/** The result of a test write. */
export interface WriteCheck {
  readonly canWrite: boolean;
  /** Level of the disk with the least space; null where unknown. */
  readonly disk: DiskLevel | null;
}

interface WriteCheckContext {
  readonly db: Database;
  readonly dataDir: string;
  readonly intake: Pick<VotingIntake, 'testWrite'>;
}

/**
 * Tests whether the database can be written. Health is public, so one result is cached for `healthWriteMs`: a process makes
 * at most one small commit in that time, and none without requests.
 */
export function cachedWriteCheck(context: WriteCheckContext): () => Promise<WriteCheck> {
  const cache = new TtlCache(() => check(context), { ms: healthWriteMs, maxEntries: 1 });
  return () => cache.get('write');
}

async function check({ db, dataDir, intake }: WriteCheckContext): Promise<WriteCheck> {
  const [wasWritten, isFull, disk] = await Promise.all([
    intake.testWrite().then(
      () => true,
      () => false,
    ),
    hasFullDisk(db).catch(() => false),
    installationDiskSpace(db, dataDir).catch(() => null),
  ]);
  return { canWrite: wasWritten && !isFull, disk: disk?.level ?? null };
}

/** One row may still fit where a batch of votes does not. A PostgreSQL server checks its own disk. */
async function hasFullDisk(db: Database): Promise<boolean> {
  const file = sqliteFileOf(db);
  return file !== null && (await diskSpace(dirname(file), await databaseBytes(db)))?.level === 'full';
}

export { publishedAt } from '#api/publishing/overview.service.ts';
