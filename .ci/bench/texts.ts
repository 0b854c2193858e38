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

interface BuildLine {
  readonly round: number;
  readonly rounds: number;
  readonly polls: number;
  readonly whole: number;
  readonly again: number;
  /** Where memory can be told. */
  readonly megabytes: number | null;
}

interface MixedLine {
  readonly round: number;
  readonly rounds: number;
  readonly engine: string;
  /** Requests a second. */
  readonly alone: number;
  readonly mixed: number;
}

interface LiveLine {
  readonly round: number;
  readonly rounds: number;
  readonly engine: string;
  readonly answered: number;
  readonly due: number;
  readonly p99: number;
  readonly without: number;
  readonly beside: number;
}

interface ScaleLine {
  readonly name: string;
  readonly database: number;
  readonly databaseP99: number;
  readonly http: number;
  readonly httpP99: number;
}

/** Where, when and how often something was measured. */
interface Heading {
  readonly part: string;
  readonly date: string;
  readonly cores: number;
  readonly model: string;
  readonly rounds: number;
}

/** Which polls are voted on, in the words of the addresses. */
type VotedOn = 'polls' | 'community-polls';

const pollsOf = (on: VotedOn, count: number) =>
  `${count === 1 ? 'one' : count} ${on === 'polls' ? '' : 'community '}${count === 1 ? 'poll' : 'polls'}`;

