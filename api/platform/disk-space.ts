import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DiskRoom } from '#contract/disk.ts';
import { databaseBytes, sqliteFileOf } from './database.ts';
import type { Database } from './database.ts';

/** Free bytes that builds and backups need. */
const diskBytesWanted = 1_000_000_000;
/** Free inodes that builds and backups need. */
const diskFilesWanted = 20_000;
/** Free bytes that the database needs besides a backup. */
const diskBytesNeeded = 100_000_000;
/** Free bytes that one batch of votes may need. */
const diskBytesForVotes = 4_000_000;

/** Free space of a disk, and whether it is short of inodes. */
interface FolderSpace extends DiskRoom {
  readonly folder: string;
  readonly fewFiles: boolean;
}

/**
 * Free space on the disk of a folder, compared with the needs of a build, a backup, and the growth of a database of `bytes`;
 * null where unknown. The doctor, `/api/health`, and the operator's page all use this.
 */
export async function diskSpace(folder: string, bytes: number): Promise<FolderSpace | null> {
  const disk = await statfs(folder).catch(() => null);
  if (disk === null) return null;
  const freeBytes = disk.bavail * disk.bsize;
  const wantedBytes = Math.max(diskBytesWanted, 3 * bytes);
  // File systems that allocate inodes on demand report 0 of 0.
  const fewFiles = disk.files > 0 && disk.ffree < diskFilesWanted;
  const level =
    freeBytes < diskBytesForVotes
      ? 'full'
      : freeBytes < diskBytesNeeded + bytes
        ? 'critical'
        : freeBytes < wantedBytes || fewFiles
          ? 'low'
          : 'ok';
  return { level, freeBytes, wantedBytes, folder, fewFiles };
}

/** The disk with the least space of the data folder and the folder of the SQLite file. */
export async function leastDiskSpace(
  dataDir: string,
  sqliteFile: string | null,
  bytes: number,
): Promise<FolderSpace | null> {
  const folders = new Set([dataDir, ...(sqliteFile === null ? [] : [dirname(sqliteFile)])]);
  const disks = await Promise.all([...folders].map((folder) => diskSpace(folder, bytes)));
  const known = disks.filter((disk) => disk !== null);
  return known.sort((a, b) => a.freeBytes - b.freeBytes)[0] ?? null;
}

/** Free space of a running installation. */
export async function installationDiskSpace(db: Database, dataDir: string): Promise<DiskRoom | null> {
  const disk = await leastDiskSpace(dataDir, sqliteFileOf(db), await databaseBytes(db));
  return disk && { level: disk.level, freeBytes: disk.freeBytes, wantedBytes: disk.wantedBytes };
}
