const number = (value: number) => value.toLocaleString('en-US');
const some = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;

/** What `npm run operate -- move` says to the operator. */
export const moveTexts = {
  usage: `Moves the site to another database: from SQLite to PostgreSQL, or back.

  npm run operate -- move postgres://USER:PASSWORD@HOST:PORT/DATABASE     from SQLite to an empty PostgreSQL database
  npm run operate -- move sqlite:FILE                                     from PostgreSQL to a new SQLite file
  npm run operate -- move --help                                          show this help

DATABASE_URL and DATA_DIR select the database to move. Stop the API services first (the site service may keep running),
and start them with the new DATABASE_URL when the command has finished. It copies every row, compares the row count and a
checksum of each table, and never changes the old database. The new one appears only when all is copied and compared: if a move fails or is
interrupted, run it again. Keys, pages, and uploads in the data folder stay where they are.`,
  noTarget: 'Missing target: npm run operate -- move postgres://USER:PASSWORD@HOST:PORT/DATABASE (see --help).',
  tooMany: (word: string) => `Unexpected argument: ${word}.`,
  wrongTarget: (scheme: string) =>
    `The target starts with “${scheme}”, but it must be postgres://USER:PASSWORD@HOST:PORT/DATABASE or sqlite:FILE.`,
  sameEngine: (engine: 'sqlite' | 'postgres') =>
    engine === 'sqlite'
      ? 'Both databases are SQLite files. Use npm run backup and npm run restore instead.'
      : 'Both databases are on PostgreSQL. Use npm run backup and npm run restore, or PostgreSQL’s own tools, instead.',
  inMemory: 'An in-memory database is lost when its process ends. Use a file instead.',
  noDatabase: (file: string) => `There is no database at ${file}, so there is nothing to move. Check DATA_DIR.`,
  neverMigrated: 'The database is empty, so there is nothing to move. Check DATABASE_URL and DATA_DIR.',
  older: 'The database has an older schema than this version. Run npm run migrate first, then move it.',
  inUse:
    'The database is in use. Stop the API services and all commands that use it, then run this command again. Nothing was changed.',
  targetUnreachable: (why: string) =>
    `The target database can’t be reached (${why}). Check its address, user, and password, and that the server is running. Nothing was changed.`,
  targetInUse: 'Another command is preparing the target database. Wait for it to finish. Nothing was changed.',
  fileExists: (file: string) =>
    `${file} already exists, and a move never overwrites anything. Nothing was changed. Choose another file, or move that one away.`,
  databaseNotEmpty: (tables: number) =>
    `The target database already has ${some(tables, 'table', 'tables')}, and a move never overwrites anything. Nothing was changed. Create an empty database (createdb) and use that.`,
  failed: (why: string) => `The move failed: ${why}. Nothing was changed, and the target is still empty.`,
  tableFailed: (table: string, why: string) => `${table} can’t be copied (${why})`,
  otherTables: (names: readonly string[]) => `only one of the databases has ${names.join(', ')}`,
  brokenReferences: 'rows refer to others that don’t exist (npm run doctor lists them)',
  differs: (lines: readonly string[]) =>
    `The copy differs from the original:\n${lines.map((line) => `  ${line}`).join('\n')}\nThe copy was discarded. Nothing was changed, and the target is still empty.`,
  otherCount: (table: string, there: number, expected: number) =>
    `${table}: of ${some(expected, 'row', 'rows')}, ${number(there)} arrived`,
  otherContent: (table: string, rows: number) =>
    `${table}: ${some(rows, 'row', 'rows')} arrived, but their checksum differs`,
  otherIds: (table: string, there: number, expected: number) =>
    `${table}: the last id given out is ${there}, not ${expected}`,
  moved: (options: { rows: number; tables: number; seconds: number; url: string; dataDir: string; old: string }) =>
    `Moved ${some(options.rows, 'row', 'rows')} in ${some(options.tables, 'table', 'tables')} in ${number(Math.ceil(options.seconds))} s. Row counts and checksums of all tables match.

Next, check these two settings, then start the services:
  DATABASE_URL=${options.url}
  DATA_DIR=${options.dataDir}   (unchanged: it holds the keys and the pages)

The old database (${options.old}) was not changed. Keep it until npm run doctor finds nothing wrong with the new one, then
delete it: it contains members’ private data.`,
  phases: {
    copying: 'Copying rows',
    indexing: 'Creating indexes',
    comparing: 'Comparing rows',
  },
  bar: '{text} [{bar}] {percentage} % ({value} of {total})',
} as const;
