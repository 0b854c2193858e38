const number = (value: number) => value.toLocaleString('en');
const some = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;

/** What a backup holds, in a sentence's part. */
const holds = (counts: Readonly<Record<string, number>>) =>
  [
    some(counts.polls ?? 0, 'poll', 'polls'),
    some(counts.community_polls ?? 0, 'community poll', 'community polls'),
    some(counts.votes ?? 0, 'vote', 'votes'),
    some(counts.users ?? 0, 'member', 'members'),
  ].join(', ');

/** What `npm run backup` and `npm run restore` say to the operator. */
export const backupTexts = {
  backupUsage: `Writes a backup of the whole installation into a folder, while the site runs.

  npm run backup -- DIR              writes DIR/weathervane-<moment in UTC>.tar.gz
  npm run backup -- DIR --keep N     and removes the oldest backups there, so that N are left
  npm run backup -- --help           shows this text

A backup holds the database as it was at one moment, and the session keys and the hash of the admin password from the
data folder: keep it as secret as the site itself. Settings of the environment and built pages are not in it; pages are
built again. The command ends with 0 when the backup is complete and on the disk, and with 1 when there is none.`,
  restoreUsage: `Puts a backup into an empty data folder and an empty database.

  npm run restore -- FILE            restores FILE, one of those that npm run backup has written
  npm run restore -- --help          shows this text

DATA_DIR and DATABASE_URL say where to. Nothing is ever overwritten: where there is a database already, the command
refuses. The file is checked first, and until the last step nothing has changed; a restore that was cut off can simply
be started again. A backup of an older version is brought to this one. Run it as the user who runs the site.`,
  noFolder: 'Where to? Name a folder: npm run backup -- DIR (--help shows all).',
  noFile: 'Which backup? Name one file: npm run restore -- FILE (--help shows all).',
  tooMany: (word: string) => `"${word}" is too much: one is enough.`,
  wrongKeep: (value: string) => `--keep is "${value}", but it takes how many backups are left: 1 or more.`,
  folderRefused: (folder: string, why: string) =>
    `Nothing can be written into ${folder} (${why}). Choose another folder or change its owner.`,
  noDatabase: (file: string) => `There is no database at ${file}: there is nothing to back up. Check DATA_DIR.`,
  neverMigrated: 'The database is empty: there is nothing to back up. Check DATABASE_URL and DATA_DIR.',
  inMemory: 'DATABASE_URL names a database in memory, which ends with its process. Name a file.',
  damagedDatabase: (what: string) => `No backup was written; older ones are untouched. ${what}`,
  backupFailed: (why: string) => `The backup failed: ${why}. Nothing was left behind; older backups are untouched.`,
  written: (file: string, megabytes: number, counts: Readonly<Record<string, number>>) =>
    `Wrote ${file} (${megabytes.toFixed(1)} MB): ${holds(counts)}.\nIt holds the keys of the site and what members wrote in private: keep it secret.`,
  removed: (files: readonly string[]) =>
    `Removed ${some(files.length, 'older backup', 'older backups')}: ${files.join(', ')}.`,

  noSuchFile: (file: string) => `There is no file ${file}.`,
  unreadable: (file: string, why: string) => `${file} cannot be read (${why}).`,
  notABackup: (file: string) => `${file} is no backup that npm run backup has written. Nothing was changed.`,
  damaged: (file: string, why: string) =>
    `${file} is damaged: ${why}. Nothing was changed. Take another copy of it, or an older backup.`,
  endsEarly: 'it ends too early',
  partDiffers: (part: string) => `${part} is not what was written into it`,
  partMissing: (part: string) => `${part} is missing`,
  newer: (file: string, version: string) =>
    `${file} was written by a newer version (${version}) than this one. Nothing was changed. Update the code first.`,
  otherEngine: (engine: 'sqlite' | 'postgres') =>
    engine === 'sqlite'
      ? 'This is a backup of a SQLite database, but DATABASE_URL names a PostgreSQL. Leave DATABASE_URL out to restore it.'
      : 'This is a backup of a PostgreSQL database, but DATABASE_URL names none. Set DATABASE_URL to an empty database on a PostgreSQL.',
  notEmpty: (what: string) =>
    `${what} is there already, and a restore overwrites nothing. Nothing was changed. Set DATA_DIR (or DATABASE_URL) to an empty place, or move away what is there.`,
  databaseNotEmpty: (tables: number) =>
    `The database that DATABASE_URL names has ${some(tables, 'table', 'tables')} already, and a restore overwrites nothing. Nothing was changed. Make an empty database (createdb) and name that.`,
  restoreFailed: (why: string) => `The restore failed: ${why}. Nothing was changed.`,
  differs: (table: string, there: number, expected: number) =>
    `of ${number(expected)} rows of ${table}, ${number(there)} arrived`,
  unknownColumn: (table: string, column: string) => `this version has no place for ${table}.${column}`,
  unknownTable: (table: string) => `this version has no table ${table}`,
  restored: (moment: string, counts: Readonly<Record<string, number>>, steps: number) =>
    [
      `Restored the site as it was at ${moment}: ${holds(counts)}.`,
      ...(steps > 0 ? [`The database was brought to the newest schema (${some(steps, 'step', 'steps')}).`] : []),
      'Next: npm run doctor looks it over; npm start builds the pages and serves them.',
    ].join('\n'),
  phases: {
    copying: 'Copying the database',
    packing: 'Packing',
    unpacking: 'Checking the file',
    loading: 'Loading the database',
  },
  bar: '{text} [{bar}] {percentage} %',
} as const;
