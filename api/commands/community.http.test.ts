import { expect, test } from 'vitest';
import type { Database } from '#platform/database.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { runCommandOn } from '#api/testing/empty-places.ts';
import { runCommandHere } from '#api/testing/run-command.ts';

const runCommunity = (url: string, ...words: string[]) => runCommandHere('community', { url }, ...words);

async function storePoll(db: Database, id: string, visibility: 'public' | 'unlisted'): Promise<void> {
  const isPublic = visibility === 'public';
  await db('ballots').insert({ id, kind: 'community', listed: isPublic, in_totals: isPublic, starts_at: 0 });
  await db('community_polls').insert({ id, question: 'Tea?', visibility, created_at: 0, updated_at: 0 });
}

oneDatabase((open) => {
  test('the operator features a public poll by id or URL, and undoes it; the change is recorded', async () => {
    const { db, url } = await open();
    const id = 'xk3v0';
    for (const one of [id, 'other']) await storePoll(db, one, 'public');
    const featured = () => db('community_polls').whereRaw('featured').pluck('id');
    expect(await runCommandOn('community', { url }, 'feature', id)).toMatchObject({
      code: 0,
      output: `${id} is now featured.\n`,
    });
    expect(await featured()).toEqual([id]);
    expect(await waitingPages(db).pluck('key')).toEqual([id]);
    const address = `https://polls.example.org/community-polls/${id}/?from=list#vote`;
    expect(await runCommunity(url, 'unfeature', address)).toMatchObject({
      code: 0,
      output: `${id} is no longer featured.\n`,
    });
    expect(await featured()).toEqual([]);
  });

  test('a private or missing poll is reported, and nothing changes', async () => {
    const { db, url } = await open();
    await storePoll(db, 'hidden', 'unlisted');
    const refused = await runCommunity(url, 'feature', 'hidden');
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(refused.complaint).toContain('is not public');
    expect((await runCommunity(url, 'feature', 'nothing')).complaint).toBe('There is no community poll “nothing”.\n');
    expect(await waitingPages(db)).toEqual([]);
  });
});

test.each([
  [[], 'Missing command: use feature ID or unfeature ID'],
  [['delete', 'x'], 'Unknown command: delete. Use feature ID or unfeature ID'],
  [['feature'], 'Missing poll id: npm run operate -- community feature ID'],
  [['feature', 'a', 'b'], 'One poll at a time'],
])('%j prints an error message', async (words, sentence) => {
  const { code, output, complaint } = await runCommunity('sqlite::memory:', ...words);
  expect(complaint).toContain(sentence);
  expect({ code, output }).toEqual({ code: 2, output: '' });
});
