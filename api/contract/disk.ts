import { count, described, named, oneOf } from './schema.ts';
import type { Static } from './schema.ts';

/**
 * Levels of free disk space. `low`: too little for a build and a backup; `critical`: too little for a backup and growth;
 * `full`: nothing can be stored.
 */
export const diskLevels = ['ok', 'low', 'critical', 'full'] as const;
export type DiskLevel = (typeof diskLevels)[number];

/** Free space of the disk with the least. */
export const diskRoomSchema = named('DiskRoom', {
  level: oneOf(diskLevels),
  freeBytes: count,
  wantedBytes: described(count, 'Space that builds and backups need'),
});
export type DiskRoom = Static<typeof diskRoomSchema>;
