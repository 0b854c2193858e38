/** Messages of the commands that start and stop services. */
export const startTexts = {
  portTaken: (variable: string, port: number) =>
    `${variable} is ${port}, but another program is using that port. Stop it, or set ${variable} to another port.`,
  portRefused: (variable: string, port: number) =>
    `${variable} is ${port}, but this user isn’t allowed to listen on that port. Set ${variable} to a port above 1023.`,
  hostUnknown: (variable: string, host: string) =>
    `${variable} is “${host}”, but this machine has no such address. Change it or remove it.`,
  dataDirRefused: (folder: string, why: string) =>
    `DATA_DIR is “${folder}”, but that folder is not writable (${why}). Change its owner to the user who runs this; only a new site can simply use another folder.`,
  databaseProblems: {
    unreachable: (why: string) => ({
      text: `The database is not responding (${why}).`,
      advice: 'Check DATABASE_URL and make sure the server is running.',
    }),
    refused: (why: string) => ({
      text: `The database server rejected the login (${why}).`,
      advice: 'Check the user, password, and database name in DATABASE_URL.',
    }),
    fileRefused: (why: string) => ({
      text: `The database file can’t be opened (${why}).`,
      advice: 'Check DATA_DIR or DATABASE_URL, and the file’s owner.',
    }),
    noRoom: (why: string) => ({
      text: `The database can’t write (${why}).`,
      advice: 'Free up space on its disk or check why it isn’t writable, then try again.',
    }),
    diskFull: (why: string) => ({
      text: `A disk has no room left or is read-only (${why}).`,
      advice: 'Free up space or check why it isn’t writable, then try again.',
    }),
    damaged: (why: string) => ({
      text: `The database file is damaged (${why}).`,
      advice:
        'Stop the services, copy the file with its -wal and -shm files to a safe place, and run npm run doctor, which changes nothing and tells you what to do next.',
    }),
  },
  databaseAwaited: (why: string, seconds: number) =>
    `The database is not responding yet (${why}). Waiting up to ${seconds} s.`,
  databaseNewer: (names: readonly string[]) =>
    `The database was migrated by a newer version of this program (unknown here: ${names.join(', ')}). Start the newer version, or restore a backup from before the migration.`,
  databaseBefore030:
    'The database is of a version before 0.3.0, and this version can update those of 0.3.0 only. Nothing was changed. Install version 0.3.0 (CHANGELOG.md names its commit), run npm run migrate, then update to this version.',

  preparing: 'Preparing the database',
  demonstration: 'Loading demo polls',
  building: (reason: string) => `Publishing the site: ${reason}.`,
  buildFailed: 'The site could not be published; the reason is above. Fix it and start again.',
  olderPages: 'The site could not be published; the reason is above. The previous pages are still being served.',
  ready: (facts: { siteName: string; address: string; dataDir: string; database: string }) =>
    [
      '',
      `  ${facts.siteName} is ready.`,
      '',
      `  Address      ${facts.address}`,
      `  Data folder  ${facts.dataDir}`,
      `  Database     ${facts.database}`,
    ].join('\n'),
  adminPassword: (password: string) =>
    `  Admin        ${password}\n               This password is shown only once; only its hash is stored.`,
  apiAwaited:
    'The API is not responding yet (API_ORIGIN). Pages are being served, but voting and everything else that needs the API will fail until it responds',
  noPages: 'no page is published yet; pages say that the site is being built (to create one, run npm run build)',
  stopping: 'Stopping after pending requests finish. Press Ctrl+C again to stop immediately.',
  howToStop: '\n  Press Ctrl+C to stop.\n',
  newAdminPassword: (password: string) =>
    `The admin password is ${password} (shown only once; only its hash is stored).`,
  serviceEnded: (name: string, seconds: number) => `The ${name} service stopped; restarting it in ${seconds} s.`,
  siteProcessEnded: (seconds: number) => `A process of the site service stopped; restarting it in ${seconds} s.`,
  migrated: (count: number) =>
    count === 0
      ? 'The database is up to date.'
      : `The database is now up to date (${count} ${count === 1 ? 'migration' : 'migrations'} applied).`,
  secretsMissing: (file: string, folder: string) =>
    `${file} is missing, but the database was used with the keys in it. Nothing was changed. Check DATA_DIR, or restore the file: tar -xzf BACKUP -C ${folder} secrets.json (or copy it from another machine, or set VOTER_KEY and LOG_KEY).`,
  otherVoterKey:
    'The database was used with another voter key, without which nobody who has voted would be recognized. Copy secrets.json from the data folder of the other machine or from a backup, or set VOTER_KEY to the key in it.',
  searchIndex: 'Building the search index',
  bar: '{text} [{bar}] {percentage} %',

  startHelp: `npm start   serve the site and the API

Migrates the database, loads demo polls if it is empty (DEMO_DATA), publishes the site if it never was or if code,
content, or settings have changed, and starts both services. A service that stops is restarted. SIGINT and SIGTERM stop
everything cleanly. Settings come from the environment; .env.example lists them.`,
  apiHelp: `npm run api   run only the API service, on API_HOST (default: the loopback address) and API_PORT

It migrates the database before it starts listening, closes polls at their end time, and publishes
changes. Any number of API services can start at the same time on one PostgreSQL.`,
  siteHelp: `npm run site   run only the site service, on HOST and PORT, in SITE_PROCESSES processes

Serves the published pages from DATA_DIR, and forwards /api to API_ORIGIN.`,
  devHelp: `npm run dev   run both services for development, with reload

The API (API_PORT) restarts when a file changes. Astro’s development server (PORT) renders pages from the
database, and forwards /api.`,
  buildCodeHelp: `node api/commands/build-code.ts   build the code of the site as part of a container image

Without it, the first start builds the code, which takes some ten seconds and half a gigabyte of memory.`,
  codeBuilt: (id: string) => `Built the code ${id}.`,
  migrateHelp: `npm run migrate   update the database to the latest schema

Safe to run at any time, even from several processes at once. DATABASE_URL or DATA_DIR selects the database.`,
} as const;

/** Output of `npm run operate`. */
export const operateTexts = {
  help: `Usage: npm run operate -- COMMAND …

What an operator rarely needs; each explains itself with --help.

  accounts         password reset links for members, signing a member out, removing a picture or passkeys
  admin-password   turns the shared admin password on or off, when no owner can sign in
  badges           lists badges and holders, recalculates badges
  community        features public community polls, or stops featuring them
  content          moves articles and pages between the database and files
  moderate         lists reports, and decides about comments, community polls, and members, with a reason
  move             copies the site to another database: from SQLite to PostgreSQL, or back`,
  unknown: (name: string) => `There is no command “${name}”.`,
} as const;
