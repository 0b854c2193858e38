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

interface UploadLine {
  readonly round: number;
  readonly rounds: number;
  readonly engine: string;
  readonly seconds: number;
  readonly megabytes: number;
  readonly before: number;
  readonly during: number;
  readonly ratio: number;
  readonly p99: number;
}

/** Which polls are voted on, in the words of the addresses. */
type VotedOn = 'polls' | 'community-polls';

const pollsOf = (on: VotedOn, count: number) =>
  `${count === 1 ? 'one' : count} ${on === 'polls' ? '' : 'community '}${count === 1 ? 'poll' : 'polls'}`;

/** What the benchmark says. */
export const benchTexts = {
  help: `Usage: npm run bench -- [votes] [community] [lists] [profile] [pages] [build] [upload] [all] [options]

Measures this machine against references that run in the same rounds, and prints medians and ratios.

  votes            accepted votes per second over HTTP, on SQLite and PostgreSQL (the default)
  community        the same on community polls, beside the same references
  lists            milliseconds of pages among 100,000 community polls and 10,000 comments, in the database and over HTTP
  profile          milliseconds of a member's pages with 100,000 activities, beside a newcomer's, and of one more fact
  pages            pages per second of the site service, against nginx where it is installed
  build            time to build the site for 100, 1,000 and 10,000 closed polls and after one change
  upload           memory that the largest upload takes, and votes accepted meanwhile (Linux only)
  all              all of them

  --rounds N       rounds that the medians are taken of (5)
  --seconds N      length of one measurement (3)
  --only TEXT      only candidates with TEXT in their name, and the ceiling
  --polls N        community polls that lists are measured with (100000)
  --comments N     comments on one of them (10000)
  --activities N   activities of the member whose profile is measured (100000)
  --proof          also writes the tables into content/handbook/proof.md
  --help           this text`,
  noSection: (name: string) =>
    `content/handbook/proof.md has no section "${name}". Put <!-- begin ${name} --> and <!-- end ${name} --> where it belongs.`,
  unknown: (word: string) =>
    `There is no benchmark "${word}". Choose from votes, community, lists, profile, pages, build, upload and all.`,
  wrongNumber: (option: string, value: string) =>
    `--${option} is "${value}", but it takes a whole number from 1. Change it or leave it out.`,
  ceiling: 'bare Koa (ceiling)',
  floor: (engine: string) => `${engine}: knex transaction a vote (floor)`,
  throughApi: (engine: string, on: VotedOn, count: number) => `${engine}: API, ${pollsOf(on, count)}`,
  throughSite: (engine: string, on: VotedOn, count: number) => `${engine}: through the site, ${pollsOf(on, count)}`,
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
    `round ${round}/${rounds}  ${name.padEnd(50)} ${Math.round(perSecond).toLocaleString('en').padStart(7)}/s` +
    `  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms${refused > 0 ? `  ${refused} refused` : ''}`,
  site: (encoding: string) => `site service, ${encoding}`,
  nginx: (encoding: string, workers: number | 'auto') =>
    `nginx, ${encoding}, ${workers === 'auto' ? 'a worker per core' : 'one worker'}`,
  buildingSite: (polls: number) => `building a site of ${polls} reports`,
  pagesMissing: (name: string, count: number) => `${name}: ${count} pages were not answered with 200`,
  buildLine: ({ polls, whole, again }: { polls: number; whole: number; again: number }) =>
    `${polls.toLocaleString('en').padStart(7)} closed polls: ${whole.toFixed(1)} s, after one change ${again.toFixed(1)} s`,
  profile: {
    call: 'GET /api/user/profile',
    summary: 'GET /api/user/summary',
    activities: 'GET /api/user/activities',
    days: 'GET /api/user/activity-days',
    badges: 'GET /api/user/badges',
    fact: 'one more fact, counted',
    columns: {
      call: 'call',
      newcomer: 'newcomer, ms',
      veteran: (activities: number) => `after ${activities.toLocaleString('en')} activities, ms`,
      ratio: 'ratio',
    },
    line: ({ name, young, old }: { name: string; young: number; old: number }) =>
      `${name.padEnd(40)} newcomer ${young.toFixed(2).padStart(6)} ms  after a long life ${old.toFixed(2).padStart(6)} ms`,
    verdict: (slowest: number, most: number) =>
      slowest < most
        ? `The profile took under ${most} ms; at most ${slowest.toFixed(2)} ms.`
        : `The profile took ${slowest.toFixed(2)} ms, more than the ${most} ms that it may.`,
  },
  lists: {
    first: 'first page of polls',
    offset: (offset: number) => `polls from ${offset.toLocaleString('en')} on`,
    category: (name: string) => `first page of ${name}`,
    featured: 'featured polls',
    comments: (page: number) => (page === 1 ? 'newest comments of a poll' : `page ${page} of its comments`),
    makingPolls: (engine: string) => `${engine}: storing polls`,
    makingComments: (engine: string) => `${engine}: storing comments`,
    bar: '{text} [{bar}] {percentage} %',
    columns: { page: 'page', database: 'database ms', http: 'HTTP ms', p99: 'HTTP p99 ms' },
    line: ({ name, database, http, p99 }: { name: string; database: number; http: number; p99: number }) =>
      `${name.padEnd(42)} database ${database.toFixed(2).padStart(6)} ms  HTTP ${http.toFixed(2).padStart(6)} ms  p99 ${p99.toFixed(2)} ms`,
    empty: (name: string) => `${name}: nothing was found, so nothing was measured.`,
    refused: (name: string, count: number) => `${name}: ${count} pages were not answered with 200.`,
    verdict: (slowest: number, most: number) =>
      slowest < most
        ? `Every page took under ${most} ms in the database; the slowest took ${slowest.toFixed(2)} ms.`
        : `TOO SLOW: a page took ${slowest.toFixed(2)} ms in the database; it may take ${most} ms.`,
  },
  upload: {
    name: 'votes around an upload',
    columns: {
      engine: '50,000 rows, 20 MB, while votes arrive',
      seconds: 'upload s',
      growth: 'memory +MB',
      before: 'votes/s before',
      during: 'votes/s meanwhile',
      ratio: 'ratio',
      p99: 'p99 ms meanwhile',
    },
    line: (one: UploadLine) =>
      `round ${one.round}/${one.rounds}  ${one.engine.padEnd(10)}  ${one.seconds.toFixed(1)} s  +${one.megabytes.toFixed(0)} MB` +
      `  votes ${Math.round(one.before).toLocaleString('en')}/s before, ${Math.round(one.during).toLocaleString('en')}/s meanwhile` +
      ` (${one.ratio.toFixed(2)})  p99 ${one.p99.toFixed(0)} ms`,
    refused: (status: number, message: string) => `The upload was answered ${status}: ${message}`,
  },
  exact: 'After every measurement: rows = counters = accepted votes.',
  mismatch: ({ name, accepted, recordedVotes, wrongCounters }: Mismatch) =>
    `${name}: ${accepted} votes were accepted, but ${recordedVotes} are recorded` +
    wrongCounters.map(({ counter, counted, expected }) => `; ${counter} says ${counted}, not ${expected}`).join(''),
} as const;
