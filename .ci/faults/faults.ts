import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { tableOf } from '#ci/bench/report.ts';
import { clockJumps } from './clock.faults.ts';
import { databaseAway } from './database.faults.ts';
import { damagedFile } from './file.faults.ts';
import { fullDisk } from './full-disk.faults.ts';
import { kills } from './kills.faults.ts';
import { damagedPages } from './pages.faults.ts';
import { readOnlyFolder } from './read-only.faults.ts';

import { runScenario } from './scenario.ts';
import type { Outcome, Scenario } from './scenario.ts';
import { slowDatabase } from './slow-database.faults.ts';

const help = `Usage: npm run faults -- [options]

Injects faults while votes come in, then verifies that no acknowledged vote is lost, that counters equal rows, and that
the site serves pages or explains why it can’t. The exit code is 1 if anything failed.

  kills            kill each process at random moments, on SQLite and PostgreSQL
  full-disk        run out of disk space during votes, builds, imports, backups, and uploads (needs root)
  read-only        make the data folder read-only while running and at startup (needs root)
  database         stop and restart PostgreSQL, or freeze it
  slow-database    add latency to PostgreSQL, or make it stop responding
  clock            move the clock forward and back by an hour and a day
  pages            delete or damage saved pages
  file             damage the SQLite file

  --rounds N       total number of kills (100); other scenarios always run in full
  --only NAME      run one scenario
  --seed N         random seed, to repeat a run (1)
  --help           show this help`;

const scenarios: readonly Scenario[] = [
  kills,
  fullDisk,
  readOnlyFolder,
  databaseAway,
  slowDatabase,
  clockJumps,
  damagedPages,
  damagedFile,
];

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

const wrong = (['rounds', 'seed'] as const).find((name) => !/^[1-9]\d{0,8}$/.test(values[name]));
const wanted = scenarios.filter(({ name }) => values.only === undefined || name === values.only);
if (values.help) console.log(help);
else if (wrong !== undefined || wanted.length === 0) {
  const names = scenarios.map(({ name }) => name).join(', ');
  console.error(
    wrong !== undefined
      ? `--${wrong} is “${values[wrong]}”, but it must be a whole number, 1 or more.`
      : `Unknown scenario: ${values.only ?? ''}. Choose from ${names}.`,
  );
  process.exit(2);
} else {
  const outcomes: Outcome[] = [];
  for (const scenario of wanted) {
    const onStep = (done: number, of: number, what: string) =>
      console.error(`${scenario.name}  ${done}/${of}  ${what}`);
    outcomes.push(
      ...(await runScenario(scenario, { rounds: Number(values.rounds), seed: Number(values.seed), onStep })),
    );
  }
  console.log(`\n${reportOn(outcomes)}`);
  process.exit(outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0);
}

/** The table of outcomes, and the problems. */
function reportOn(outcomes: readonly Outcome[]): string {
  const date = new Date().toISOString().slice(0, 10);
  const problems = outcomes.flatMap((one) =>
    one.problems.map((text) => `PROBLEM  ${one.scenario}, ${one.fault}: ${text}`),
  );
  return [
    `faults, ${date}, ${cpus().length} cores (${cpus()[0]?.model ?? '?'})`,
    tableOf(outcomes.map(rowOf)),
    problems.length === 0
      ? 'After every fault: each acknowledged vote is a row, every counter equals its rows, and every refusal gave a reason.'
      : problems.join('\n'),
  ].join('\n\n');
}

function rowOf(one: Outcome): Record<string, string> {
  const figure = (value: number) => (value === 0 ? '' : Math.round(value).toLocaleString('en-US'));
  return {
    fault: one.fault,
    rounds: String(one.rounds),
    'votes acknowledged': figure(one.acknowledged),
    lost: one.acknowledged === 0 ? '' : String(one.lost),
    'calls refused': figure(one.refused),
    'longest wait, ms': figure(one.slowestMs),
    result:
      one.problems.length === 0
        ? 'held'
        : `${one.problems.length} ${one.problems.length === 1 ? 'problem' : 'problems'}`,
    observed: one.shown,
  };
}
