import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase } from '#platform/database.ts';
import { budgets, cellsOf, columns, searchRecipe } from './adaptive.ts';
import { attackOf, attacks, runAttack } from './attacks.ts';
import type { Attack } from './attacks.ts';
import { attackTexts } from './texts.ts';
import { wordsAfterHelp } from './words.ts';

/** Runs the attacks and prints their table; the adaptive attacker has one of its own. */

const adaptive = 'adaptive';

const [word = ''] = wordsAfterHelp(attackTexts.attack(attacks.map(({ name }) => name)), 1);
if (word === adaptive) {
  console.log(`| ${columns.join(' | ')} |`);
  console.log(`| ${columns.map(() => '---').join(' | ')} |`);
  const found = budgets.map((budget) => {
    const best = searchRecipe(budget);
    console.log(`| ${cellsOf(budget, best).join(' | ')} |`);
    return best;
  });
  console.log('\nThe cheapest ones against an API service:\n');
  const recipes = found.filter(({ recorded }) => recorded <= 2_000).map(({ recipe }) => attackOf(recipe));
  await report(recipes);
  process.exit();
}
const chosen = attacks.filter(({ name }) => name.includes(word));
if (chosen.length === 0) {
  console.error(
    attackTexts.noAttack(
      word,
      attacks.map(({ name }) => name),
    ),
  );
  process.exit(2);
}
await report(chosen);

async function report(some: readonly Attack[]): Promise<void> {
  console.log(
    '| attack | votes tried | requests | accounts | CPU of challenges | recorded | flagged | counted | after review |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const attack of some) {
    const folder = await mkdtemp(join(tmpdir(), 'weathervane-attack-'));
    const db = openDatabase(`sqlite:${join(folder, 'attack.sqlite')}`);
    await migrate(db);
    const { requests, registered, cpuSeconds, recorded, flagged, counted, reviewed } = await runAttack(db, attack);
    const cells = [
      ...[`${attack.name}, ${attack.minutes} minutes`, attack.perMinute * attack.minutes, requests, registered],
      ...[`${cpuSeconds.toFixed(0)} s`, recorded, flagged, counted, reviewed],
    ];
    console.log(`| ${cells.join(' | ')} |`);
    await db.destroy();
    await rm(folder, { recursive: true });
  }
}