/** What the benchmark says. */
export const benchTexts = {
  help: `Usage: npm run bench -- [PART …] [options]

Measures this machine against references that run in the same rounds, and prints medians and ratios.

  votes            accepted votes per second over HTTP, on SQLite and on PostgreSQL with 1, 2 and 4 API processes (the default)
  community        the same on community polls, with one API process, beside the same references
  mixed            90% pages, 8% reads of the API and 2% votes through the site service, beside pages alone
  live             open pages of polls that ask for news every 30 seconds, beside votes
  lists            milliseconds of pages among 100,000 community polls and 10,000 comments, in the database and over HTTP
  profile          milliseconds of a member's pages with 100,000 activities, beside a newcomer's, and of one more fact
  scale            milliseconds of calls and a vote at 1,000,000 polls, 10,000,000 votes and 100,000 members (8 GB of disk)
  pages            pages per second of the site service, against nginx where it is installed
  build            time and memory to build the site for 100, 1,000 and 10,000 closed polls and after one change
  upload           memory that the largest upload takes, and votes accepted meanwhile (Linux only)
  all              all of them

  --rounds N       rounds that the medians are taken of (5)
  --seconds N      length of one measurement (3)
  --only TEXT      only candidates with TEXT in their name, and the ceiling
  --open-pages N   pages that are open (2000)
  --open-seconds N seconds for which they ask in one round (30)
  --polls N        community polls that lists are measured with (100000), and all polls of scale (1000000)
  --votes N        votes of scale (10000000)
  --users N        members of scale (100000)
  --comments N     comments on one of the lists' polls (10000)
  --activities N   activities of the member whose profile is measured (100000)
  --sizes N,N,…    closed polls that sites are built of (100,1000,10000); 100000 takes many minutes and 7 GB of
                   disk, and has one round
  --proof          also writes the tables into content/handbook/proof.md
  --help           this text`,
  noSection: (name: string) =>
    `content/handbook/proof.md has no section "${name}". Put <!-- begin ${name} --> and <!-- end ${name} --> where it belongs.`,
  unknown: (word: string) =>
    `There is no benchmark "${word}". Choose from votes, community, mixed, live, lists, profile, scale, pages, build, upload and all.`,
  wrongSizes: (value: string) =>
    `--sizes is "${value}", but it takes whole numbers from 1 with commas between them. Change it or leave it out.`,
  wrongNumber: (option: string, value: string) =>
    `--${option} is "${value}", but it takes a whole number from 1. Change it or leave it out.`,
  ceiling: 'bare Koa (ceiling)',
  floor: (engine: string) => `${engine}: knex transaction a vote (floor)`,
  throughApi: (engine: string, on: VotedOn, count: number) => `${engine}: API, ${pollsOf(on, count)}`,
  throughProcesses: (engine: string, on: VotedOn, count: number, processes: number) =>
    `${engine}: ${processes} API processes, ${pollsOf(on, count)}`,
  throughSite: (engine: string, on: VotedOn, count: number) => `${engine}: through the site, ${pollsOf(on, count)}`,
  columns: {
    votes: 'votes',
    perSecond: 'accepted/s',
    ofCeiling: 'of ceiling',
    timesFloor: '× floor',
    pages: 'pages',
    pagesPerSecond: 'pages/s',
    ofNginx: 'of best nginx',
    p50: 'p50 ms',
    p99: 'p99 ms',
  },
  heading: ({ part, date, cores, model, rounds }: Heading) =>
    `\n${part}, ${date}, ${cores} cores (${model}), Node ${process.version}, ` +
    `${rounds === 1 ? 'one round' : `medians of ${rounds} rounds`}\n`,
  roundLine: ({ round, rounds, name, perSecond, p50, p99, refused }: Measurement) =>
    `round ${round}/${rounds}  ${name.padEnd(50)} ${Math.round(perSecond).toLocaleString('en').padStart(7)}/s` +
    `  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms${refused > 0 ? `  ${refused} refused` : ''}`,
  site: (encoding: string) => `site service, ${encoding}`,
  nginx: (encoding: string, workers: number | 'auto') =>
    `nginx, ${encoding}, ${workers === 'auto' ? 'a worker per core' : 'one worker'}`,
  buildingSite: (polls: number) => `building a site of ${polls} reports`,
  pagesMissing: (name: string, count: number) => `${name}: ${count} pages were not answered with 200`,
  nothing: (only: string) => `No engine has "${only}" in its name. Choose --only SQLite or --only PostgreSQL.`,
  mixed: {
    alone: 'pages alone',
    all: 'mixed, all of them',
    page: 'pages in the mix (90%)',
    read: 'reads of the API (8%)',
    vote: 'votes (2%)',
    columns: {
      requests: 'through the site service, 64 connections',
      perSecond: 'requests/s',
      ratio: 'of pages alone',
      p50: 'p50 ms',
      p99: 'p99 ms',
    },
    line: ({ round, rounds, engine, alone, mixed }: MixedLine) =>
      `round ${round}/${rounds}  ${engine.padEnd(10)}  pages alone ${Math.round(alone).toLocaleString('en')}/s,` +
      ` mixed ${Math.round(mixed).toLocaleString('en')}/s (${(mixed / alone).toFixed(2)})`,
    refused: (engine: string, count: number) => `${engine}: ${count} requests were not answered with 200.`,
  },
  live: {
    columns: {
      engine: (pages: number) => `${pages.toLocaleString('en')} open pages, each asking every 30 s`,
      due: 'reads due/s',
      answered: 'answered/s',
      p50: 'p50 ms',
      p99: 'p99 ms',
      late: 'a result shows after at most, s',
      without: 'votes/s without',
      beside: 'votes/s beside',
      ratio: 'ratio',
    },
    line: ({ round, rounds, engine, answered, due, p99, without, beside }: LiveLine) =>
      `round ${round}/${rounds}  ${engine.padEnd(10)}  ${answered} of ${due} reads answered, p99 ${p99.toFixed(1)} ms,` +
      ` votes ${Math.round(without).toLocaleString('en')}/s without, ${Math.round(beside).toLocaleString('en')}/s beside`,
    files: (limit: string, needed: number) =>
      `Open files: a process may have ${limit} here; the site service needs ${needed.toLocaleString('en')} for its connections.`,
    tooFewFiles: (limit: number, needed: number) =>
      `A process may have ${limit} open files, but so many pages need ${needed}. Raise it ("ulimit -n ${needed}") or lower --pages.`,
  },
  scale: {
    filling: (engine: string, what: string) => `${engine}: ${what}`,
    filled: (engine: string, seconds: number, gigabytes: number) =>
      `${engine}: filled in ${Math.round(seconds)} s, ${gigabytes.toFixed(1)} GB; its counters are right`,
    columns: {
      call: 'call',
      database: 'database ms',
      databaseP99: 'p99',
      http: 'HTTP ms',
      httpP99: 'HTTP p99',
    },
    line: ({ name, database, databaseP99, http, httpP99 }: ScaleLine) =>
      `${name.padEnd(52)} database ${database.toFixed(2).padStart(7)} ms (p99 ${databaseP99.toFixed(2)})` +
      `  HTTP ${http.toFixed(2).padStart(7)} ms (p99 ${httpP99.toFixed(2)})`,
    archive: (sort: string) => `archive, ${sort}`,
    archivePage: (page: number) => `archive, newest, page ${page.toLocaleString('en')}`,
    archiveOf: (category: string, sort: string) => `archive, category ${category}, ${sort}`,
    closed: 'a closed poll',
    related: 'related polls',
    active: 'active polls',
    statistics: 'headline figures',
    community: 'community polls',
    communityFrom: (offset: number) => `community polls from ${offset.toLocaleString('en')} on`,
    communityOf: (category: string) => `community polls of ${category}`,
    featured: 'featured community polls',
    profile: 'profile of the busiest member',
    activities: 'activities of the busiest member',
    badges: 'badge tracker of the busiest member',
    vote: 'one vote on the hottest poll',
    empty: (name: string) => `${name}: nothing was found, so nothing was measured.`,
    refused: (name: string, count: number) => `${name}: ${count} requests were not answered with 200.`,
    miscounted: (engine: string, what: string) => `${engine}: the filling is not right: ${what}`,
    wrongSizes: (polls: number, votes: number, users: number) =>
      `A database of ${polls} polls, ${votes} votes and ${users} members cannot be filled: take at least 100 polls, 1000 votes and 10 members, and at most 100 votes for each poll.`,
    verdict: (slowest: string, most: number, limit: number) =>
      most < limit
        ? `Everything took under ${limit} ms in the database; the slowest, ${slowest}, took ${most.toFixed(2)} ms.`
        : `TOO SLOW: ${slowest} took ${most.toFixed(2)} ms in the database; it may take ${limit} ms.`,
  },
  fill: {
    users: 'members',
    votes: 'votes',
    indexes: 'indexes',
    polls: 'polls, options and counters',
    activities: 'activities',
    badges: 'facts, badges and progress',
    counters: 'archive and headline figures',
    housekeeping: 'housekeeping',
  },
  bar: '{text} [{bar}] {percentage} %',
  build: {
    making: 'storing closed polls',
    building: (polls: number) =>
      `building a site of ${polls.toLocaleString('en')} closed polls, and again after one change`,
    columns: {
      polls: 'closed polls',
      rounds: 'rounds',
      whole: 'first build, s',
      again: 'after one change, s',
      memory: 'memory at most, MB',
    },
    line: ({ round, rounds, polls, whole, again, megabytes }: BuildLine) =>
      `round ${round}/${rounds}  ${polls.toLocaleString('en').padStart(7)} closed polls: ${whole.toFixed(1)} s, after one change ${again.toFixed(1)} s` +
      (megabytes === null ? '' : `, ${megabytes.toLocaleString('en')} MB at most`),
  },
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
