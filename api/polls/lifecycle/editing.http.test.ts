import { expect, test } from 'vitest';
import { raiseProtection } from '#api/integrity/flags.service.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { lastImport, undoImport } from '#api/polls/import/undo.service.ts';
import { editPoll } from '#api/polls/managing.service.ts';
import { previewLinks } from '#api/polls/preview-links.service.ts';
import { restorePoll } from '#api/polls/versions.service.ts';
import { ask, made } from '#api/testing/community-polls.ts';
import { nothing, pollFile, startObserved } from '#api/testing/consequences.ts';
import type { Consequences } from '#api/testing/consequences.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { testNow } from '#api/testing/test-app.ts';
import { pollProtections } from '#contract/vocabulary.ts';
import { iso } from '#platform/clock.ts';

const olga = { id: null, name: 'olga', role: 'owner' } as const;

/** A file with the open poll `tea`. */
const file = (question: string) =>
  pollFile(`tea,${question},D,Yes|No,true,2026-11-01,2026-11-01,${iso(testNow + 86_400_000)},Food`);

eachDatabase((open) => {
  async function start() {
    const { db } = await open();
    const { clock, anna, names, after } = await startObserved(db, 'anna');
    const take = (question = 'Tea?') => importPolls({ db, clock, source: file(question) });
    const versions = () => db('poll_versions').orderBy('number').pluck('created_by');
    const context = { db, clock, previews: previewLinks(['key'], clock), protections: pollProtections };
    return { db, clock, anna, take, names, after, versions, context };
  }
  type Given = Awaited<ReturnType<typeof start>>;

  const reworded = { search: ['+poll tea Coffee?', '-poll tea Tea?'] };
  const edit = ({ db, clock }: Given) => editPoll({ db, clock }, 'tea', { question: 'Coffee?' }, 'olga');

  test.each([
    [
      'an operator edits it',
      () => Promise.resolve(),
      edit,
      { ...reworded, pages: ['+poll tea edited'], audit: ['+olga poll.edit poll tea'] },
      [null, 'olga'],
    ],
    [
      'an operator restores a version',
      edit,
      async ({ db, context }) => {
        const [at] = await db('polls').pluck('updated_at');
        return restorePoll(context, 'tea', { publishedAt: iso(at!), from: 1 }, 'olga');
      },
      {
        pages: ['+poll tea edited'],
        search: ['+poll tea Tea?', '-poll tea Coffee?'],
        audit: ['+olga poll.restore poll tea'],
      },
      [null, 'olga', 'olga'],
    ],
    [
      'a moderator requires more of votes on it',
      () => Promise.resolve(),
      ({ context }) => raiseProtection(context, 'tea', olga, { protection: 'members', note: 'An attack' }),
      { pages: ['+poll tea edited'], audit: ['+olga votes.protection poll tea'] },
      [null, 'olga'],
    ],
    [
      'an import changes it, which is one entry of the audit log and in no version until the next edit',
      () => Promise.resolve(),
      ({ take }) => take('Coffee?'),
      { ...reworded, pages: ['+poll tea imported 1'], audit: ['+terminal import.run import 2'] },
      [],
    ],
    [
      'undoing that import changes it back',
      ({ take }) => take('Coffee?'),
      async ({ db, clock }) => undoImport({ db, clock }, (await lastImport(db))!),
      {
        pages: ['+poll tea restored 1'],
        search: ['+poll tea Tea?', '-poll tea Coffee?'],
        audit: ['+terminal import.undo import 2'],
      },
      [],
    ],
  ] satisfies [
    string,
    (given: Given) => Promise<unknown>,
    (given: Given) => Promise<unknown>,
    Partial<Consequences>,
    (string | null)[],
  ][])('what follows for a weekly poll when %s', async (_, before, act, consequences, versions) => {
    const given = await start();
    await given.take();
    await before(given);
    given.clock.set(testNow + 60_000);
    expect(await given.after(() => act(given))).toEqual({ ...nothing, ...consequences });
    expect(await given.versions()).toEqual(versions);
  });

  test('what follows for a community poll when its creator edits it depends on who can find it', async () => {
    const { anna, names, after } = await start();
    for (const visibility of ['public', 'unlisted'] as const) {
      const { id } = await made(anna, { visibility });
      names[id] = 'dinner';
      const act = () => ask(anna, `/api/community-polls/${id}`, 'PATCH', { question: 'Which one?' });
      expect(await after(act)).toEqual(
        visibility === 'unlisted'
          ? nothing
          : {
              ...{ ...nothing, pages: ['+community dinner edited'] },
              search: ['+community dinner Which one?', '-community dinner Tea or coffee?'],
            },
      );
    }
  });
});
