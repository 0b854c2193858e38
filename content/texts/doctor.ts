const number = (value: number) => value.toLocaleString('en-US');
const some = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
const first = (names: readonly string[], count: number) =>
  `${names.slice(0, 3).join(', ')}${count > 3 ? `, and ${number(count - 3)} more` : ''}`;

/** Commands with which an operator follows advice: a restore needs an empty folder, and on PostgreSQL an empty database. */
const restoring =
  'restore a backup: with DATA_DIR set to an empty folder (and DATABASE_URL to an empty database), npm run restore -- BACKUP';
const secretsFrom = (dataDir: string) => `tar -xzf BACKUP -C ${dataDir} secrets.json`;
const moreRoom = (folder: string) =>
  `Free up space there, or stop the services, move ${folder} to a larger disk, and set DATA_DIR or DATABASE_URL to its new place.`;

/** Output of `npm run doctor`: each finding has a text, and advice where something is wrong. */
export const doctorTexts = {
  usage: `Checks settings, keys, disk, clock, database, counters, pages, and mail server.

  npm run doctor                     print one line per check, with advice for problems
  npm run doctor -- --json           print the same as JSON
  npm run doctor -- --repair         also correct wrong counters from the rows
  npm run doctor -- --help           show this help

It changes nothing without --repair and is safe to run while the site is up; votes wait only while counters are corrected.
A large database takes several seconds. The exit code is 0 if there are no problems (warnings don’t count), otherwise 1.`,
  tooMany: (word: string) => `Unexpected argument: ${word}. The doctor takes only options (see --help).`,
  levels: { ok: 'ok', warning: 'warning', problem: 'problem' },
  summary: (problems: number, warnings: number) =>
    problems + warnings === 0
      ? 'No problems found.'
      : `${[
          ...(problems > 0 ? [some(problems, 'problem', 'problems')] : []),
          ...(warnings > 0 ? [some(warnings, 'warning', 'warnings')] : []),
        ].join(', ')}.`,

  checks: {
    settings: 'settings',
    keys: 'keys',
    disk: 'disk',
    clock: 'clock',
    database: 'database',
    schema: 'schema',
    rows: 'rows',
    results: 'results',
    counters: 'counters',
    polls: 'polls',
    voteLog: 'vote log',
    pages: 'pages',
    mail: 'mail',
  },
  failed: (why: string) => ({
    text: `This could not be checked: ${why}`,
    advice: 'Fix the other problems first, then run npm run doctor again.',
  }),

  mail: {
    off: 'SMTP_URL is not set: this site sends no email.',
    ok: (host: string) => `The mail server ${host} accepts the connection and, where it asks for one, the sign-in.`,
    failed: (host: string, why: string) => ({
      text: `The mail server ${host} can’t be used: ${why}`,
      advice: 'Check SMTP_URL: host, port, name, and password. Mail waits and is tried again for 18 hours.',
    }),
  },

  settings: {
    ok: 'Every variable has a valid value.',
    wrong: { advice: 'Fix it in the services’ environment, then restart them.' },
    localAddress: (address: string) => ({
      text: `This is production, but PUBLIC_URL is ${address}: links, feeds, and shared addresses point to this machine.`,
      advice: 'Set PUBLIC_URL to the address visitors see.',
    }),
    plainAddress: (address: string) => ({
      text: `PUBLIC_URL is ${address}: passwords and cookies travel unencrypted.`,
      advice: 'Put a TLS proxy in front of the site and set PUBLIC_URL to its https:// address.',
    }),
    noLimits: {
      text: 'RATE_LIMIT is off: anyone can guess passwords and send votes without limit.',
      advice: 'Remove RATE_LIMIT, except in tests.',
    },
    unwritable: (folder: string, why: string) => ({
      text: `DATA_DIR, ${folder}, is not writable (${why}).`,
      advice: `Run this as the user who runs the services. If that user can’t write there either: chown -R USER ${folder}`,
    }),
    noFolder: (folder: string) => ({
      text: `The folder ${folder} does not exist yet (DATA_DIR).`,
      advice:
        'Check DATA_DIR if there used to be data. Otherwise npm start creates the folder, and npm run restore -- FILE restores a backup into it.',
    }),
  },
  keys: {
    ok: (file: string) => `${file} exists and nobody else can read it.`,
    fromEnvironment: 'The session keys, the voter key, and the admin password come from the environment.',
    none: (file: string) => ({
      text: `There is no ${file} yet: the session keys and the admin password are created at the first start.`,
      advice: 'npm start creates it.',
    }),
    open: (file: string, mode: string) => ({
      text: `Other users on this machine can access ${file} (mode ${mode}): anyone who reads it can sign in as any member.`,
      advice: `chmod 600 ${file}. If someone may have read it, set SESSION_KEYS=NEW, LOG_KEY=NEW,OLD, and a new ADMIN_PASSWORD, and restart the services (openssl rand -hex 32 makes a NEW; OLD is the logKey in the file). Don’t delete it: the site won’t start without its voter key.`,
    }),
    missing: (file: string, dataDir: string) => ({
      text: `${file} is missing, but there is data that was used with the keys in it.`,
      advice: `Check DATA_DIR, or restore the file from a backup: ${secretsFrom(dataDir)}. The site won’t start without its voter key.`,
    }),
    unreadable: (file: string, dataDir: string, why: string) => ({
      text: `${file} can’t be used: ${why}`,
      advice: `Run this as the user who runs the services, or restore the file from a backup: ${secretsFrom(dataDir)}. The site won’t start without its voter key.`,
    }),
    otherVoterKey: (dataDir: string) => ({
      text: 'The database was used with another voter key than the configured one: nobody who has voted would be recognized, and the site won’t start.',
      advice: `Set VOTER_KEY to the other key, or remove VOTER_KEY and restore secrets.json from a backup: ${secretsFrom(dataDir)}`,
    }),
    openDatabase: (file: string, mode: string) => ({
      text: `Other users on this machine can access ${file} (mode ${mode}), which contains email addresses and password hashes.`,
      advice: `chmod 600 ${file}`,
    }),
  },
  disk: {
    ok: (free: number) => `${gigabytes(free)} free.`,
    low: (free: number, wanted: number, folder: string) => ({
      text: `${gigabytes(free)} free for ${folder}; builds and backups need up to ${gigabytes(wanted)}.`,
      advice: moreRoom(folder),
    }),
    full: (folder: string) => ({
      text: `The disk of ${folder} is full: votes are being refused, and builds and backups are failing.`,
      advice: `${moreRoom(folder)} Once there is room, the services recover without a restart.`,
    }),
    noNames: (folder: string) => ({
      text: `The disk of ${folder} is almost out of inodes.`,
      advice: moreRoom(folder),
    }),
  },
  clock: {
    ok: (moment: string) => `The time is ${moment}.`,
    behind: (moment: string, newest: string) => ({
      text: `This machine’s clock says ${moment}, but the database already has an entry from ${newest}: polls would open and close at the wrong times.`,
      advice: 'Synchronize the clock over the network (timedatectl set-ntp true).',
    }),
    differs: (seconds: number) => ({
      text: `The database server’s clock is off by ${number(Math.round(seconds))} s.`,
      advice: 'Synchronize both clocks over the network (timedatectl set-ntp true).',
    }),
  },
  database: {
    ok: (what: string, votes: number, bytes: number) =>
      `${what}: ${some(votes, 'vote', 'votes')}, ${(bytes / 1e6).toFixed(1)} MB.`,
    sqlite: (file: string) => `SQLite, ${file}`,
    postgres: (name: string, host: string) => `PostgreSQL, ${name} on ${host}`,
    none: (file: string) => ({
      text: `There is no database at ${file}.`,
      advice: `If there used to be one, check DATABASE_URL and DATA_DIR, or ${restoring}. Otherwise npm start creates one.`,
    }),
    empty: {
      text: 'The database is empty.',
      advice: `If it should contain data, check DATABASE_URL and DATA_DIR, or ${restoring}. Otherwise npm start fills it.`,
    },
    before030: {
      text: 'The database is of a version before 0.3.0, and this version can update those of 0.3.0 only.',
      advice:
        'Install version 0.3.0 (CHANGELOG.md names its commit), run npm run migrate there, then update to this version.',
    },
    unreadable: (why: string) => ({
      text: `The database can’t be read (${why}).`,
      advice: 'Check DATABASE_URL and the log of the database, then run npm run doctor again.',
    }),
  },
  schema: {
    ok: (steps: number) => `Matches the ${number(steps)} migrations.`,
    pending: (steps: number) => ({
      text: `${some(steps, 'migration', 'migrations')} of this version ${steps === 1 ? 'has' : 'have'} not been applied yet.`,
      advice: 'Start the site or an API service, or run npm run migrate.',
    }),
    newer: (names: readonly string[]) => ({
      text: `The database is newer than this code: its migrations include ${first(names, names.length)}.`,
      advice: `Update the code, or go back to before the update: ${restoring}.`,
    }),
    missing: (what: string) => ({
      text: `${what} is missing.`,
      advice: `Stop the services, and recreate it as its migration in db/migrations does, or ${restoring}.`,
    }),
    changed: (what: string, there: string, expected: string) => ({
      text: `${what} doesn’t match the migrations: it is “${there}”, but should be “${expected}”.`,
      advice: `Someone changed the schema by hand. Change it back, or ${restoring}.`,
    }),
    extra: (names: readonly string[]) => ({
      text: `Not created by the migrations: ${names.join(', ')}.`,
      advice: 'If you added it yourself, that’s fine, but it may conflict with later migrations.',
    }),
    notCompared: (why: string) => ({
      text: `The schema could not be compared (${why}).`,
      advice: 'The check creates a schema and rolls it back: grant create on database NAME to USER.',
    }),
  },
  rows: {
    ok: 'Every row has the rows it refers to.',
    orphans: (child: string, parent: string, count: number, examples: readonly string[]) => ({
      text: `${some(count, 'row', 'rows')} of ${child} without ${count === 1 ? 'its' : 'their'} ${parent}: ${first(examples, count)}.`,
      advice: `Take a backup, then delete these rows and run npm run doctor -- --repair, or use a backup from before the others were lost: ${restoring}.`,
    }),
    differs: (what: string, count: number, examples: readonly string[]) => ({
      text: `${what}: ${first(examples, count)}.`,
      advice: `Take a backup, then correct these rows and run npm run doctor -- --repair, or use an earlier backup: ${restoring}.`,
    }),
    pollWithoutTexts: 'Ballots without a poll',
    wrongKind: 'Polls whose ballot has the wrong type',
    copiedCategory: 'Community polls whose category differs from their ballot’s',
    listedWrongly: 'Ballots that are listed although their community poll is not public, or vice versa',
  },
  counters: {
    ok: 'Every counter equals the rows behind it.',
    wrong: (count: number, examples: readonly string[]) => ({
      text: `${some(count, 'counter is', 'counters are')} wrong: ${examples.join('; ')}${count > examples.length ? '; …' : ''}.`,
      advice: 'Run npm run doctor -- --repair to recalculate them, then npm run build.',
    }),
    refused: (count: number, examples: readonly string[]) => ({
      text: `${some(count, 'counter is', 'counters are')} wrong (${examples.join('; ')}${count > examples.length ? '; …' : ''}), and nothing was corrected: the votes themselves differ from the log.`,
      advice: 'Correct the votes first, as advised for the results.',
    }),
    one: (counter: string, counted: number, expected: number) =>
      `${counter} ${counted < 0 ? '−' : ''}${number(Math.abs(counted))} instead of ${number(expected)}`,
    repaired: (count: number, examples: readonly string[]) =>
      `Recalculated ${some(count, 'counter', 'counters')} (${examples.join('; ')}${count > examples.length ? '; …' : ''}). Run npm run build to update the pages.`,
  },
  results: {
    ok: 'Votes, counters, and pages match the logs.',
    differ: (count: number, example: string) => ({
      text: `${count === 1 ? 'The result of 1 poll doesn’t' : `The results of ${number(count)} polls don’t`} match the log, such as ${example}`,
      advice: `Somebody or something changed the database. Find out who can write to it, keep a copy of it, and ${restoring}.`,
    }),
    site: (problem: string) => ({
      text: problem,
      advice: `Unless you have just put an older database there yourself: keep a copy of it, find out who can write to it, and ${restoring}.`,
    }),
  },
  voteLog: {
    ok: 'Every vote is in the log, and its key is configured.',
    otherKey: (dataDir: string) => ({
      text: 'The vote log was signed with a key that is not configured, so nothing can be added to it.',
      advice: `Restore secrets.json from a backup (${secretsFrom(dataDir)}) and remove LOG_KEY, or set LOG_KEY to the key. A new key can only follow the old one: LOG_KEY=NEW,OLD.`,
    }),
    late: (polls: number, seconds: number) => ({
      text: `The vote log is behind: ${some(polls, 'poll is', 'polls are')} waiting for a checkpoint or to be closed, and the oldest vote not yet in it is ${Math.round(seconds / 60)} minutes old.`,
      advice:
        'Read the log of the API services for “the vote log could not be updated”. Votes are safe in the meantime.',
    }),
    witness: (name: string, since: string, problem: string) => ({
      text: `The witness ${name} has not cosigned the vote log since ${since}. ${problem}`,
      advice:
        'It is asked again by itself, at the latest after an hour. Check its address in WITNESSES, or ask its operator.',
    }),
    problems: (count: number, example: string) => ({
      text: `The vote log of ${some(count, 'poll', 'polls')} can’t be continued or closed, such as ${example}`,
      advice:
        'Compare the counters above. If votes were deleted or changed, restore them from a backup; the log then closes itself.',
    }),
  },
  polls: {
    ok: 'No poll is open past its end.',
    closedBeforeStart: (count: number, examples: readonly string[]) => ({
      text: `${some(count, 'poll is', 'polls are')} closed and public, but not to start until later: ${first(examples, count)}.`,
      advice: 'Open them again in /admin, or import them again as active: they are then hidden until they start.',
    }),
    overdue: (count: number, examples: readonly string[]) => ({
      text: `${some(count, 'poll', 'polls')} should have closed by now: ${first(examples, count)}.`,
      advice: 'The API service closes polls. Make sure it is running (npm start), or check its log.',
    }),
  },
  pages: {
    ok: (build: string, pages: number) => `Build ${build} is complete: ${some(pages, 'page', 'pages')}.`,
    none: {
      text: 'No page was published: visitors see a page saying that the site is being built.',
      advice: 'npm run build',
    },
    damaged: (build: string, count: number, examples: readonly string[]) => ({
      text: `Build ${build}, which is served, is incomplete: ${first(examples, count)}.`,
      advice: 'Run npm run build -- --force to render every page again.',
    }),
    lastFailed: (error: string) => ({
      text: `The last publish failed: ${error}`,
      advice: 'Fix the reported problem, then run npm run build. Visitors see the previous pages.',
    }),
    paused: (count: number, since: string) => ({
      text: `Publishing has been paused since ${since}${count === 0 ? '' : `, and ${some(count, 'change waits', 'changes wait')}`}.`,
      advice: 'npm run build -- --resume publishes what waits.',
    }),
    missing: (file: string) => `${file} is missing`,
    unreadable: (file: string) => `${file} is damaged`,
  },
} as const;
