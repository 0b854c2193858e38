import { expect, test } from 'vitest';
import type { Database } from '#platform/database.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { expectExactCommentCounts, seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { testNow } from '#api/testing/test-app.ts';
import { runCommandOn } from '#api/testing/empty-places.ts';
import { runCommandHere } from '#api/testing/run-command.ts';

const moderate = (url: string, ...words: string[]) => runCommandHere('moderate', { url }, ...words);

async function seedDiscussion(db: Database): Promise<void> {
  for (const id of ['anna', 'ben', 'carla']) await seedMember(db, id);
  await db('users').where({ id: 'anna' }).update({ first_name: 'Anna', last_name: 'Berg' });
  await seedDiscussedPoll(db, {
    id: 'parks',
    createdBy: 'anna',
    question: 'Which of these should a city do first about its oldest streets?',
  });
  const at = { poll_id: 'parks', created_at: testNow, updated_at: testNow };
  await db('comments').insert([
    { id: 'c1', user_id: 'anna', content: 'Buy cheap watches', ...at },
    { id: 'c2', user_id: 'ben', content: `Rude\n\u001b[31mred\u202e ${'words '.repeat(40)}`, ...at },
    { id: 'c3', user_id: 'ben', content: 'Nobody minds', ...at },
  ]);
  await db('community_polls').update({ comment_count: 3 });
  const about = (id: string) => ({ kind: 'comment' as const, subject: id, comment_id: id });
  await db('reports').insert([
    { ...about('c1'), user_id: 'ben', category: 'spam', reason: 'watches', created_at: testNow },
    { ...about('c2'), user_id: 'anna', category: 'abuse', reason: null, created_at: testNow + 60_000 },
    { ...about('c1'), user_id: 'carla', category: 'other', reason: 'advertisement', created_at: testNow + 30_000 },
  ]);
}

oneDatabase((open) => {
  test('what was reported is listed with author, text, and reasons, newest report first', async () => {
    const { db, url } = await open();
    await seedDiscussion(db);
    const { code, output } = await runCommandOn('moderate', { url }, 'reported');
    expect(code).toBe(0);
    expect(output).toContain('2 entries are waiting for a decision, newest report first.');
    const lines = output.split('\n').map((line) => line.trimEnd());
    const place = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line));
    const c1 = place(
      /^ {2}comment +c1 +shown +2 {2}2026-11-20 12:00 +anna +Which of these should a city do first ab…$/,
    );
    const c2 = place(/^ {2}comment +c2 +shown +1 {2}2026-11-20 12:01 +ben +Which of these/);
    expect(c2).toBeGreaterThan(0);
    expect(c1).toBeGreaterThan(c2);
    expect(lines.slice(c1 + 1, c1 + 3)).toEqual([
      '    text     Buy cheap watches',
      '    reasons  Something else: advertisement | Spam or advertising: watches',
    ]);
    expect(lines[c2 + 1]).toMatch(/^ {4}text {5}Rude \[31mred words words/);
    expect(lines[c2 + 2]).toMatch(/^ {13}words/);
    expect(output).toContain('    reasons  Harassment or hate');
    // Nothing that a visitor wrote may control the operator’s terminal.
    expect(output).not.toMatch(/[\u001b\u202e]/);
    expect(output).not.toContain('c3');
  });

  test('decisions about comments, polls, and members are recorded with their reason', async () => {
    const { db, url } = await open();
    await seedDiscussion(db);
    const decided = (...words: string[]) => moderate(url, ...words, '--reason', ' Advertising ');
    expect(await decided('hide', 'comment', 'c1', 'c2')).toMatchObject({
      ...{ code: 0, output: 'hide: comment c1\nhide: comment c2\n' },
    });
    await expectExactCommentCounts(db);
    expect(await db('comments').where({ hidden: true }).orderBy('id').pluck('id')).toEqual(['c1', 'c2']);
    expect((await moderate(url, 'reported')).output).toBe('No reports are waiting for a decision.\n');
    expect(await decided('show', 'comment', 'c1', 'c9')).toEqual({
      code: 1,
      output: 'show: comment c1\n',
      complaint: expect.stringContaining('There is no comment c9.') as string,
    });
    expect((await decided('suspend', 'member', 'Ben', '--days', '7')).code).toBe(0);
    expect(await db('users').whereNotNull('suspended_until').pluck('id')).toEqual(['ben']);
    const log = await db('moderation_actions').orderBy('id').select('actor', 'action', 'subject', 'reason');
    expect(log.map(({ action, subject }: { action: string; subject: string }) => `${action} ${subject}`)).toEqual([
      ...['hide c1', 'hide c2', 'show c1', 'suspend ben'],
    ]);
    expect(log[0]).toMatchObject({ actor: 'terminal', reason: 'Advertising' });
  });

  test('without reports, the command says so', async () => {
    const { url } = await open();
    expect(await moderate(url, 'reported')).toMatchObject({
      code: 0,
      output: 'No reports are waiting for a decision.\n',
    });
  });
});

test.each([
  ['nothing', [], 'Missing command: use reported, or ACTION KIND ID'],
  ['an unknown word', ['scold', 'comment', 'c1'], 'Unknown command: scold'],
  ['no kind', ['hide', 'c1', '--reason', 'Rude'], 'npm run operate -- moderate hide comment|poll ID...'],
  [
    'an action that doesn’t fit',
    ['close', 'comment', 'c1', '--reason', 'Rude'],
    'npm run operate -- moderate close poll ID...',
  ],
  ['no id', ['hide', 'comment', '--reason', 'Rude'], 'Missing id: npm run operate -- moderate hide comment ID...'],
  ['no reason', ['hide', 'comment', 'c1'], 'Missing reason: add --reason "WHY".'],
  ['a blank reason', ['hide', 'comment', 'c1', '--reason', ' '], 'Missing reason: add --reason "WHY".'],
  [
    'a wrong number of days',
    ['suspend', 'member', 'ben', '--reason', 'Spam', '--days', '0'],
    '--days takes a whole number',
  ],
  ['more than reported', ['reported', 'all'], 'reported takes no arguments.'],
  ['an unknown option', ['reported', '--all'], "Unknown option '--all'"],
])('%s prints an error message and exits with 2', async (_, words, sentence) => {
  const { code, output, complaint } = await moderate('sqlite::memory:', ...words);
  expect(complaint).toContain(sentence);
  expect(complaint).not.toContain('    at ');
  expect([code, output]).toEqual([2, '']);
});

test('an unreachable database prints an error message', async () => {
  const { code, complaint } = await moderate('postgres://nobody@127.0.0.1:1/none', 'reported');
  expect(complaint).toContain('The database is not responding');
  expect(complaint).not.toContain('    at ');
  expect(code).toBe(1);
});
