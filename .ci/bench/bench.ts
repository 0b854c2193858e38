import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchTexts } from './texts.ts';
import { benchBuild } from './build.bench.ts';
import { benchCapacity } from './capacity.bench.ts';
import { benchBulkWork } from './bulk-work.bench.ts';
import { benchLists } from './lists.bench.ts';
import { benchLive } from './live.bench.ts';
import { fitTogether } from './synthetic-rows.ts';
import { benchMemory } from './memory.bench.ts';
import { benchMigration } from './migration.bench.ts';
import { benchMixed } from './mixed.bench.ts';
import { benchPages } from './pages.bench.ts';
import { benchProfile } from './profile.bench.ts';
import { benchRecount } from './recount.bench.ts';
import { keepInProof, textOf } from './report.ts';
import type { Report } from './report.ts';
import { benchScale } from './scale.bench.ts';
import { benchSearch } from './search.bench.ts';
import { benchSwitch } from './switch.bench.ts';
import { benchUpload } from './upload.bench.ts';
import { benchVotes } from './votes.bench.ts';

/** Integer options with their defaults; the default numbers of polls and votes depend on the benchmark. */
const numbers = {
  rounds: 5,
  seconds: 3,
  comments: 10_000,
  activities: 100_000,
  users: 100_000,
  'open-pages': 2_000,
  'open-seconds': 30,
} as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...(Object.fromEntries(
      Object.entries(numbers).map(([name, number]) => [name, { type: 'string', default: String(number) }]),
    ) as Record<keyof typeof numbers, { type: 'string'; default: string }>),
    polls: { type: 'string' },
    votes: { type: 'string' },
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
const filling = {
  polls: Number(values.polls ?? 1_000_000),
  votes: Number(values.votes ?? 10_000_000),
  users: Number(values.users),
};

const parts: Readonly<Record<string, () => Promise<Report>>> = {
  votes: () => benchVotes({ ...settings, on: 'polls' }),
  community: () => benchVotes({ ...settings, on: 'community-polls' }),
  capacity: () => benchCapacity(settings),
  deletion: () => benchBulkWork({ ...settings, work: 'deletion', votes: Number(values.votes ?? 1_000_000) }),
  decision: () => benchBulkWork({ ...settings, work: 'decision', votes: Number(values.votes ?? 100_000) }),
  closing: () => benchBulkWork({ ...settings, work: 'closing', votes: Number(values.votes ?? 1_000_000) }),
  migration: () => benchMigration({ ...settings, votes: Number(values.votes ?? 10_000_000) }),
  mixed: () => benchMixed(settings),
  live: () =>
    benchLive({ ...settings, pages: Number(values['open-pages']), pagesSeconds: Number(values['open-seconds']) }),
  lists: () =>
    benchLists({
      ...settings,
      polls: Number(values.polls ?? 100_000),
      comments: Number(values.comments),
      users: Number(values.users),
    }),
  search: () => benchSearch({ ...settings, polls: Number(values.polls ?? 100_000) }),
  profile: () => benchProfile({ ...settings, activities: Number(values.activities) }),
  scale: () => benchScale({ ...settings, sizes: filling }),
  pages: () => benchPages(settings),
  switch: () => benchSwitch({ ...settings, reports: Number(values.polls ?? 100_000) }),
  build: () => benchBuild({ ...settings, sizes: values.sizes.split(',').map(Number) }),
  upload: () => benchUpload(settings),
  memory: () => benchMemory({ ...settings, polls: Number(values.polls ?? 10_000) }),
  recount: () => benchRecount(settings),
};

/** The report with machine and date. */
function reportOn(part: string, measured: Report): string {
  const cores = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const model = cores[0]?.model ?? '?';
  const rounds = part === 'memory' ? 1 : settings.rounds;
  const heading = benchTexts.heading({ part, date, cores: cores.length, model, rounds });
  const exact = [
    'votes',
    'community',
    'capacity',
    'deletion',
    'decision',
    'closing',
    'mixed',
    'live',
    'upload',
  ].includes(part)
    ? `\n\n${benchTexts.exact}`
    : '';
  return `${heading}\n${textOf(measured)}${exact}`;
}

const words = positionals.length === 0 ? ['votes'] : positionals;
const wanted = words.includes('all') ? Object.keys(parts) : words;
const problems = [
  ...wanted.filter((word) => !(word in parts)).map(benchTexts.unknown),
  ...[...(Object.keys(numbers) as (keyof typeof numbers)[]), 'polls' as const, 'votes' as const].flatMap((name) =>
    /^[1-9]\d{0,8}$/.test(values[name] ?? '1') ? [] : [benchTexts.wrongNumber(name, values[name] ?? '')],
  ),
  ...(/^[1-9]\d{0,6}(,[1-9]\d{0,6})*$/.test(values.sizes) ? [] : [benchTexts.wrongSizes(values.sizes)]),
  ...(wanted.includes('scale') && !fitTogether(filling)
    ? [benchTexts.scale.wrongSizes(filling.polls, filling.votes, filling.users)]
    : []),
];
if (values.help) console.log(benchTexts.help);
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
