import { expect, test } from 'vitest';
import { awardAll } from '#api/testing/badge-state.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedMember } from '#api/testing/discussions.ts';
import { testNow } from '#api/testing/test-app.ts';
import { recordSignUp } from '#api/members/badges/sign-up.service.ts';
import { record } from '#api/events/record.service.ts';
import { runCommandHere } from '#api/testing/run-command.ts';

const runBadges = (url: string, ...words: string[]) => runCommandHere('badges', { url }, ...words);

oneDatabase((open) => {
  async function start() {
    const { db, url } = await open();
    for (const [id, shares] of [
      ['anna', 6],
      ['ben', 2],
    ] as const) {
      await seedMember(db, id);
      await recordSignUp(db, id, testNow, null);
      for (let n = 0; n < shares; n++)
        await record(db, { type: 'poll.shared', at: testNow, member: id, subject: { kind: 'poll', id: `p${n}` } });
    }
    return { db, url };
  }

  test('list shows all badges with their holders, or one member’s progress', async () => {
    const { db, url } = await start();
    await awardAll(db);
    const { output } = await runBadges(url, 'list');
    expect(output.split('\n').filter((line) => line.startsWith('  '))).toHaveLength(55);
    expect(output).toMatch(/ {2}shares_5 .+ 1\n/);
    expect(output).toContain('3 badges held by 2 members.');
    const annas = (await runBadges(url, 'list', '--user', 'anna')).output;
    expect(annas).toMatch(/shares_5 .+2026-11-20 12:00/);
    expect(annas).toMatch(/shares_25 .+6 of 25/);
  });

  test('an unknown member is reported', async () => {
    const { url } = await start();
    expect(await runBadges(url, 'list', '--user', 'carl')).toEqual({
      code: 1,
      output: '',
      complaint: 'There is no member “carl”.\n',
    });
  });
});

test.each([
  [[], 'Missing command: use list'],
  [['delete'], 'Unknown command: delete. Use list'],
  [['list', 'anna'], 'Unexpected argument: anna.'],
])('%j is refused with an error message', async (words, sentence) => {
  const { code, output, complaint } = await runBadges('sqlite::memory:', ...words);
  expect(complaint).toContain(sentence);
  expect({ code, output }).toEqual({ code: 2, output: '' });
});
