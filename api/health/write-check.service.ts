import { dirname } from 'node:path';
import type { DiskLevel } from '#contract/disk.ts';
import { serverLimits } from '#contract/server-limits.ts';
import { databaseBytes, sqliteFileOf } from '#platform/database.ts';
import type { Database } from '#platform/database.ts';
import { diskRoom, installationRoom } from '#platform/disk-room.ts';
import { RecentReads } from '#platform/recent-reads.ts';
import type { VotingIntake } from '#api/voting/intake.service.ts';

/** What a test write found. */
export interface WriteCheck {
  readonly canWrite: boolean;
  /** The disk with least room; null where the system does not tell. */
  readonly disk: DiskLevel | null;
}

interface Checked {
  readonly db: Database;
  readonly dataDir: string;
  readonly intake: Pick<VotingIntake, 'testWrite'>;
}

/**
 * Tests whether the database can be written. Anybody may ask for health, so one result answers everybody for
 * `healthWriteMs`: a process makes one small commit in that time at most, and none when nobody asks.
 */
export function writeChecks(checked: Checked): () => Promise<WriteCheck> {
  const recent = new RecentReads(() => check(checked), { ms: serverLimits.healthWriteMs, most: 1 });
  return () => recent.get('write');
}

async function check({ db, dataDir, intake }: Checked): Promise<WriteCheck> {
  const [wasWritten, isFull, room] = await Promise.all([
    intake.testWrite().then(
      () => true,
      () => false,
    ),
    hasFullDisk(db).catch(() => false),
    installationRoom(db, dataDir).catch(() => null),
  ]);
  return { canWrite: wasWritten && !isFull, disk: room?.level ?? null };
}

/** One row may still find room where a batch of votes does not. A PostgreSQL server knows its own disk. */
async function hasFullDisk(db: Database): Promise<boolean> {
  const file = sqliteFileOf(db);
  return file !== null && (await diskRoom(dirname(file), await databaseBytes(db)))?.level === 'full';
}
