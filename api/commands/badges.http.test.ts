import { expect, test } from 'vitest';
import { badgesOf, projectAll, expectAllProjected, storedProgress } from '#api/testing/badge-state.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedMember } from '#api/testing/discussions.ts';
import { testNow } from '#api/testing/test-app.ts';
import { recordEvent, recordSignUp } from '#api/badges/events.service.ts';
import { runCommandOn } from '#api/testing/empty-places.ts';
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
      for (let n = 0; n < shares; n++) await recordEvent(db, id, { type: 'poll_shared', at: testNow, pollId: `p${n}` });
    }
    return { db, url };
  }

  test('recompute projects what is pending, finds everything correct, and changes nothing', async () => {
    const { db, url } = await start();
    await projectAll(db);
    const before = [await db('badges').orderBy('id'), await db('activities').orderBy('id')];
    expect(await runCommandOn('badges', { url }, 'recompute')).toEqual({
      code: 0,
      output: 'Recalculated 2 members. Everything was correct.\n',
      complaint: '',
    });
    expect([await db('badges').orderBy('id'), await db('activities').orderBy('id')]).toEqual(before);
    await recordEvent(db, 'ben', { type: 'poll_shared', at: testNow, pollId: 'one more' });
    expect((await runBadges(url, 'recompute')).code).toBe(0);
    expect((await storedProgress(db, 'ben')).counts.shares).toBe(3);
    await expectAllProjected(db);
  });

  test('recompute restores missing badges and figures, of one member or all', async () => {
    const { db, url } = await start();
    await projectAll(db);
    const damage = async () => {
      await db('badges').del();
      await db('activities').where({ activity_type: 'badge_earned' }).del();
      const empty = { ...(await storedProgress(db, 'anna')), badges: [] };
      await db('progress').update({ figures: JSON.stringify({ ...empty, counts: { ...empty.counts, shares: 0 } }) });
    };
    await damage();
    const one = await runBadges(url, 'recompute', '--user', 'ANNA');
    expect(one.output).toContain('Recalculated 1 member: 2 badges added, figures of 1 member corrected.');
    expect(one.output).toMatch(/ {2}anna: .+, .+/);
    expect([await badgesOf(db, 'anna'), await badgesOf(db, 'ben')]).toEqual([['early_adopter', 'shares_5'], []]);
    await damage();
    expect((await runBadges(url, 'recompute')).output).toContain('3 badges added');
    expect([await badgesOf(db, 'anna'), await badgesOf(db, 'ben')]).toEqual([
      ['early_adopter', 'shares_5'],
      ['early_adopter'],
    ]);
    await expectAllProjected(db);
  });

  test('list shows all badges with their holders, or one member’s progress', async () => {
    const { db, url } = await start();
    await projectAll(db);
    const { output } = await runBadges(url, 'list');
    expect(output.split('\n').filter((line) => line.startsWith('  '))).toHaveLength(55);
    expect(output).toMatch(/ {2}shares_5 .+ 1\n/);
    expect(output).toContain('3 badges held by 2 members.');
    const annas = (await runBadges(url, 'list', '--user', 'anna')).output;
    expect(annas).toMatch(/shares_5 .+2026-11-20 12:00/);
    expect(annas).toMatch(/shares_25 .+6 of 25/);
  });

  test('an unknown member and a member who cannot be recounted are reported', async () => {
    const { db, url } = await start();
    expect(await runBadges(url, 'recompute', '--user', 'carl')).toEqual({
      code: 1,
      output: '',
      complaint: 'There is no member “carl”. Nothing was changed.\n',
    });
    await projectAll(db);
    await db('facts').where({ user_id: 'anna', fact: 'poll_shared' }).update({ details: 'not JSON' });
    const { code, complaint } = await runCommandOn('badges', { url }, 'recompute');
    expect(code).toBe(1);
    expect(complaint).toContain('1 member could not be recalculated');
  });
});

test.each([
  [[], 'Missing command: use list or recompute'],
  [['delete'], 'Unknown command: delete. Use list or recompute'],
  [['recompute', 'anna'], 'Unexpected argument: anna.'],
])('%j is refused with an error message', async (words, sentence) => {
  const { code, output, complaint } = await runBadges('sqlite::memory:', ...words);
  expect(complaint).toContain(sentence);
  expect({ code, output }).toEqual({ code: 2, output: '' });
});
