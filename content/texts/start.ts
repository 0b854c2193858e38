/** What the commands that start and stop services say, to the operator. */
export const startTexts = {
  portTaken: (variable: string, port: number) =>
    `${variable} is ${port}, but another program listens on that port. Stop it, or set ${variable} to another port.`,
  portRefused: (variable: string, port: number) =>
    `${variable} is ${port}, but this user may not listen on that port. Set ${variable} to a port above 1023.`,
  hostUnknown: (variable: string, host: string) =>
    `${variable} is "${host}", but this machine has no such address. Change it or leave it out.`,
  dataDirRefused: (folder: string, why: string) =>
    `DATA_DIR is "${folder}", but nothing can be written there (${why}). Choose another folder or change its owner.`,
  databaseUnreachable: (why: string) =>
    `The database does not answer (${why}). Check DATABASE_URL and that the server runs.`,
  databaseAwaited: (why: string, seconds: number) =>
    `The database does not answer yet (${why}). Waiting for it for up to ${seconds} s.`,
  databaseRefused: (why: string) =>
    `The database server answers but lets nobody in (${why}). Check user, password and database name in DATABASE_URL.`,
  databaseFileRefused: (why: string) =>
    `The database file cannot be opened for writing (${why}). Check DATA_DIR or DATABASE_URL, and who owns the file.`,
  databaseNewer: (names: readonly string[]) =>
    `The database was brought up to date by a newer version of this program (${names.join(', ')}), which this one does not know. Start the newer version, or restore a backup from before.`,
  databaseDamaged: (why: string) =>
    `The database file is damaged (${why}). Stop the services, copy the file with its -wal and -shm to a safe place, and run npm run doctor, which changes nothing and says what to do next.`,
  databaseHasNoRoom: (why: string) =>
    `The database cannot write (${why}). Make room on its disk, or see why nothing can be written there, and start again.`,

  preparing: 'Preparing the database',
  demonstration: 'Loading demonstration polls',
  building: (reason: string) => `Building the site: ${reason}.`,
  buildFailed: 'The site could not be built; the reason is above. Correct it and start again.',
  olderRelease: 'The site could not be built; the reason is above. The older release is served.',
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
    `  Admin        ${password}\n               This password is shown once; only its hash is kept.`,
  apiAwaited:
    'The API does not answer yet (API_ORIGIN). Pages are served; votes and whatever else needs the API fail until it does',
  noRelease: 'there is no release yet; pages say that the site is being built (npm run build makes one)',
  stopping: 'Stopping: what has begun is finished first. Press Ctrl+C again to end at once.',
  howToStop: '\n  Press Ctrl+C to stop.\n',
  newAdminPassword: (password: string) => `The admin password is ${password} (shown once; only its hash is kept).`,
  serviceEnded: (name: string, seconds: number) => `The ${name} service ended; it is started again in ${seconds} s.`,
  migrated: (count: number) =>
    count === 0 ? 'The database has the newest schema.' : `The database has the newest schema now (${count} steps).`,

  startHelp: `npm start   serve the site and the API

Migrates the database, loads demonstration polls when it is empty (DEMO_DATA), builds the site when there is no release
or code, content or settings have changed, and starts both services. A service that ends is started again. SIGINT and
SIGTERM stop everything cleanly. Settings come from the environment; .env.example lists them.`,
  apiHelp: `npm run api   the API service alone, on API_HOST (the loopback address unless set) and API_PORT

It brings the database to the newest schema before it listens, closes polls at their end time, and builds the site when
something has changed. Any number of them may start at the same time on one PostgreSQL.`,
  siteHelp: `npm run site   the site service alone, on HOST and PORT

Serves the current release of DATA_DIR, forwards /api to API_ORIGIN, and takes up new releases by itself.`,
  devHelp: `npm run dev   both services for working on the code, with reload

The API restarts when a file changes (API_PORT); Astro's development server shows pages (PORT) from a snapshot that is
taken at the start, and forwards /api.`,
  migrateHelp: `npm run migrate   bring the database to the newest schema

Safe to run at any time and by several processes; DATABASE_URL or DATA_DIR says which database.`,
} as const;
