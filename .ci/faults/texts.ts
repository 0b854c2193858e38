const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Messages of the fault-injection tests, for developers. */
export const faultTexts = {
  help: `Usage: npm run faults -- [options]

Injects faults while votes come in, then verifies that no acknowledged vote is lost, that counters equal rows, and that
the site serves pages or explains why it can’t. The exit code is 1 if anything failed.

  kills            kill each process at random moments, on SQLite and PostgreSQL
  full-disk        run out of disk space during votes, builds, imports, backups, and uploads (needs root)
  read-only        make the data folder read-only while running and at startup (needs root)
  database         stop and restart PostgreSQL, or freeze it
  slow-database    add latency to PostgreSQL, or make it stop responding
  clock            move the clock forward and back by an hour and a day
  release          delete or damage files of the release
  file             damage the SQLite file

  --rounds N       total number of kills (100); other scenarios always run in full
  --only NAME      run one scenario
  --seed N         random seed, to repeat a run (1)
  --proof          also write the table to content/handbook/proof.md
  --help           show this help`,
  bar: '{bar} {value}/{total}  {text}',
  step: (name: string, done: number, of: number, what: string) => `${name}  ${done}/${of}  ${what}`,
  unknown: (word: string, names: readonly string[]) => `Unknown scenario: ${word}. Choose from ${names.join(', ')}.`,
  wrongNumber: (option: string, value: string) =>
    `--${option} is “${value}”, but it must be a whole number, 1 or more.`,
  heading: (date: string, cores: number, model: string) => `faults, ${date}, ${cores} cores (${model})`,
  columns: {
    fault: 'fault',
    rounds: 'rounds',
    acknowledged: 'votes acknowledged',
    lost: 'lost',
    refused: 'calls refused',
    slowest: 'longest wait, ms',
    result: 'result',
    shown: 'observed',
  },
  heldOne: 'held',
  brokenOne: (count: number) => `${count} ${count === 1 ? 'problem' : 'problems'}`,
  heldToo: (faults: readonly string[]) => `Held, too, without votes: ${faults.join('; ')}.`,
  held: 'After every fault: each acknowledged vote is a row, every counter equals its rows, and every refusal gave a reason.',
  problem: (scenario: string, fault: string, text: string) => `PROBLEM  ${scenario}, ${fault}: ${text}`,

  notHealthy: (output: string) => `The API did not become healthy. Its output: ${output.slice(-600)}`,
  notShown: (output: string) => `The site served no page. Its output: ${output.slice(-600)}`,
  noVoteTaken: 'No more votes were accepted.',
  noRelease: (output: string) => `The site could not be built: ${output.slice(-600)}`,

  needsRoot: 'skipped: mounting a disk needs root',
  notRefused: 'Votes were neither refused nor answered.',
  notRead: (path: string, status: number) => `${path} returned ${status} in the meantime`,

  disk: {
    full: 'full disk under votes, SQLite',
    healthy: '/api/health says ok while votes are refused',
    command: (command: string) => `full disk: npm run ${command}`,
    upload: 'full disk: upload of polls',
    again: (ms: number) => `votes accepted again ${seconds(ms)} after space was freed`,
    code: (code: number | null) => `it exited with ${code}, not 1`,
    unclear: (output: string) => `it does not report that the disk is full: ${output.slice(-400)}`,
    answered: (status: number, body: string) => `it returned ${status}: ${body.slice(0, 300)}`,
    leftOver: (what: string) => `left behind: ${what}`,
  },
  database: {
    gone: 'PostgreSQL is stopped immediately and restarted',
    still: 'PostgreSQL freezes for 20 s',
    refusedAfter: (ms: number) => `a read was refused after ${seconds(ms)}`,
    again: (ms: number) => `votes accepted ${seconds(ms)} after it was back`,
    signedOut: 'someone who was signed in no longer is',
    slow: (ms: number) => `a response took ${seconds(ms)}`,
  },
  slowDatabase: {
    far: (ms: number) => `PostgreSQL has ${ms} ms of latency`,
    silent: 'the network to PostgreSQL is silent for 22 s',
    grown: (megabytes: number) => `the API grew by ${megabytes.toFixed(0)} MB`,
  },
  readOnly: {
    under: 'the data folder becomes read-only under votes, SQLite',
    start: (command: string) => `read-only data folder: npm run ${command}`,
    unclear: (output: string) => `it does not report what is wrong: ${output.slice(-400)}`,
    noRepair: 'the disk could not be remounted',
  },
  clock: {
    fault: (engine: string) => `the clock moves forward and back by an hour and a day, ${engine}`,
    step: (engine: string, hours: number) => `${engine}, ${hours} h`,
    noVotes: (hours: number) => `no vote was accepted with the clock ${hours} h ahead`,
    signedOut: (hours: number) => `someone was signed out with the clock ${hours} h ahead`,
    reopened: 'a closed poll did not stay closed',
    strangeMoments: 'a vote was recorded at a time that no clock showed',
  },
  release: {
    cut: 'home page truncated',
    garbled: 'page garbled',
    gone: 'page missing',
    brotli: 'one compressed copy of a page truncated',
    manifest: 'file list truncated at startup',
    facts: 'release metadata damaged at startup',
    dangling: 'symlink to the release is broken',
    allGone: 'no release at all',
    noManifest: 'There is no file list.',
    seen: (whole: number, refused: number) => `${whole} responses complete, ${refused} refused with a reason`,
    nothingLeft: 'hardly anything is still served',
    notLogged: (output: string) => `the log does not report it: ${output.slice(-300)}`,
    broken: (address: string, encoding: string) => `${address} (${encoding}) returned 200, but is not the page`,
    unclear: (address: string, status: number, text: string) => `${address} returned ${status}: ${text.slice(0, 160)}`,
  },
  file: {
    head: 'SQLite file: beginning overwritten',
    page: 'SQLite file: a page in the middle overwritten',
    cut: 'SQLite file: truncated in the middle',
    log: 'SQLite file: write-ahead log overwritten in the middle',
    empty: 'SQLite file: empty',
    text: 'SQLite file: replaced with a text file',
    sound: 'SQLite file: intact file put back after kill -9',
    code: (command: string, code: number | null) => `npm run ${command} exited with ${code}, not 1`,
    unclear: (command: string, output: string) =>
      `npm run ${command} does not report what is wrong: ${output.slice(-300)}`,
    changed: (command: string) => `npm run ${command} changed the file`,
  },
  kills: {
    victims: { api: 'API service', site: 'site service', start: 'npm start', builder: 'builder' },
    fault: (victim: string, engine: string) => `kill -9 of the ${victim} under votes, ${engine}`,
    step: (victim: string, engine: string) => `${victim}, ${engine}`,
    back: {
      api: (ms: number) => `healthy again within ${seconds(ms)} of restarting`,
      site: (ms: number) => `pages again within ${seconds(ms)} of restarting`,
      start: (ms: number) => `both services released their ports within ${seconds(ms)}`,
      builder: (ms: number) => `the next builder took the job within ${seconds(ms)}`,
    },
    noPages: (status: number) => `the home page returned ${status}`,
    notStarted: (output: string) => `npm start did not come up: ${output.slice(-600)}`,
    servicesStay: 'services kept running after npm start was killed',
    noBuild: (output: string) => `the build did not finish: ${output.slice(-600)}`,
    brokenRelease: (what: string) => `a release is incomplete: ${what}`,
  },
} as const;
