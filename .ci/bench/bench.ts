import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchBuild } from './build.bench.ts';
import { benchKinds } from './kinds.bench.ts';
import { benchPages } from './pages.bench.ts';
import { tableOf } from './report.ts';
import type { Row } from './report.ts';
import { benchScale } from './scale.bench.ts';
import { benchVotes } from './votes.bench.ts';

const help = `Usage: npm run bench -- [PART …] [options]

Benchmarks this machine against references that run in the same rounds, and prints medians and ratios as a Markdown table.

  votes            accepted votes per second over HTTP, on SQLite and on PostgreSQL with 1, 2 and 4 API processes, with the
                   processor time (Linux only) and bytes on disk per vote (the default)
  kinds            processor time of a vote by kind of ballot, in the intake alone
  pages            pages per second of the site service, with wrk, compared with nginx if installed
  build            time, memory, and disk to publish the site with many closed polls, and one change
  scale            times in ms of calls and a vote over HTTP with 1,000,000 polls, 11,000,000 votes, and 100,000 members (8 GB of disk)

  --rounds N       number of rounds for the medians (5)
  --seconds N      length of one measurement (3)
  --only TEXT      only candidates with TEXT in their name, and the ceiling
  --polls N,N,…    numbers of polls for build (100,1000,10000; more than 10,000 run one round) or for scale (1000000)
  --against PATH   for kinds: another checkout with its packages, whose single choice is the reference
  --help           show this help`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
    polls: { type: 'string' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const settings = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  only: values.only ?? null,
  report: (line: string) => console.log(line),
};
const polls = values.polls?.split(',').map(Number);

const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  votes: () => benchVotes(settings),
  kinds: () => benchKinds({ ...settings, against: values.against ?? null }),
  pages: () => benchPages(settings),
  build: () => benchBuild({ ...settings, sizes: polls ?? [100, 1_000, 10_000] }),
  scale: () => benchScale({ ...settings, polls: polls?.[0] ?? 1_000_000 }),
};

const wanted = positionals.length === 0 ? ['votes'] : positionals;
const problems = [
  ...wanted
    .filter((word) => !(word in parts))
    .map((word) => `Unknown benchmark: ${word}. Choose from ${Object.keys(parts).join(', ')}.`),
  ...(['rounds', 'seconds', 'polls'] as const)
    .filter((name) => !/^[1-9]\d{0,7}(,[1-9]\d{0,7})*$/.test(values[name] ?? '1'))
    .map((name) => `--${name} is “${values[name]}”, but it must be a whole number, 1 or more.`),
  ...(wanted.includes('scale') && polls !== undefined && polls[0]! < 100 ? ['scale needs at least 100 polls.'] : []),
];
if (values.help) console.log(help);
else if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  // The embedded PostgreSQL’s exit hook would turn an exit code into 0.
  process.exit(2);
} else
  for (const part of wanted) {
    const rows = await parts[part]!();
    const date = new Date().toISOString().slice(0, 10);
    const rounds = settings.rounds === 1 ? 'one round' : `medians of ${settings.rounds} rounds`;
    const machine = `${cpus().length} cores (${cpus()[0]?.model ?? '?'}), Node ${process.version}`;
    console.log(`\n${part}, ${date}, ${machine}, ${rounds}\n\n${tableOf(rows)}`);
  }
