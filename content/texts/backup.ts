const number = (value: number) => value.toLocaleString('en-US');
const some = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;

/** The contents of a backup, as part of a sentence. */
const holds = (counts: Readonly<Record<string, number>>) =>
  [
    some(counts.polls ?? 0, 'poll', 'polls'),
    some(counts.community_polls ?? 0, 'community poll', 'community polls'),
    some(counts.votes ?? 0, 'vote', 'votes'),
    some(counts.users ?? 0, 'member', 'members'),
  ].join(', ');

/** Output of `npm run backup` and `npm run restore`. */
export const backupTexts = {
  backupUsage: `Writes a full backup of the site to a folder while the site is running.

  npm run backup -- DIR              write DIR/weathervane-<UTC time>.tar.gz
  npm run backup -- DIR --keep N     also delete the oldest backups there, keeping N
  npm run backup -- --help           show this help

A backup contains a consistent copy of the database, and the session keys and the hash of the admin password from the
data folder, so keep it as safe as the site itself. It does not contain environment settings or built pages; pages are
rebuilt. The exit code is 0 if the backup is complete and flushed to disk, and 1 if no backup was written.`,
  restoreUsage: `Restores a backup into an empty data folder and an empty database.

  npm run restore -- FILE            restore FILE, a backup written by npm run backup
  npm run restore -- --help          show this help

DATA_DIR and DATABASE_URL select the target. Nothing is ever overwritten: if there is already a database, the command
refuses. The file is verified first, and nothing changes until the last step; if a restore is interrupted, run it again.
A backup from an older version is migrated to this one, which takes as long as npm run migrate does (see there). Run this command as the user who runs the site.`,
  noFolder: 'Missing folder: npm run backup -- DIR (see --help).',
  noFile: 'Missing backup file: npm run restore -- FILE (see --help).',
  tooMany: (word: string) => `Unexpected argument: ${word}.`,
  wrongKeep: (value: string) => `--keep is “${value}”, but it must be the number of backups to keep: 1 or more.`,
  folderRefused: (folder: string, why: string) =>
    `${folder} is not writable (${why}). Choose another folder or change its owner.`,
  folderFull: (folder: string) =>
    `The disk of ${folder} is full. No backup was written; older backups are unchanged. Free up space there, or choose a folder on another disk.`,
  noDatabase: (file: string) => `There is no database at ${file}, so there is nothing to back up. Check DATA_DIR.`,
  neverMigrated: 'The database is empty, so there is nothing to back up. Check DATABASE_URL and DATA_DIR.',
  inMemory: 'DATABASE_URL is an in-memory database, which is lost when its process ends. Use a file instead.',
  damagedDatabase: (what: string) => `No backup was written; older backups are unchanged. ${what}`,
  backupFailed: (why: string) => `The backup failed: ${why}. Nothing was left behind; older backups are unchanged.`,
  written: (file: string, megabytes: number, counts: Readonly<Record<string, number>>) =>
    `Wrote ${file} (${megabytes.toFixed(1)} MB): ${holds(counts)}.\nIt contains the site’s keys and members’ private data: keep it secret.`,
  notRecorded: (why: string) => `The backup is complete, but the admin pages don’t know about it: ${why}`,
  removed: (files: readonly string[]) =>
    `Removed ${some(files.length, 'older backup', 'older backups')}: ${files.join(', ')}.`,

  noSuchFile: (file: string) => `No such file: ${file}.`,
  unreadable: (file: string, why: string) => `${file} can’t be read (${why}).`,
  notABackup: (file: string) => `${file} is not a backup written by npm run backup. Nothing was changed.`,
  damaged: (file: string, why: string) =>
    `${file} is damaged: ${why}. Nothing was changed. Use another copy of it, or an older backup.`,
  endsEarly: 'it is truncated',
  partDiffers: (part: string) => `${part} doesn’t match its checksum`,
  partMissing: (part: string) => `${part} is missing`,
  before030: (file: string) =>
    `${file} was written by a version before 0.3.0, and this version restores those from 0.3.0 on. Nothing was changed. Restore it with version 0.3.0 (CHANGELOG.md names its commit), then update to this version.`,
  newer: (file: string, version: string) =>
    `${file} was written by a newer version (${version}) than this one. Nothing was changed. Update the code first.`,
  otherEngine: (engine: 'sqlite' | 'postgres') =>
    engine === 'sqlite'
      ? 'This is a backup of a SQLite database, but DATABASE_URL points to PostgreSQL. Remove DATABASE_URL to restore it.'
      : 'This is a backup of a PostgreSQL database, but DATABASE_URL does not point to one. Set DATABASE_URL to an empty PostgreSQL database.',
  notEmpty: (what: string) =>
    `${what} already exists, and a restore never overwrites anything. Nothing was changed. Set DATA_DIR (or DATABASE_URL) to an empty location, or move the existing data away.`,
  databaseNotEmpty: (tables: number) =>
    `The database in DATABASE_URL already has ${some(tables, 'table', 'tables')}, and a restore never overwrites anything. Nothing was changed. Create an empty database (createdb) and use that.`,
  restoreFailed: (why: string) => `The restore failed: ${why}. Nothing was changed.`,
  differs: (table: string, there: number, expected: number) =>
    `of ${number(expected)} rows of ${table}, ${number(there)} arrived`,
  unknownColumn: (table: string, column: string) => `this version has no column ${table}.${column}`,
  unknownTable: (table: string) => `this version has no table ${table}`,
  restored: (moment: string, counts: Readonly<Record<string, number>>, steps: number) =>
    [
      `Restored the site as of ${moment}: ${holds(counts)}.`,
      ...(steps > 0
        ? [`The database was updated to the latest schema (${some(steps, 'migration', 'migrations')}).`]
        : []),
      'Next: check it with npm run doctor, then build and serve the pages with npm start.',
    ].join('\n'),
  phases: {
    copying: 'Copying the database',
    packing: 'Packing',
    unpacking: 'Verifying the file',
    loading: 'Loading the database',
  },
  bar: '{text} [{bar}] {percentage} %',
} as const;
