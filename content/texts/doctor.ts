const number = (value: number) => value.toLocaleString('en');
const some = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`;
const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
const first = (names: readonly string[], count: number) =>
  `${names.slice(0, 3).join(', ')}${count > 3 ? ` and ${number(count - 3)} more` : ''}`;

/** What `npm run doctor` says to the operator. A finding says what is, and then what to do. */
export const doctorTexts = {
  usage: `Looks over an installation: settings, keys, disk, clock, database, counters, release.

  npm run doctor                     prints a line for each check, and what to do where something is wrong
  npm run doctor -- --json           prints the same as JSON
  npm run doctor -- --repair         also sets counters that are wrong to what the rows come to
  npm run doctor -- --help           shows this text

It changes nothing (but for --repair), and the site may run meanwhile; votes wait only while counters are set. A large
database takes some seconds. The command ends with 0 when there is no problem, warnings or not, and with 1 when there is.`,
  tooMany: (word: string) => `"${word}" is too much: the doctor takes options only (--help shows them).`,
  levels: { ok: 'ok', warning: 'warning', problem: 'problem' },
  summary: (problems: number, warnings: number) =>
    problems + warnings === 0
      ? 'All is well.'
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
    counters: 'counters',
    badges: 'badges',
    polls: 'polls',
    release: 'release',
  },
  failed: (why: string) => ({ text: `This could not be checked: ${why}`, advice: 'See to the other lines first.' }),

  settings: {
    ok: 'Every variable has a valid value.',
    wrong: { advice: 'It is set where the services get their environment. Restart them afterwards.' },
    localAddress: (address: string) => ({
      text: `This is production, but PUBLIC_URL is ${address}: links, feeds and shared addresses name this machine.`,
      advice: 'Set PUBLIC_URL to the address that visitors see.',
    }),
    plainAddress: (address: string) => ({
      text: `PUBLIC_URL is ${address}: passwords and cookies travel unencrypted.`,
      advice: 'Put a proxy with TLS before the site and set PUBLIC_URL to its https:// address.',
    }),
    noLimits: {
      text: 'RATE_LIMIT is off: anybody may guess passwords and send votes without limit.',
      advice: 'Leave RATE_LIMIT out, except in tests.',
    },
    unwritable: (folder: string, why: string) => ({
      text: `Nothing can be written into DATA_DIR, ${folder} (${why}).`,
      advice: 'Change its owner to the user who runs the services, or set DATA_DIR to another folder.',
    }),
    noFolder: (folder: string) => ({
      text: `There is no folder ${folder} yet (DATA_DIR).`,
      advice: 'npm start makes it; npm run restore -- FILE brings an installation back.',
    }),
  },
  keys: {
    ok: (file: string) => `${file} is there and nobody else can read it.`,
    fromEnvironment: 'Session keys and admin password come from the environment.',
    none: (file: string) => ({
      text: `There is no ${file} yet: session keys and the admin password are made at the first start.`,
      advice: 'npm start makes it.',
    }),
    open: (file: string, mode: string) => ({
      text: `Others on this machine can get at ${file} (mode ${mode}): whoever reads it can sign in as anybody.`,
      advice: `chmod 600 ${file}. If somebody may have read it, remove it: new keys are made and everybody signs in again.`,
    }),
    unreadable: (file: string, why: string) => ({
      text: `${file} cannot be used: ${why}.`,
      advice:
        'Run this as the user who runs the services, or restore the file from a backup. Without it new keys are made and everybody signs in again.',
    }),
    openDatabase: (file: string, mode: string) => ({
      text: `Others on this machine can read ${file} (mode ${mode}): email addresses and password hashes are in it.`,
      advice: `chmod 600 ${file}`,
    }),
  },
  disk: {
    ok: (free: number) => `${gigabytes(free)} are free.`,
    low: (free: number, wanted: number, folder: string) => ({
      text: `${gigabytes(free)} are free for ${folder}; builds and backups need up to ${gigabytes(wanted)}.`,
      advice: 'Make room, or move DATA_DIR to a larger disk.',
    }),
    full: (folder: string) => ({
      text: `The disk of ${folder} is full: votes are refused, and builds and backups fail.`,
      advice: 'Make room, or move DATA_DIR to a larger disk. The services go on without a restart.',
    }),
    noNames: (folder: string) => ({
      text: `The disk of ${folder} has room for few more files (inodes).`,
      advice: 'Remove what is not needed there, or move DATA_DIR to another disk.',
    }),
  },
  clock: {
    ok: (moment: string) => `It is ${moment}.`,
    behind: (moment: string, newest: string) => ({
      text: `This machine says it is ${moment}, but the database knows of ${newest}: polls would open and close at wrong times.`,
      advice: 'Set the clock by the network (timedatectl set-ntp true).',
    }),
    differs: (seconds: number) => ({
      text: `The clock of the database server differs by ${number(Math.round(seconds))} s.`,
      advice: 'Set both clocks by the network (timedatectl set-ntp true).',
    }),
  },
  database: {
    ok: (what: string, votes: number, bytes: number) =>
      `${what}: ${some(votes, 'vote', 'votes')}, ${(bytes / 1e6).toFixed(1)} MB.`,
    sqlite: (file: string) => `SQLite, ${file}`,
    postgres: (name: string, host: string) => `PostgreSQL, ${name} on ${host}`,
    none: (file: string) => ({
      text: `There is no database at ${file}.`,
      advice: 'npm start makes a new one. If there was one, restore a backup first: npm run restore -- FILE.',
    }),
    empty: {
      text: 'The database is empty.',
      advice: 'npm start fills it. If it should hold an installation, restore a backup first: npm run restore -- FILE.',
    },
    unreachable: (why: string) => ({
      text: `The database does not answer (${why}).`,
      advice: 'Check DATABASE_URL, and that the server runs and takes this user.',
    }),
  },
  schema: {
    ok: (steps: number) => `As the ${number(steps)} migrations make it.`,
    pending: (steps: number) => ({
      text: `${some(steps, 'migration', 'migrations')} of this version ${steps === 1 ? 'is' : 'are'} not in the database yet.`,
      advice: 'npm run migrate (npm start does it, too).',
    }),
    newer: (names: readonly string[]) => ({
      text: `The database was brought to a newer version than this code: it knows ${first(names, names.length)}.`,
      advice: 'Update the code, or restore the backup from before the update.',
    }),
    missing: (what: string) => ({
      text: `${what} is missing.`,
      advice:
        'Stop the services and restore a backup into an empty database; or create it again as its migration does.',
    }),
    changed: (what: string, there: string, expected: string) => ({
      text: `${what} is not as the migrations make it: it is "${there}", they make "${expected}".`,
      advice: 'Somebody changed the schema by hand. Change it back, or restore a backup into an empty database.',
    }),
    extra: (names: readonly string[]) => ({
      text: `Not made by the migrations: ${names.join(', ')}.`,
      advice: 'If you put it there, all is well; it may be in the way of later migrations.',
    }),
    notCompared: (why: string) => ({
      text: `The schema could not be compared (${why}).`,
      advice: 'The database user needs the right to create a schema, which is rolled back: grant create on database.',
    }),
  },
  rows: {
    ok: 'Every row has what it refers to.',
    orphans: (child: string, parent: string, count: number, examples: readonly string[]) => ({
      text: `${some(count, 'row', 'rows')} of ${child} without ${count === 1 ? 'its' : 'their'} ${parent}: ${first(examples, count)}.`,
      advice: 'Take a backup, then delete these rows; or restore a backup from before they lost it.',
    }),
    differs: (what: string, count: number, examples: readonly string[]) => ({
      text: `${what}: ${first(examples, count)}.`,
      advice: 'Take a backup, then correct these rows; or restore a backup from before.',
    }),
    pollWithoutTexts: 'Ballots without a poll',
    wrongKind: 'Polls whose ballot is of the other kind',
    copiedCategory: 'Community polls in a category other than their ballot’s',
    listedWrongly: 'Ballots that are listed although their community poll is not public, or the other way round',
  },
  counters: {
    ok: 'Every counter equals the rows behind it.',
    wrong: (count: number, examples: readonly string[]) => ({
      text: `${some(count, 'counter is', 'counters are')} wrong: ${examples.join('; ')}${count > examples.length ? '; …' : ''}.`,
      advice: 'npm run doctor -- --repair sets them to what the rows come to; then npm run build.',
    }),
    one: (counter: string, counted: number, expected: number) =>
      `${counter} ${counted < 0 ? '−' : ''}${number(Math.abs(counted))} instead of ${number(expected)}`,
    repaired: (count: number, examples: readonly string[]) =>
      `Set ${some(count, 'counter', 'counters')} to what the rows come to (${examples.join('; ')}${count > examples.length ? '; …' : ''}). npm run build brings it to the pages.`,
  },
  badges: {
    ok: (members: number) =>
      `Figures and badges of ${some(members, 'member', 'members')} are what their facts come to.`,
    wrong: (count: number, examples: readonly string[]) => ({
      text: `Figures of ${some(count, 'member', 'members')} are not what their facts come to: ${first(examples, count)}.`,
      advice: 'npm run badges -- recompute',
    }),
  },
  polls: {
    ok: 'No poll is open beyond its end.',
    closedBeforeStart: (count: number, examples: readonly string[]) => ({
      text: `${some(count, 'poll is', 'polls are')} closed and public, but not to start until later: ${first(examples, count)}.`,
      advice: 'Open them again in /admin, or import them again as active: they are then hidden until they start.',
    }),
    overdue: (count: number, examples: readonly string[]) => ({
      text: `${some(count, 'poll', 'polls')} should have closed by now: ${first(examples, count)}.`,
      advice: 'The API service closes polls: is it running? npm start, or see its log.',
    }),
  },
  release: {
    ok: (id: string, files: number) => `${id} is whole: ${some(files, 'file', 'files')}.`,
    none: {
      text: 'There is no release: visitors see that the site is being built.',
      advice: 'npm run build',
    },
    damaged: (id: string, count: number, examples: readonly string[]) => ({
      text: `${id}, which is served, is not whole: ${first(examples, count)}.`,
      advice:
        'npm run build makes a new one; until then npm run build -- --releases lists older ones, --use ID serves one.',
    }),
    lastFailed: (error: string) => ({
      text: `The last build failed: ${error}`,
      advice: 'Correct what it says, then npm run build. Visitors see the release before it.',
    }),
    missingFile: (file: string) => `${file} is missing`,
    otherSize: (file: string) => `${file} has another size`,
  },
} as const;
