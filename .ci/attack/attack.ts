import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate, openDatabase } from '#platform/database.ts';
import { tableOf } from '#ci/bench/report.ts';
import type { Row } from '#ci/bench/report.ts';
import { budgets, rowOf, searchRecipe } from './adaptive.ts';
import { attackOf, attacks, runAttack } from './attacks.ts';
import type { Attack } from './attacks.ts';
import { measureDetector } from './detector.ts';

const help = `Usage: npm run attack -- [PART]

Shows what automated voting achieves; prints tables for content/handbook/proof.md.

  TEXT                    known attacks, and two honest crowds, against an API service on a new database: all of
                          them, or those with TEXT in their name
  adaptive                searches for what gains most for an attacker who knows the thresholds, and tries the small ones
  detector [DAYS [SEED]]  generates so many days (600) of votes, attacks every second one, and prints how many
                          attacks are found and how many honest votes are held
  --help                  show this help

${attacks.map(({ name }) => `  ${name}`).join('\n')}`;

let words: string[] = [];
try {
  const { values, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true });
  if (values.help === true) {
    console.log(help);
    process.exit();
  }
  words = positionals;
} catch (error) {
  refuse((error as Error).message);
}
const [part = '', ...rest] = words;
const numbers = (most: number) => {
  if (rest.length > most || !rest.every((word) => /^[1-9]\d{0,5}$/.test(word)))
    refuse(`“${part}” takes at most ${most} whole numbers.`);
  return rest.map(Number);
};

if (part === 'detector') measureDetector(...numbers(2));
else if (part === 'adaptive') {
  numbers(0);
  const found = budgets.map((budget) => ({ budget, best: searchRecipe(budget) }));
  console.log(`${tableOf(found.map(({ budget, best }) => rowOf(budget, best)))}\n`);
  const small = found.filter(({ best }) => best.recorded <= 2_000);
  console.log(await tryAll(small.map(({ best }) => attackOf(best.recipe))));
} else {
  const chosen = attacks.filter(({ name }) => name.includes(part));
  if (rest.length > 0 || chosen.length === 0) refuse(`No attack has “${words.join(' ')}” in its name.`);
  console.log(await tryAll(chosen));
}

async function tryAll(some: readonly Attack[]): Promise<string> {
  const rows: Row[] = [];
  for (const attack of some) {
    const folder = await mkdtemp(join(tmpdir(), 'weathervane-attack-'));
    const db = openDatabase(`sqlite:${join(folder, 'attack.sqlite')}`);
    await migrate(db);
    const { independent, ...figures } = await runAttack(db, attack);
    await db.destroy();
    await rm(folder, { recursive: true });
    rows.push({
      attack: `${attack.name}, ${attack.minutes} min`,
      tried: `${attack.perMinute * attack.minutes}`,
      ...Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, `${figure}`])),
      independent: independent === null ? '–' : `${independent}`,
    });
  }
  return tableOf(rows);
}

function refuse(reason: string): never {
  console.error(`${reason}\n\n${help}`);
  process.exit(2);
}
