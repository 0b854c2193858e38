import { badgeKeys } from '#api/members/badges/badges.contract.ts';
import { accountKey } from '#domain/account-rules.ts';
import { badges } from '#domain/badges/rules.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { findUserByKey } from '#api/members/accounts/accounts.service.ts';
import { progressFor } from '#api/members/badges/awards.service.ts';
import { badgeHolders, badgeTrackerOf } from '#api/members/badges/badges.service.ts';
import { badgeCategoryNames, badgeWords } from '#texts/badges.ts';
import { badgesCommandTexts as texts } from '#texts/badges-command.ts';
import { runCommand } from './command-line.ts';
import { openInstallation, prepareDatabase } from './prepare.ts';

/** The exit code for invalid arguments. */
const usageError = 2;

await runCommand({
  help: texts.usage,
  positionals: true,
  options: { user: { type: 'string' } },
  async run({ user: name }, [verb, ...words]) {
    if (verb === undefined) return refuse(texts.noVerb, usageError);
    if (verb !== 'list') return refuse(texts.unknownVerb(verb), usageError);
    if (words[0] !== undefined) return refuse(texts.tooMany(words[0]), usageError);
    const config = readConfig();
    const db = openInstallation(config);
    try {
      await prepareDatabase(db, config);
      const member = name === undefined ? null : await findUserByKey(db, accountKey(name));
      if (member === undefined) return refuse(texts.noSuchMember(name ?? ''), 1);
      return await (member ? listOf(db, member.id) : list(db));
    } finally {
      await db.destroy();
    }
  },
});

function refuse(sentence: string, code: number): number {
  console.error(sentence);
  return code;
}

async function list(db: Database): Promise<number> {
  const holders = await badgeHolders(db);
  const [members] = await db('users').count<{ count: number | string }[]>({ count: '*' });
  const rows = badgeKeys.map((key) => [
    key,
    badgeWords[key].name,
    badgeCategoryNames[badges[key].category],
    badges[key].tier === 'legacy' ? texts.hidden : badges[key].tier,
    (holders.get(key) ?? 0).toLocaleString('en-US'),
  ]);
  printTable(Object.values(texts.heads), rows);
  const held = [...holders.values()].reduce((sum, count) => sum + count, 0);
  console.log(`\n${texts.total(held, Number(members?.count))}`);
  return 0;
}

async function listOf(db: Database, id: string): Promise<number> {
  const tracker = await badgeTrackerOf(db, id, await progressFor(db, id));
  const rows = tracker.badges.map(({ key, earnedAt, current, target }) => [
    key,
    badgeWords[key].name,
    earnedAt === null
      ? `${current.toLocaleString('en-US')} of ${target.toLocaleString('en-US')}`
      : earnedAt.slice(0, 16).replace('T', ' '),
  ]);
  printTable(Object.values(texts.memberHeads), rows);
  return 0;
}

function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heads.map((head, n) => Math.max(head.length, ...rows.map((row) => row[n]?.length ?? 0)));
  for (const row of [heads, ...rows])
    console.log(`  ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')}`.trimEnd());
}
