import { bulkWorkTexts, capacityTexts, cpuTexts, migrationTexts, pollsOf } from './vote-texts.ts';
import type { VotedOn } from './vote-texts.ts';

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
  /** Seconds of the first publish, and milliseconds of a change. */
  readonly first: number;
  readonly edit: number;
}

interface SwitchLine {
  readonly round: number;
  readonly rounds: number;
  readonly name: string;
  readonly switched: number;
  readonly stall: number;
  readonly p99: number;
}

interface MixedLine {
  readonly round: number;
  readonly rounds: number;
  readonly engine: string;
  /** Requests per second. */
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

/** The circumstances of a measurement. */
interface Heading {
  readonly part: string;
  readonly date: string;
  readonly cores: number;
  readonly model: string;
  readonly rounds: number;
}

/** The texts of the benchmark. */
export const benchTexts = {
  help: `Usage: npm run bench -- [PART …] [options]

Benchmarks this machine against references that run in the same rounds, and prints medians and ratios.

  votes            accepted votes per second over HTTP, on SQLite and on PostgreSQL with 1, 2 and 4 API processes;
                   processor time by thread (Linux only) and bytes on disk per vote (the default)
  community        the same for community polls, with one API process and the same references
  capacity         processor time per vote of PostgreSQL and of 1, 2, and 4 API processes, waiting for locked rows, and the
                   votes per second that one 16-core database server can take (Linux only)
  deletion         votes on other polls while a poll with 1,000,000 votes is deleted
  decision         votes on other polls while 100,000 votes are set aside and released
  closing          votes on other polls while a poll with 1,000,000 votes is closed and its log is written
  migration        time, memory, and size of converting 10,000,000 votes of the previous release (10 GB of disk; Linux only)
  mixed            90% pages, 8% API reads, and 2% votes through the site service, compared with pages alone
  live             open poll pages that refresh every 30 seconds while votes come in
  lists            page times in ms with 100,000 members, community polls, and open reports, and 10,000 comments, in the
                   database and over HTTP
  search           search and suggestion times in ms with 100,000 polls, in the database and over HTTP
  profile          page times in ms for a member with 100,000 activities and a new member, and the time of one more event
  scale            times in ms of calls and a vote with 1,000,000 polls, 10,000,000 votes, and 100,000 members (8 GB of disk)
  pages            pages per second of the site service, compared with nginx if installed
  switch           votes through the site service while the release of 100,000 reports is switched
  build            time, memory, and disk to publish the site with 100, 1,000, and 10,000 closed polls, and one change
  upload           memory used by the largest upload, and votes accepted meanwhile (Linux only)
  memory           memory of the whole product within 700 MB with 10,000 closed polls: first publish, readers, an import of
                   50,000 rows, and its publish (Linux, as root: it makes a control group)
  recount          time to recount 100,000 ballots on a browser’s main thread, also four times slowed, and their bytes
  all              all of the above

  --rounds N       number of rounds for the medians (5)
  --seconds N      length of one measurement (3)
  --only TEXT      only candidates with TEXT in their name, and the ceiling
  --open-pages N   number of open pages (2000)
  --open-seconds N seconds they refresh for in one round (30)
  --polls N        community polls for lists and closed ones for search (100000), closed ones for memory (10000), and all
                   polls for scale (1000000)
  --votes N        votes for scale and migration (10000000), and of the poll for deletion, decision (100000), and
                   closing (1000000)
  --users N        members for scale and lists (100000)
  --comments N     comments on one poll for lists (10000)
  --activities N   activities of the measured member for profile (100000)
  --sizes N,N,…    numbers of closed polls for build (100,1000,10000); 100000 takes some minutes and 3 GB of
                   disk, and runs one round
  --proof          also write the tables to content/handbook/proof.md
  --help           show this help`,
  noSection: (name: string) =>
    `content/handbook/proof.md has no section “${name}”. Add <!-- begin ${name} --> and <!-- end ${name} --> where it belongs.`,
  unknown: (word: string) =>
    `Unknown benchmark: ${word}. Choose from votes, community, capacity, deletion, decision, closing, migration, mixed, live, lists, search, profile, scale, pages, switch, build, upload, memory, recount, and all.`,
  wrongSizes: (value: string) => `--sizes is “${value}”, but it must be whole numbers, 1 or more, separated by commas.`,
  wrongNumber: (option: string, value: string) =>
    `--${option} is “${value}”, but it must be a whole number, 1 or more.`,
  ceiling: 'bare Koa (ceiling)',
  floor: (engine: string) => `${engine}: one Knex transaction per vote (floor)`,
  throughApi: (engine: string, on: VotedOn, count: number) => `${engine}: API, ${pollsOf(on, count)}`,
  throughProcesses: (engine: string, on: VotedOn, count: number, processes: number) =>
    `${engine}: ${processes} API processes, ${pollsOf(on, count)}`,
  throughSite: (engine: string, on: VotedOn, count: number) => `${engine}: through the site, ${pollsOf(on, count)}`,
  columns: {
    votes: 'votes',
    perSecond: 'accepted/s',
    ofCeiling: 'of ceiling',
    timesFloor: '× floor',
    pages: (hasWrk: boolean) => `pages, load by ${hasWrk ? 'wrk' : 'the benchmark itself'}`,
    pagesPerSecond: 'pages/s',
    ofNginx: 'of best nginx',
    cpu: 'CPU µs per page',
    p50: 'p50 ms',
    p99: 'p99 ms',
  },
  heading: ({ part, date, cores, model, rounds }: Heading) =>
    `\n${part}, ${date}, ${cores} cores (${model}), Node ${process.version}, ` +
    `${rounds === 1 ? 'one round' : `medians of ${rounds} rounds`}\n`,
  roundLine: ({ round, rounds, name, perSecond, p50, p99, refused }: Measurement) =>
    `round ${round}/${rounds}  ${name.padEnd(50)} ${Math.round(perSecond).toLocaleString('en-US').padStart(7)}/s` +
    `  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms${refused > 0 ? `  ${refused} refused` : ''}`,
  site: (encoding: string, processes: number) =>
    `site service, ${encoding}, ${processes === 1 ? 'one process' : `${processes} processes`}`,
  coldSite: (encoding: string, processes: number) =>
    `${benchTexts.site(encoding, processes)}, first second after a start`,
  generator: (hasWrk: boolean) =>
    hasWrk
      ? 'wrk generates the load'
      : 'wrk is not installed (apt-get install wrk), so the benchmark generates the load itself, which limits fast servers',
  nginx: (encoding: string, workers: number | 'auto') =>
    `nginx, ${encoding}, ${workers === 'auto' ? 'one worker per core' : 'one worker'}`,
  buildingSite: (polls: number) => `building a site with ${polls} reports`,
  pagesMissing: (name: string, count: number) => `${name}: ${count} pages did not return 200`,
  nothing: (only: string) => `No engine has “${only}” in its name. Choose --only SQLite or --only PostgreSQL.`,
  cpu: cpuTexts,
  capacity: capacityTexts,
  bulkWork: bulkWorkTexts,
  migration: migrationTexts,
  mixed: {
    alone: 'pages alone',
    all: 'mixed, total',
    page: 'pages in the mix (90%)',
    read: 'API reads (8%)',
    vote: 'votes (2%)',
    columns: {
      requests: 'through the site service, 64 connections',
      perSecond: 'requests/s',
      ratio: 'of pages alone',
      p50: 'p50 ms',
      p99: 'p99 ms',
    },
    line: ({ round, rounds, engine, alone, mixed }: MixedLine) =>
      `round ${round}/${rounds}  ${engine.padEnd(10)}  pages alone ${Math.round(alone).toLocaleString('en-US')}/s,` +
      ` mixed ${Math.round(mixed).toLocaleString('en-US')}/s (${(mixed / alone).toFixed(2)})`,
    refused: (engine: string, count: number) => `${engine}: ${count} requests did not return 200.`,
  },
  switch: {
    making: (reports: number) => `making two releases with ${reports.toLocaleString('en-US')} reports each`,
    start: 'start',
    none: 'no switch',
    oneReport: `one changed report, twice a second`,
    codeBuild: `another code build, twice a second`,
    refused: (count: number) => `${count} requests did not return 200.`,
    notKept: (count: number) => `A release is not among the ${count} kept ones.`,
    columns: {
      switches: (reports: number) => `switches among ${reports.toLocaleString('en-US')} reports`,
      ms: 'ms',
      cpu: 'CPU ms',
      stall: 'longest stall, CPU ms',
      p99: 'votes p99 ms',
      ofWithout: 'of without',
      memory: 'memory MB',
    },
    line: ({ round, rounds, name, switched, stall, p99 }: SwitchLine) =>
      `round ${round}/${rounds}  ${name.padEnd(36)}  switch ${switched.toFixed(1)} ms, longest stall ${stall.toFixed(1)} ms,` +
      ` votes p99 ${p99.toFixed(1)} ms`,
  },
  live: {
    columns: {
      engine: (pages: number) => `${pages.toLocaleString('en-US')} open pages, each refreshing every 30 s`,
      due: 'reads due/s',
      answered: 'answered/s',
      p50: 'p50 ms',
      p99: 'p99 ms',
      late: 'longest delay of a result, s',
      without: 'votes/s without',
      beside: 'votes/s alongside',
      ratio: 'ratio',
    },
    line: ({ round, rounds, engine, answered, due, p99, without, beside }: LiveLine) =>
      `round ${round}/${rounds}  ${engine.padEnd(10)}  ${answered} of ${due} reads answered, p99 ${p99.toFixed(1)} ms,` +
      ` votes ${Math.round(without).toLocaleString('en-US')}/s without, ${Math.round(beside).toLocaleString('en-US')}/s alongside`,
    files: (limit: string, needed: number) =>
      `Open files: the limit per process is ${limit}; the site service needs ${needed.toLocaleString('en-US')} for its connections.`,
    tooFewFiles: (limit: number, needed: number) =>
      `The limit of open files per process is ${limit}, but this many pages need ${needed}. Raise it (ulimit -n ${needed}) or lower --open-pages.`,
  },
  scale: {
    filling: (engine: string, what: string) => `${engine}: ${what}`,
    filled: (engine: string, seconds: number, gigabytes: number) =>
      `${engine}: filled in ${Math.round(seconds)} s, ${gigabytes.toFixed(1)} GB; counters verified`,
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
    archivePage: (page: number) => `archive, newest, page ${page.toLocaleString('en-US')}`,
    archiveOf: (category: string, sort: string) => `archive, category ${category}, ${sort}`,
    closed: 'a closed poll',
    related: 'related polls',
    active: 'active polls',
    statistics: 'headline figures',
    community: 'community polls',
    communityFrom: (offset: number) => `community polls from ${offset.toLocaleString('en-US')} on`,
    communityOf: (category: string) => `community polls of ${category}`,
    featured: 'featured community polls',
    profile: 'profile of the most active member',
    activities: 'activities of the most active member',
    badges: 'badge tracker of the most active member',
    vote: 'one vote on the hottest poll',
    empty: (name: string) => `${name}: nothing was found, so nothing was measured.`,
    refused: (name: string, count: number) => `${name}: ${count} requests did not return 200.`,
    miscounted: (engine: string, what: string) => `${engine}: the data was not filled correctly: ${what}`,
    wrongSizes: (polls: number, votes: number, users: number) =>
      `Can’t fill a database with ${polls} polls, ${votes} votes, and ${users} members: use at least 100 polls, 1000 votes, and 10 members, and at most 100 votes per poll.`,
    verdict: (slowest: string, most: number, limit: number) =>
      most < limit
        ? `Everything took under ${limit} ms in the database; the slowest, ${slowest}, took ${most.toFixed(2)} ms.`
        : `TOO SLOW: ${slowest} took ${most.toFixed(2)} ms in the database; the limit is ${limit} ms.`,
  },
  fill: {
    users: 'members',
    votes: 'votes',
    indexes: 'indexes',
    polls: 'polls, options, and counters',
    activities: 'activities',
    badges: 'events, badges, and progress',
    counters: 'archive and headline figures',
    housekeeping: 'housekeeping',
  },
  bar: '{text} [{bar}] {percentage} %',
  build: {
    making: 'storing closed polls',
    building: (polls: number) =>
      `publishing a site with ${polls.toLocaleString('en-US')} closed polls, then single changes`,
    what: 'publish',
    polls: (count: number) => `${count.toLocaleString('en-US')} polls`,
    rows: {
      code: 'code build, s',
      codeMemory: 'code build, peak memory, MB',
      first: 'first publish, s',
      firstCpu: 'first publish, CPU s',
      memory: 'first publish, peak memory, MB',
      disk: 'first release with its code build, MB on disk',
      diskOfEdit: 'each further release, kB on disk',
      editCpu: 'one edited closed poll, CPU ms',
      edit: 'one edited closed poll, ms',
      closingCpu: 'one closing poll with lists and feeds, CPU ms',
      closing: 'one closing poll, ms from its end to the report',
    },
    line: ({ round, rounds, polls, first, edit }: BuildLine) =>
      `round ${round}/${rounds}  ${polls.toLocaleString('en-US').padStart(7)} closed polls: ${first.toFixed(1)} s, one edit ${edit.toFixed(0)} ms`,
  },
  profile: {
    call: 'GET /api/user/profile',
    summary: 'GET /api/user/summary',
    activities: 'GET /api/user/activities',
    days: 'GET /api/user/activity-days',
    badges: 'GET /api/user/badges',
    fact: 'one more event, counted',
    columns: {
      call: 'call',
      newcomer: 'new member, ms',
      veteran: (activities: number) => `after ${activities.toLocaleString('en-US')} activities, ms`,
      ratio: 'ratio',
    },
    line: ({ name, young, old }: { name: string; young: number; old: number }) =>
      `${name.padEnd(40)} new member ${young.toFixed(2).padStart(6)} ms  veteran ${old.toFixed(2).padStart(6)} ms`,
    verdict: (slowest: number, most: number) =>
      slowest < most
        ? `The profile took under ${most} ms; at most ${slowest.toFixed(2)} ms.`
        : `The profile took ${slowest.toFixed(2)} ms; the limit is ${most} ms.`,
  },
  lists: {
    first: 'first page of polls',
    offset: (offset: number) => `polls from ${offset.toLocaleString('en-US')} on`,
    category: (name: string) => `first page of ${name}`,
    sorted: (sort: string) => `deep page by ${sort}`,
    count: 'number of polls',
    featured: 'featured polls',
    comments: (page: number) => (page === 1 ? 'newest comments of a poll' : `page ${page} of its comments`),
    signIn: 'signing in (database: finding the member)',
    notifications: 'a member’s notifications',
    summary: 'unread notifications (HTTP: summary)',
    queue: (page: number) => `moderation queue, page ${page}`,
    makingMembers: (engine: string) => `${engine}: storing members, notifications, and reports`,
    makingPolls: (engine: string) => `${engine}: storing polls`,
    makingComments: (engine: string) => `${engine}: storing comments`,
    columns: { page: 'page', database: 'database ms', http: 'HTTP ms', p99: 'HTTP p99 ms' },
    line: ({ name, database, http, p99 }: { name: string; database: number; http: number; p99: number }) =>
      `${name.padEnd(42)} database ${database.toFixed(2).padStart(6)} ms  HTTP ${http.toFixed(2).padStart(6)} ms  p99 ${p99.toFixed(2)} ms`,
    empty: (name: string) => `${name}: nothing was found, so nothing was measured.`,
    refused: (name: string, count: number) => `${name}: ${count} pages did not return 200.`,
    verdict: (slowest: number, most: number) =>
      slowest < most
        ? `Every page took under ${most} ms in the database; the slowest took ${slowest.toFixed(2)} ms.`
        : `TOO SLOW: a page took ${slowest.toFixed(2)} ms in the database; the limit is ${most} ms.`,
  },
  search: {
    writing: (engine: string) => `${engine}: writing texts`,
    indexing: (engine: string) => `${engine}: building the index`,
    built: (engine: string, polls: number, seconds: number) =>
      `${engine}: the index of ${polls.toLocaleString('en-US')} polls was built in ${seconds.toFixed(1)} s.`,
    frequent: 'a word in nearly every poll',
    frequentOnes: 'three such words',
    common: 'a common word',
    commonOnes: 'three common words',
    rare: 'a rare word',
    mixed: 'a word in nearly every poll, and a rare one',
    some: 'two words, and one that no document contains',
    misspelled: 'a common word and a misspelled one',
    typed: 'a word in nearly every report, reports only',
    otherKind: 'two words, community polls only',
    letters: 'suggestions for two letters',
    word: 'suggestions for a word and four letters',
  },
  upload: {
    name: 'votes during an upload',
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
      `  votes ${Math.round(one.before).toLocaleString('en-US')}/s before, ${Math.round(one.during).toLocaleString('en-US')}/s meanwhile` +
      ` (${one.ratio.toFixed(2)})  p99 ${one.p99.toFixed(0)} ms`,
    refused: (status: number, message: string) => `The upload returned ${status}: ${message}`,
  },
  memory: {
    making: 'storing closed polls',
    columns: {
      phase: 'whole product on SQLite, in a control group of 700 MB',
      seconds: 's',
      anonymous: 'anonymous memory, MB',
      resident: 'with mapped files, MB',
      processes: 'of it, by process',
    },
    phases: {
      first: (polls: number) => `first publish of ${polls.toLocaleString('en-US')} closed polls`,
      reading: (requests: number) => `${requests} requests by eight readers`,
      import: 'import of 50,000 rows (20 MB)',
      publish: 'publish of the import',
    },
    line: (row: Readonly<Record<string, string>>) => Object.values(row).join('  '),
    total: (limit: number, peak: number) =>
      `Nothing was ended for its memory. With all files that the kernel kept for it, the group used ${Math.round(peak / 1e6)} of ${limit / 1e6} MB.`,
    noGroup: 'This benchmark makes a control group with a memory limit: run it as root on Linux.',
    ended: 'The product ended.',
    killed: (count: number) => `${count} processes were ended because 700 MB were not enough.`,
    refused: (path: string, status: number) => `${path} returned ${status}.`,
  },
  recount: {
    columns: {
      slowdown: '100,000 ballots in 168 batches',
      ms: 'recount ms',
      worst: 'slowest ms',
      bytes: 'bytes per ballot (gzip)',
    },
    slowdown: (times: number) => (times === 1 ? 'full speed' : `main thread ${times}x slowed`),
    line: (one: { round: number; rounds: number; slowdown: number; ms: number }) =>
      `round ${one.round}/${one.rounds}  ${one.slowdown}x slowed  ${Math.round(one.ms)} ms`,
    refused: (verdict: string) => `The recount’s verdict is ${verdict}.`,
  },
  exact: 'After every measurement: rows = counters = accepted votes.',
  mismatch: ({ name, accepted, recordedVotes, wrongCounters }: Mismatch) =>
    `${name}: ${accepted} votes were accepted, but ${recordedVotes} are recorded` +
    wrongCounters.map(({ counter, counted, expected }) => `; ${counter} is ${counted}, not ${expected}`).join(''),
} as const;
