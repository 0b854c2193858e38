import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchTexts } from '#texts/bench.ts';
import { benchBuild } from './build.bench.ts';
import { benchLists } from './lists.bench.ts';
import { benchPages } from './pages.bench.ts';
import { benchProfile } from './profile.bench.ts';
import { keepInProof } from './proof.ts';
import { tableOf } from './report.ts';
import type { Row } from './report.ts';
import { benchUpload } from './upload.bench.ts';
import { benchVotes } from './votes.bench.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
    polls: { type: 'string', default: '100000' },
    comments: { type: 'string', default: '10000' },
    activities: { type: 'string', default: '100000' },
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

const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
  votes: () => benchVotes({ ...settings, on: 'polls' }),
  community: () => benchVotes({ ...settings, on: 'community-polls' }),
  lists: () => benchLists({ ...settings, polls: Number(values.polls), comments: Number(values.comments) }),
  profile: () => benchProfile({ ...settings, activities: Number(values.activities) }),
  pages: () => benchPages(settings),
  build: () => benchBuild(settings),
  upload: () => benchUpload(settings),
};

/** What was measured, with the machine and the day. */
function reportOn(part: string, rows: readonly Row[]): string {
  const cores = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const heading = benchTexts.heading(part, date, cores.length, cores[0]?.model ?? '?');
  const exact = ['votes', 'community', 'upload'].includes(part) ? `\n\n${benchTexts.exact}` : '';
  return `${heading}\n${tableOf(rows)}${exact}`;
}

const wrong = (['rounds', 'seconds', 'polls', 'comments', 'activities'] as const).find(
  (name) => !/^[1-9]\d{0,8}$/.test(values[name]),
);
const words = positionals.length === 0 ? ['votes'] : positionals;
const wanted = words.includes('all') ? Object.keys(parts) : words;
const unknown = wanted.find((word) => !(word in parts));
if (values.help) console.log(benchTexts.help);
else if (unknown !== undefined || wrong !== undefined) {
  if (unknown !== undefined) console.error(benchTexts.unknown(unknown));
  if (wrong !== undefined) console.error(benchTexts.wrongNumber(wrong, values[wrong]));
  // The PostgreSQL of the benchmark hooks into the end of the process and would make an exit code a 0.
  process.exit(2);
} else {
  for (const part of wanted) {
    const rows = await parts[part]?.();
    if (!rows) continue;
    const report = reportOn(part, rows);
    console.log(report);
    if (values.proof) await keepInProof(part, report);
  }
}
