import { afterEach, expect, test } from 'vitest';
import type { EditedPoll, PollContent } from './poll-editor.contract.ts';
import type { Poll } from './polls.contract.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { askAdmin } from '#api/testing/operators.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

let app: TestApp;
afterEach(() => app.close());

async function start(db: Database, ...ids: string[]): Promise<void> {
  await seedPolls(
    db,
    ids.map((id) => ({ id })),
  );
  app = await startTestApp(db, { clock: fixedClock(testNow) });
}

const polls = '/api/admin/polls';
const read = (id: string) => askAdmin<EditedPoll>(app, 'GET', `${polls}/${id}`);
const save = (id: string, version: number, part: Partial<PollContent>) =>
  askAdmin<EditedPoll>(app, 'PATCH', `${polls}/${id}/draft`, { version, ...part });
const publish = (id: string, version: number) => askAdmin(app, 'POST', `${polls}/${id}/publish`, { version });
const unpublish = (id: string) => askAdmin<EditedPoll>(app, 'POST', `${polls}/${id}/unpublish`);
const remove = (id: string, redirectTo?: string) =>
  askAdmin(app, 'DELETE', `${polls}/${id}`, { reason: 'Twice.', ...(redirectTo !== undefined && { redirectTo }) });
const shown = async (id: string) => (await app.fetch(`/api/polls/${id}`)).status;
const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status).sort();

eachDatabase((open) => {
  test('polls that are deleted with links at the same time leave no loop, and no link to a poll that was gone', async () => {
    const { db } = await open();
    await start(db, 'a', 'b', 'c', 'd', 'e', 'f', 'g');
    const crossed = await Promise.all([remove('a', 'b'), remove('b', 'a')]);
    expect(statuses(crossed)).toEqual([204, 400]);
    expect([await shown('a'), await shown('b')].sort()).toEqual([200, 410]);

    const twice = await Promise.all([remove('c', 'd'), remove('c', 'e')]);
    expect(statuses(twice)).toEqual([204, 404]);
    const redirect_to = twice[0].status === 204 ? 'd' : 'e';
    expect(await db('deleted_polls').where({ id: 'c' })).toMatchObject([{ redirect_to }]);

    const [linked, deleted] = await Promise.all([remove('f', 'g'), remove('g')]);
    expect(deleted.status).toBe(204);
    expect([204, 400]).toContain(linked.status);
    expect(await shown('f')).toBe(linked.status === 204 ? 410 : 200);
    await expectExactCounters(db);
  });

  test('saving while a poll is deleted leaves no draft, and while it is unpublished, one with its texts', async () => {
    const { db } = await open();
    await start(db, 'tea', 'coffee', 'milk');
    const author = { author: 'Ana' };
    await Promise.all([save('tea', 0, author), remove('tea'), save('tea', 0, { category: 'Food' })]);
    expect(await db('poll_drafts')).toEqual([]);
    for (const id of ['coffee', 'milk']) {
      const { version, content } = (await save(id, 0, author)).body;
      // Saved first, the draft has nothing to publish, and is deleted.
      await Promise.all([save(id, version, { author: null }), unpublish(id)]);
      expect((await read(id)).body).toMatchObject({ state: 'draft', content: { question: content.question } });
    }
  });

  test('the editor and the preview link find a poll at every moment while it is published and unpublished', async () => {
    const { db } = await open();
    await start(db, 'tea');
    const question = 'What about tea?';
    const { previewToken } = (await read('tea')).body;
    const preview = () => askAdmin<Poll>(app, 'GET', `/api/polls/tea?preview=${encodeURIComponent(previewToken)}`);
    for (let round = 0; round < 3; round += 1) {
      const [draft, ...back] = await Promise.all([unpublish('tea'), preview(), read('tea'), preview()]);
      const { version } = draft.body;
      const seen = await Promise.all([preview(), publish('tea', version), preview(), read('tea'), preview()]);
      expect(statuses([draft, ...back, ...seen])).toEqual(Array.from({ length: 9 }, () => 200));
      for (const { body } of [back[0], back[2], seen[0], seen[2], seen[4]]) expect(body).toMatchObject({ question });
    }
    await remove('tea');
    expect((await preview()).status).toBe(410);
  });
});
