import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { keepInProof, tableOf } from '#ci/bench/report.ts';
import { faultTexts as texts } from './texts.ts';
import { clockJumps } from './clock.faults.ts';
import { databaseAway } from './database.faults.ts';
import { damagedFile } from './file.faults.ts';
import { fullDisk } from './full-disk.faults.ts';
import { kills } from './kills.faults.ts';
import { readOnlyFolder } from './read-only.faults.ts';
import { damagedRelease } from './release.faults.ts';
import { runScenario } from './scenario.ts';
import type { Outcome, Scenario } from './scenario.ts';
import { slowDatabase } from './slow-database.faults.ts';

const scenarios: readonly Scenario[] = [
  kills,
  fullDisk,
  readOnlyFolder,
  databaseAway,
  slowDatabase,
  clockJumps,
  damagedRelease,
  damagedFile,
];

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    proof: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const wrong = (['rounds', 'seed'] as const).find((name) => !/^[1-9]\d{0,8}$/.test(values[name]));
const wanted = scenarios.filter(({ name }) => values.only === undefined || name === values.only);
if (values.help) console.log(texts.help);
else if (values.proof && values.only !== undefined) {
  console.error('--proof writes the table of all scenarios, so it can’t be combined with --only.');
  process.exit(2);
} else if (wrong !== undefined || wanted.length === 0) {
  if (wrong !== undefined) console.error(texts.wrongNumber(wrong, values[wrong]));
  else
    console.error(
      texts.unknown(
        values.only ?? '',
        scenarios.map(({ name }) => name),
      ),
    );
  process.exit(2);
} else {
  const outcomes = await runAll(Number(values.rounds), Number(values.seed));
  console.log(`\n${reportOn(outcomes)}`);
  if (values.proof) await keepInProof('faults', reportOn(outcomes, true));
  process.exit(outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0);
}

/** The table of outcomes, followed by the problems; a short one names the faults that held without votes in a sentence. */
function reportOn(outcomes: readonly Outcome[], isShort = false): string {
  const date = new Date().toISOString().slice(0, 10);
  const problems = outcomes.flatMap((one) => one.problems.map((text) => texts.problem(one.scenario, one.fault, text)));
  const isNamed = (one: Outcome) => isShort && one.acknowledged === 0 && one.problems.length === 0;
  const named = outcomes.filter(isNamed).map(({ fault }) => fault);
  return [
    texts.heading(date, cpus().length, cpus()[0]?.model ?? '?'),
    tableOf(outcomes.filter((one) => !isNamed(one)).map(rowOf)),
    ...(named.length === 0 ? [] : [texts.heldToo(named)]),
    problems.length === 0 ? texts.held : problems.join('\n'),
  ].join('\n\n');
}

async function runAll(rounds: number, seed: number): Promise<Outcome[]> {
  const bar = process.stderr.isTTY
    ? new SingleBar({ format: texts.bar, hideCursor: true, stream: process.stderr })
    : null;
  const outcomes: Outcome[] = [];
  try {
    for (const scenario of wanted) {
      bar?.start(1, 0, { text: scenario.name });
      const onStep = (done: number, of: number, what: string) => {
        bar?.setTotal(Math.max(of, 1));
        bar?.update(done, { text: `${scenario.name}: ${what}` });
        if (!bar) console.error(texts.step(scenario.name, done, of, what));
      };
      const lines = await runScenario(scenario, { rounds, seed, onStep });
      outcomes.push(...lines);
      bar?.stop();
    }
  } finally {
    bar?.stop();
  }
  return outcomes;
}

function rowOf(one: Outcome): Record<string, string> {
  const figure = (value: number) => (value === 0 ? '' : Math.round(value).toLocaleString('en-US'));
  return {
    [texts.columns.fault]: one.fault,
    [texts.columns.rounds]: String(one.rounds),
    [texts.columns.acknowledged]: figure(one.acknowledged),
    [texts.columns.lost]: one.acknowledged === 0 ? '' : String(one.lost),
    [texts.columns.refused]: figure(one.refused),
    [texts.columns.slowest]: figure(one.slowestMs),
    [texts.columns.result]: one.problems.length === 0 ? texts.heldOne : texts.brokenOne(one.problems.length),
    [texts.columns.shown]: one.shown,
  };
}
