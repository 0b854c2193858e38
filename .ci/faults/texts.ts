const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** What the fault harness says, to whoever works on the product. */
export const faultTexts = {
  help: `Usage: npm run faults -- [options]

Breaks things on purpose while people vote, and looks afterwards: no acknowledged vote is lost, counters equal rows, and
the site serves or says why. Ends with 1 when something did not hold.

  kills            each process is killed at moments of chance, on SQLite and PostgreSQL
  full-disk        no space is left: while people vote, and for builds, imports, backups and uploads (needs root)
  read-only        the data folder becomes read-only, and is so at a start (needs root)
  database         PostgreSQL is gone and comes back, or stands still
  slow-database    PostgreSQL is far away, or does not answer any more
  clock            the clock goes forward and back by an hour and a day
  release          files of the release are missing or damaged
  file             the SQLite file is damaged

  --rounds N       kills in all (100); the other scenarios are always run whole
  --only NAME      one scenario
  --seed N         brings back the moments of chance of another run (1)
  --proof          also writes the table into content/handbook/proof.md
  --help           this text`,
  bar: '{bar} {value}/{total}  {text}',
  step: (name: string, done: number, of: number, what: string) => `${name}  ${done}/${of}  ${what}`,
  unknown: (word: string, names: readonly string[]) =>
    `There is no scenario "${word}". Choose from ${names.join(', ')}.`,
  wrongNumber: (option: string, value: string) =>
    `--${option} is "${value}", but it takes a whole number from 1. Change it or leave it out.`,
  heading: (date: string, cores: number, model: string) => `faults, ${date}, ${cores} cores (${model})`,
  columns: {
    fault: 'what was done',
    rounds: 'rounds',
    acknowledged: 'votes acknowledged',
    lost: 'of them lost',
    refused: 'calls refused',
    slowest: 'longest wait, ms',
    verdict: 'verdict',
    shown: 'what was seen',
  },
  heldOne: 'held',
  brokenOne: (count: number) => `${count} ${count === 1 ? 'problem' : 'problems'}`,
  held: 'After every line: each acknowledged vote is a row, every counter is what its rows come to, and whoever was refused was told why.',
  problem: (scenario: string, fault: string, text: string) => `PROBLEM  ${scenario}, ${fault}: ${text}`,

  notHealthy: (said: string) => `The API did not become healthy. It said: ${said.slice(-600)}`,
  notShown: (said: string) => `The site showed no page. It said: ${said.slice(-600)}`,
  noVoteTaken: 'No vote was taken any more.',
  noRelease: (said: string) => `The site could not be built: ${said.slice(-600)}`,

  needsRoot: 'left out: mounting a disk needs root',
  notRefused: 'Votes were neither refused nor answered.',
  notRead: (path: string, status: number) => `${path} was answered ${status} meanwhile`,

  disk: {
    full: 'full disk under votes, SQLite',
    healthy: '/api/health says ok while votes are refused',
    command: (command: string) => `full disk: npm run ${command}`,
    upload: 'full disk: upload of polls',
    again: (ms: number) => `votes taken again ${seconds(ms)} after space was freed`,
    code: (code: number | null) => `it ended with ${code}, not with 1`,
    unclear: (said: string) => `it does not say that the disk is full: ${said.slice(-400)}`,
    answered: (status: number, body: string) => `it was answered ${status}: ${body.slice(0, 300)}`,
    leftOver: (what: string) => `left behind: ${what}`,
  },
  database: {
    gone: 'PostgreSQL ends at once and is started again',
    still: 'PostgreSQL stands still for 20 s',
    refusedAfter: (ms: number) => `a reading call was refused after ${seconds(ms)}`,
    again: (ms: number) => `votes taken ${seconds(ms)} after it was back`,
    signedOut: 'somebody who was signed in is not any more',
    slow: (ms: number) => `an answer took ${seconds(ms)}`,
  },
  slowDatabase: {
    far: (ms: number) => `PostgreSQL is ${ms} ms away`,
    silent: 'the network to PostgreSQL is silent for 22 s',
    grown: (megabytes: number) => `the API grew by ${megabytes.toFixed(0)} MB`,
  },
  readOnly: {
    under: 'the data folder becomes read-only under votes, SQLite',
    start: (command: string) => `read-only data folder: npm run ${command}`,
    unclear: (said: string) => `it does not say what is wrong: ${said.slice(-400)}`,
    noRepair: 'the disk could not be mounted again',
  },
  clock: {
    fault: (engine: string) => `the clock goes ahead and back by an hour and a day, ${engine}`,
    step: (engine: string, hours: number) => `${engine}, ${hours} h`,
    noVotes: (hours: number) => `no vote was taken with the clock ${hours} h ahead`,
    signedOut: (hours: number) => `somebody was signed out with the clock ${hours} h ahead`,
    reopened: 'a poll that had closed did not stay closed',
    strangeMoments: 'a vote was noted at a moment that no clock has shown',
  },
  release: {
    cut: (older: boolean) => `home page cut off, ${older ? 'an older release is there' : 'no older release'}`,
    garbled: (older: boolean) => `page garbled, ${older ? 'an older release is there' : 'no older release'}`,
    gone: (older: boolean) => `page missing, ${older ? 'an older release is there' : 'no older release'}`,
    brotli: 'one compressed copy of a page cut off',
    manifest: 'list of files cut off at the start',
    facts: 'facts of the release damaged at the start',
    dangling: 'link to the release leads nowhere',
    allGone: 'no release at all',
    noManifest: 'There is no list of files.',
    seen: (whole: number, refused: number) => `${whole} answers whole, ${refused} refused with a reason`,
    nothingLeft: 'hardly anything is served any more',
    notLogged: (said: string) => `the log does not say so: ${said.slice(-300)}`,
    broken: (address: string, encoding: string) => `${address} (${encoding}) was answered 200, but is not the page`,
    unclear: (address: string, status: number, text: string) =>
      `${address} was answered ${status}: ${text.slice(0, 160)}`,
  },
  file: {
    head: 'SQLite file: beginning overwritten',
    page: 'SQLite file: a page in the middle overwritten',
    cut: 'SQLite file: cut off in the middle',
    log: 'SQLite file: its log overwritten in the middle',
    empty: 'SQLite file: empty',
    text: 'SQLite file: a text in its place',
    sound: 'SQLite file: the sound one put back after kill -9',
    code: (command: string, code: number | null) => `npm run ${command} ended with ${code}, not with 1`,
    unclear: (command: string, said: string) => `npm run ${command} does not say what is wrong: ${said.slice(-300)}`,
    changed: (command: string) => `npm run ${command} changed the file`,
  },
  kills: {
    victims: { api: 'API service', site: 'site service', start: 'npm start', builder: 'builder' },
    fault: (victim: string, engine: string) => `kill -9 of the ${victim} under votes, ${engine}`,
    step: (victim: string, engine: string) => `${victim}, ${engine}`,
    back: {
      api: (ms: number) => `healthy again ${seconds(ms)} after the start at the latest`,
      site: (ms: number) => `pages again ${seconds(ms)} after the start at the latest`,
      start: (ms: number) => `both services let go of their ports within ${seconds(ms)}`,
      builder: (ms: number) => `the next builder held the job within ${seconds(ms)}`,
    },
    noPages: (status: number) => `the site answered ${status} to its home page`,
    notStarted: (said: string) => `npm start did not come up: ${said.slice(-600)}`,
    servicesStay: 'services went on after npm start had been killed',
    noBuild: (said: string) => `the build did not come about: ${said.slice(-600)}`,
    brokenRelease: (what: string) => `a release is not whole: ${what}`,
  },
} as const;
