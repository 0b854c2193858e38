import type { FromSchema } from 'json-schema-to-ts';
import { count } from './scalars.ts';

/**
 * How much room is left on the disks of an installation. `low`: too little for a build and a backup; `critical`: too little
 * for a backup, and for growth; `full`: nothing can be stored.
 */
export const diskLevels = ['ok', 'low', 'critical', 'full'] as const;
export type DiskLevel = (typeof diskLevels)[number];

/** The room on the disk that has least. */
export const diskRoomSchema = {
  $id: 'DiskRoom',
  type: 'object',
  required: ['level', 'freeBytes', 'wantedBytes'],
  additionalProperties: false,
  properties: {
    level: { type: 'string', enum: diskLevels },
    freeBytes: count,
    wantedBytes: { ...count, description: 'Space that builds and backups need' },
  },
} as const;
export type DiskRoom = FromSchema<typeof diskRoomSchema>;
