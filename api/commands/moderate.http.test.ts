import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Database } from '#platform/database.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { expectExactCommentCounts, seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { testNow } from '#api/testing/test-app.ts';

const script = new URL('moderate.ts', import.meta.url).pathname;

/** Runs the command and returns its exit code and output. */
function moderate(url: string, ...words: string[]) {
  const env = { ...process.env, DATABASE_URL: url, NODE_ENV: 'test' };
  return new Promise<{ code: number; output: string; complaint: string }>((done) => {
    execFile(process.execPath, [script, ...words], { env }, (error, output, complaint) =>
      done({ code: error === null ? 0 : Number(error.code), output, complaint }),
    );
  });
}

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
  await db('comment_reports').insert([
    { comment_id: 'c1', user_id: 'ben', reason: 'spam', created_at: testNow },
    { comment_id: 'c2', user_id: 'anna', reason: null, created_at: testNow + 60_000 },
    { comment_id: 'c1', user_id: 'carla', reason: 'advertisement', created_at: testNow + 30_000 },
  ]);
}

oneDatabase((open) => {
  test('reported comments are listed with poll, author, text, and reasons, newest report first', async () => {
    const { db, url } = await open();
    await seedDiscussion(db);
    const { code, output } = await moderate(url, 'reported');
    expect(code).toBe(0);
    expect(output).toContain('2 comments have been reported, newest report first.');
    const lines = output.split('\n').map((line) => line.trimEnd());
    const place = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line));
    const c1 = place(/^ {2}c1 +shown +2 {2}2026-11-20 12:00 +Anna Berg {2}Which of these should a city do first ab…$/);
    const c2 = place(/^ {2}c2 +shown +1 {2}2026-11-20 12:01 +ben {8}Which of these/);
    expect(c2).toBeGreaterThan(0);
    expect(c1).toBeGreaterThan(c2);
    expect(lines.slice(c1 + 1, c1 + 3)).toEqual([
      '    text     Buy cheap watches',
      '    reasons  advertisement | spam',
    ]);
    expect(lines[c2 + 1]).toMatch(/^ {4}text {5}Rude \[31mred words words/);
    expect(lines[c2 + 2]).toMatch(/^ {13}words/);
    expect(output).toContain('    reasons  none given');
    // Nothing that a visitor wrote may control the operator’s terminal.
    expect(output).not.toMatch(/[\u001b\u202e]/);
    expect(output).not.toContain('c3');
  });

  test('a comment can be hidden and shown again, once each, and is counted accordingly', async () => {
    const { db, url } = await open();
    await seedDiscussion(db);
    const state = async () => {
      await expectExactCommentCounts(db);
      return db('comments').where({ hidden: true }).pluck<string[]>('id');
    };
    expect(await moderate(url, 'hide', 'c1')).toMatchObject({ code: 0, output: 'c1 is now hidden.\n' });
    expect(await state()).toEqual(['c1']);
    expect(await moderate(url, 'hide', 'c1')).toMatchObject({ code: 0, output: 'c1 was already hidden.\n' });
    expect(await state()).toEqual(['c1']);
    expect((await moderate(url, 'reported')).output).toMatch(/^ {2}c1 +hidden +2/m);
    expect(await moderate(url, 'unhide', 'c1')).toMatchObject({ code: 0, output: 'c1 is visible again.\n' });
    expect(await state()).toEqual([]);
    const missing = await moderate(url, 'hide', 'c9');
    expect(missing).toEqual({
      code: 1,
      output: '',
      complaint: expect.stringContaining('There is no comment c9;') as string,
    });
  });
});

test('without reported comments, the command says so', async () => {
  expect(await moderate('sqlite::memory:', 'reported')).toMatchObject({
    code: 0,
    output: 'No comments have been reported.\n',
  });
});

test.each([
  ['nothing', [], 'Missing command: use reported, hide COMMENT_ID, or unhide COMMENT_ID'],
  ['an unknown word', ['delete', 'c1'], 'Unknown command: delete. Use reported, hide COMMENT_ID, or unhide COMMENT_ID'],
  ['no comment', ['hide'], 'Missing comment id: npm run moderate -- hide COMMENT_ID'],
  ['two comments', ['hide', 'c1', 'c2'], 'hide takes one comment at a time.'],
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

test('--help explains the command', async () => {
  const { code, output } = await moderate('sqlite::memory:', '--help');
  expect(output).toContain('npm run moderate -- hide COMMENT_ID');
  expect(code).toBe(0);
});
