import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchTexts } from '#texts/bench.ts';
import { benchBuild } from './build.bench.ts';
import { benchPages } from './pages.bench.ts';
import { tableOf } from './report.ts';
import type { Row } from './report.ts';
import { benchVotes } from './votes.bench.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string' },
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
  votes: () => benchVotes(settings),
  pages: () => benchPages(settings),
  build: () => benchBuild(settings),
};

function print(part: string, rows: readonly Row[]) {
  const cores = cpus();
  const date = new Date().toISOString().slice(0, 10);
  console.log(benchTexts.heading(part, date, cores.length, cores[0]?.model ?? '?'));
  console.log(tableOf(rows));
  if (part === 'votes') console.log(benchTexts.exact);
}

const words = positionals.length === 0 ? ['votes'] : positionals;
const wanted = words.includes('all') ? Object.keys(parts) : words;
const unknown = wanted.find((word) => !(word in parts));
if (values.help) console.log(benchTexts.help);
else if (unknown !== undefined) {
  console.error(benchTexts.unknown(unknown));
  process.exitCode = 2;
} else {
  for (const part of wanted) {
    const rows = await parts[part]?.();
    if (rows) print(part, rows);
  }
}
