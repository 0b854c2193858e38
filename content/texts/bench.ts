interface Measurement {
  readonly name: string;
  readonly round: number;
  readonly rounds: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly refused: number;
}

interface Mismatch {
  readonly name: string;
  readonly accepted: number;
  readonly recordedVotes: number;
  readonly wrongCounters: readonly { counter: string; counted: number; expected: number }[];
}

/** What the benchmark says. */
export const benchTexts = {
  help: `Usage: npm run bench -- [votes] [pages] [build] [all] [options]

Measures this machine against references that run in the same rounds, and prints medians and ratios.

  votes            accepted votes per second over HTTP, on SQLite and PostgreSQL (the default)
  pages            pages per second of the site service, against nginx where it is installed
  build            time to build the site for 100, 1,000 and 10,000 closed polls and after one change
  all              all of them

  --rounds N       rounds that the medians are taken of (5)
  --seconds N      length of one measurement (3)
  --only TEXT      only candidates with TEXT in their name, and the ceiling
  --help           this text`,
  unknown: (word: string) => `There is no benchmark "${word}". Choose from votes, pages, build and all.`,
  ceiling: 'bare Koa (ceiling)',
  floor: (engine: string) => `${engine}: knex transaction a vote (floor)`,
  throughApi: (engine: string, polls: number) => `${engine}: API, ${polls === 1 ? 'one poll' : `${polls} polls`}`,
  throughSite: (engine: string, polls: number) =>
    `${engine}: through the site, ${polls === 1 ? 'one poll' : `${polls} polls`}`,
  columns: {
    votes: 'votes',
    perSecond: 'accepted/s',
    ofCeiling: 'of ceiling',
    timesFloor: '× floor',
    pages: 'pages',
    pagesPerSecond: 'pages/s',
    ofNginx: 'of best nginx',
    polls: 'closed polls',
    whole: 'first build, s',
    again: 'after one change, s',
    p50: 'p50 ms',
    p99: 'p99 ms',
  },
  heading: (part: string, date: string, cores: number, model: string) =>
    `\n${part}, ${date}, ${cores} cores (${model}), Node ${process.version}\n`,
  roundLine: ({ round, rounds, name, perSecond, p50, p99, refused }: Measurement) =>
    `round ${round}/${rounds}  ${name.padEnd(42)} ${Math.round(perSecond).toLocaleString('en').padStart(7)}/s` +
    `  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms${refused > 0 ? `  ${refused} refused` : ''}`,
  site: (encoding: string) => `site service, ${encoding}`,
  nginx: (encoding: string, workers: number | 'auto') =>
    `nginx, ${encoding}, ${workers === 'auto' ? 'a worker per core' : 'one worker'}`,
  buildingSite: (polls: number) => `building a site of ${polls} reports`,
  pagesMissing: (name: string, count: number) => `${name}: ${count} pages were not answered with 200`,
  buildLine: ({ polls, whole, again }: { polls: number; whole: number; again: number }) =>
    `${polls.toLocaleString('en').padStart(7)} closed polls: ${whole.toFixed(1)} s, after one change ${again.toFixed(1)} s`,
  exact: 'After every measurement: rows = counters = accepted votes.',
  mismatch: ({ name, accepted, recordedVotes, wrongCounters }: Mismatch) =>
    `${name}: ${accepted} votes were accepted, but ${recordedVotes} are recorded` +
    wrongCounters.map(({ counter, counted, expected }) => `; ${counter} says ${counted}, not ${expected}`).join(''),
} as const;
