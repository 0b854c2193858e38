import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchBuild } from './build.bench.ts';
import { benchPages } from './pages.bench.ts';
import { keepInProof, textOf } from './report.ts';
import type { Report } from './report.ts';
import { benchScale } from './scale.bench.ts';
import { fitTogether } from './synthetic-rows.ts';
import { benchVotes } from './votes.bench.ts';

const help = `Usage: npm run bench -- [PART …] [options]

Benchmarks this machine against references that run in the same rounds, and prints medians and ratios.

  votes            accepted votes per second over HTTP, on SQLite and on PostgreSQL with 1, 2 and 4 API processes;
                   processor time by thread (Linux only) and bytes on disk per vote (the default)
  pages            pages per second of the site service, compared with nginx if installed
  build            time, memory, and disk to publish the site with 100, 1,000, and 10,000 closed polls, and one change
  scale            times in ms of calls and a vote with 1,000,000 polls, 10,000,000 votes, and 100,000 members (8 GB of disk)
  all              all of the above

  --rounds N       number of rounds for the medians (5)
  --seconds N      length of one measurement (3)
  --only TEXT      only candidates with TEXT in their name, and the ceiling
  --polls N, --votes N, --users N
                   sizes for scale (1000000, 10000000, and 100000)
  --sizes N,N,…    numbers of closed polls for build (100,1000,10000); 100000 takes some minutes and 3 GB of
                   disk, and runs one round
  --proof          also write the tables to content/handbook/proof.md
  --help           show this help`;

const numbers = { rounds: '5', seconds: '3', polls: '1000000', votes: '10000000', users: '100000' } as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...(Object.fromEntries(
      Object.entries(numbers).map(([name, number]) => [name, { type: 'string', default: number }]),
    ) as Record<keyof typeof numbers, { type: 'string'; default: string }>),
    only: { type: 'string' },
    sizes: { type: 'string', default: '100,1000,10000' },
    proof: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const settings = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  only: values.only ?? null,
  report: (line: string) => console.log(line),
};
const filling = { polls: Number(values.polls), votes: Number(values.votes), users: Number(values.users) };

const parts: Readonly<Record<string, () => Promise<Report>>> = {
  votes: async () => [...(await benchVotes(settings)), 'After every measurement: rows = counters = accepted votes.'],
  pages: () => benchPages(settings),
  build: () => benchBuild({ ...settings, sizes: values.sizes.split(',').map(Number) }),
  scale: () => benchScale({ ...settings, sizes: filling }),
};

/** The report with machine and date. */
function reportOn(part: string, measured: Report): string {
  const cores = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const rounds = settings.rounds === 1 ? 'one round' : `medians of ${settings.rounds} rounds`;
  const machine = `${cores.length} cores (${cores[0]?.model ?? '?'}), Node ${process.version}`;
  return `\n${part}, ${date}, ${machine}, ${rounds}\n\n${textOf(measured)}`;
}

const words = positionals.length === 0 ? ['votes'] : positionals;
const wanted = words.includes('all') ? Object.keys(parts) : words;
const problems = [
  ...wanted
    .filter((word) => !(word in parts))
    .map((word) => `Unknown benchmark: ${word}. Choose from ${Object.keys(parts).join(', ')}, and all.`),
  ...(Object.keys(numbers) as (keyof typeof numbers)[])
    .filter((name) => !/^[1-9]\d{0,8}$/.test(values[name]))
    .map((name) => `--${name} is “${values[name]}”, but it must be a whole number, 1 or more.`),
  ...(/^[1-9]\d{0,6}(,[1-9]\d{0,6})*$/.test(values.sizes)
    ? []
    : [`--sizes is “${values.sizes}”, but it must be whole numbers, 1 or more, separated by commas.`]),
  ...(wanted.includes('scale') && !fitTogether(filling)
    ? [
        `Can’t fill a database with ${filling.polls} polls, ${filling.votes} votes, and ${filling.users} members: ` +
          'use at least 100 polls, 1000 votes, and 10 members, and at most 100 votes per poll.',
      ]
    : []),
];
if (values.help) console.log(help);
else if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  // The embedded PostgreSQL’s exit hook would turn an exit code into 0.
  process.exit(2);
} else {
  for (const part of wanted) {
    const measured = await parts[part]?.();
    if (!measured) continue;
    const report = reportOn(part, measured);
    console.log(report);
    if (values.proof) await keepInProof(part, report);
  }
}
