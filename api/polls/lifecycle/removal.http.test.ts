import { expect, test } from 'vitest';
import { removeDemonstration } from '#api/admin/demonstration.service.ts';
import { setFeatured } from '#api/polls/community/community-polls.service.ts';
import { moderate } from '#api/moderation/actions.service.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { lastImport, undoImport } from '#api/polls/import/undo.service.ts';
import { closePoll } from '#api/polls/managing.service.ts';
import { previewLinks } from '#api/polls/preview-links.service.ts';
import { deletePoll, unpublishPoll } from '#api/polls/removal.service.ts';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { nothing, pollFile, startObserved } from '#api/testing/consequences.ts';
import type { Consequences } from '#api/testing/consequences.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { testNow } from '#api/testing/test-app.ts';
import { demonstrationMembers } from '#content/demo/community-polls.ts';
import { iso } from '#platform/clock.ts';

const hour = 3_600_000;

/** A file with the closed poll `cake`, and another with the open poll `tea`. */
const file = (id: string, isActive: boolean) =>
  pollFile(`${id},${id}?,D,Yes|No,${isActive},2026-11-01,2026-11-01,${iso(testNow + hour)},Food`);

const uncounted = { counters: ['+totalPolls 0', '-totalPolls 1'] };

eachDatabase((open) => {
  async function start() {
    const { db } = await open();
    const { clock, anna, ben, names, after } = await startObserved(db, 'anna', 'ben');
    const take = (id: string, isActive = true) => importPolls({ db, clock, source: file(id, isActive) });
    const context = { db, clock, previews: previewLinks(['key'], clock), protections: [] };
    return { db, clock, anna, ben, names, after, take, context };
  }
  type Given = Awaited<ReturnType<typeof start>>;

  /** What follows whoever removes the open weekly poll `tea`, on which nobody has voted. */
  const weekly = { ...nothing, ...uncounted, pages: ['+poll tea removed'], search: ['-poll tea tea?'] };

  test.each([
    [
      'an operator deletes it',
      ({ db, clock }) => deletePoll({ db, clock }, 'tea', { reason: 'A mistake' }, 'operator'),
      { audit: ['+operator poll.delete poll tea'] },
    ],
    [
      'an operator turns it into a draft again',
      ({ context }) => unpublishPoll(context, 'tea', 'operator'),
      { audit: ['+operator poll.unpublish poll tea'] },
    ],
    [
      'undoing an import deletes it',
      async ({ db, clock }) => undoImport({ db, clock }, (await lastImport(db))!),
      { audit: ['+terminal import.undo import 1'], pages: ['+poll tea removed 1'] },
    ],
    [
      'an operator removes the demo',
      async ({ db, clock }) => removeDemonstration({ db, clock }, 'operator'),
      { audit: ['+operator demonstration.remove poll tea'] },
    ],
  ] satisfies [string, (given: Given) => Promise<unknown>, Partial<Consequences>][])(
    'the same follows for a weekly poll when %s',
    async (title, act, more) => {
      const given = await start();
      await given.take('tea');
      if (title.endsWith('demo')) await given.db('polls').update({ demonstration: true });
      expect(await given.after(() => act(given))).toEqual({ ...weekly, ...more });
    },
  );

  test('a closed poll leaves the archive, its lists, and the reports that link to it, and its voters keep what they did', async () => {
    const { db, clock, ben, after, take } = await start();
    await take('cake');
    const [optionId] = await db('ballot_options').where({ ballot_id: 'cake' }).pluck('option_id');
    expect((await ask(ben, '/api/polls/cake/vote', 'POST', { optionId })).status).toBe(200);
    clock.set(testNow + 1);
    await closePoll({ db, clock }, 'cake');
    expect(await after(() => deletePoll({ db, clock }, 'cake', { reason: 'A mistake' }, 'operator'))).toEqual({
      ...nothing,
      pages: [
        '+page /historical/category/food removed',
        '+page /historical/year/2026 removed',
        '+poll cake removed',
        '+related Food removed 1',
      ],
      search: ['-report cake cake?'],
      counters: [...uncounted.counters, '+totalVotes 0', '-archive Food 1', '-totalVotes 1'].sort(),
      audit: ['+operator poll.delete poll cake'],
    });
  });

  /** What follows whoever removes a public community poll by Anna with a vote by Ben. */
  const community = {
    ...nothing,
    pages: ['+community dinner removed'],
    search: ['-community dinner Tea or coffee?'],
    counters: [...uncounted.counters, '+totalVotes 0', '-totalVotes 1'].sort(),
  };

  test.each([
    ['its creator deletes it', ({ anna, id }) => ask(anna, `/api/community-polls/${id}`, 'DELETE'), {}],
    [
      'a moderator deletes it',
      ({ db, clock, id }) =>
        moderate({ db, clock }, 'operator', {
          action: 'delete',
          kind: 'poll',
          ids: [id],
          reason: 'Spam',
          scope: 'each',
        }),
      { audit: ['+operator moderation.decide poll dinner'], notifications: ['+anna moderation action:1 Spam'] },
    ],
    [
      'an operator removes the demo',
      ({ db, clock }) => removeDemonstration({ db, clock }, 'operator'),
      { audit: ['+operator demonstration.remove community-poll dinner'] },
    ],
  ] satisfies [string, (given: Given & { id: string }) => Promise<unknown>, Partial<Consequences>][])(
    'the same follows for a public community poll when %s',
    async (title, act, more) => {
      const given = await start();
      const { db, anna, ben, names, after } = given;
      const { id } = await made(anna);
      expect((await castVote(ben, id)).status).toBe(200);
      names[id] = 'dinner';
      if (title.endsWith('demo')) {
        const [locked] = Object.values(demonstrationMembers);
        const user = {
          id: locked!.id,
          username: 'demo',
          username_key: 'demo',
          password: '',
          created_at: 0,
          updated_at: 0,
        };
        await db('users').insert(user);
        await db('community_polls').where({ id }).update({ created_by: user.id });
      }
      expect(await after(() => act({ ...given, id }))).toEqual({ ...community, ...more });
    },
  );

  test('featuring a poll, or ending that, has its consequences once', async () => {
    const { db, clock, anna, names, after } = await start();
    const { id } = await made(anna);
    names[id] = 'dinner';
    const feature = (featured: boolean) => () => setFeatured({ db, clock }, id, featured, 'operator');
    const audit = ['+operator poll.feature community-poll dinner'];
    expect(await after(feature(true))).toEqual({
      ...{ ...nothing, audit },
      pages: ['+community dinner featured'],
      badges: expect.arrayContaining(['+anna poll.featured dinner']) as string[],
      activities: expect.anything() as string[],
      notifications: expect.arrayContaining(['+anna featured dinner']) as string[],
    });
    expect(await after(feature(true))).toEqual(nothing);
    expect(await after(feature(false))).toEqual({ ...nothing, audit, pages: ['+community dinner unfeatured'] });
    expect(await after(feature(false))).toEqual(nothing);
  });
});
