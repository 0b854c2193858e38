import { expect, test } from 'vitest';
import { moderate } from '#api/moderation/actions.service.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { lastImport, undoImport } from '#api/polls/import/undo.service.ts';
import { closePoll } from '#api/polls/managing.service.ts';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { nothing, pollFile, startObserved } from '#api/testing/consequences.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { testPassword } from '#api/testing/people.ts';
import { testNow } from '#api/testing/test-app.ts';
import { iso } from '#platform/clock.ts';
import { closeDue } from './lifecycle.service.ts';

const hour = 3_600_000;
const day = 24 * hour;
const end = testNow + hour;

/** A file with the poll `tea`, open or closed. */
const file = (isActive: boolean) => pollFile(`tea,Tea?,D,Yes|No,${isActive},2026-11-01,2026-11-01,${iso(end)},Food`);

eachDatabase((open) => {
  /** A weekly poll and a community poll by Anna, on both of which Ben has voted. */
  async function start() {
    const { db } = await open();
    const { clock, anna, ben, names, after } = await startObserved(db, 'anna', 'ben');
    const { id } = await made(anna, { endsAt: iso(end + hour) });
    await importPolls({ db, clock, source: file(true) });
    const [optionId] = await db('ballot_options').where({ ballot_id: 'tea' }).pluck('option_id');
    expect((await ask(ben, '/api/polls/tea/vote', 'POST', { optionId })).status).toBe(200);
    expect((await castVote(ben, id)).status).toBe(200);
    // Members hear of results since they registered.
    clock.set(testNow + 1);
    names[id] = 'dinner';
    return { db, clock, anna, id, after };
  }

  /** What follows whoever closes a weekly poll. */
  const weekly = {
    ...nothing,
    pages: ['+poll tea closed'],
    search: ['+report tea Tea?', '-poll tea Tea?'],
    counters: ['+archive Food 1'],
    notifications: ['+ben result tea'],
    webhooks: ['+poll.closed tea'],
  };

  test.each([
    [
      'its end time',
      ({ db, clock }) => {
        clock.set(end);
        return closeDue({ db, clock });
      },
      {},
    ],
    ['an operator', ({ db, clock }) => closePoll({ db, clock }, 'tea'), { audit: ['+operator poll.close poll tea'] }],
    [
      'an import',
      ({ db, clock }) => importPolls({ db, clock, source: file(false) }),
      { audit: ['+terminal import.run import 2'], pages: ['+poll tea closed 1', '+related Food 3'] },
    ],
  ] satisfies [string, (given: Awaited<ReturnType<typeof start>>) => Promise<unknown>, object][])(
    'the same follows from the closing of a weekly poll by %s',
    async (_, act, more) => {
      const given = await start();
      expect(await given.after(() => act(given))).toEqual({ ...weekly, ...more });
    },
  );

  test('the same follows when undoing an import closes a weekly poll again', async () => {
    const { db, clock, after } = await start();
    await closePoll({ db, clock }, 'tea');
    await importPolls({ db, clock, source: file(true) });
    const undo = async () => undoImport({ db, clock }, (await lastImport(db))!);
    const pages = ['+poll tea closed 1', '+related Food 3'];
    expect(await after(undo)).toEqual({ ...weekly, pages, audit: ['+terminal import.undo import 2'] });
  });

  /** What follows whoever closes a public community poll. */
  const community = {
    ...nothing,
    pages: ['+community dinner closed'],
    badges: [],
    notifications: ['+ben result dinner'],
    webhooks: ['+poll.closed dinner'],
  };

  test.each([
    [
      'its end time',
      async ({ db, clock }) => {
        await db('ballots')
          .where({ id: 'tea' })
          .update({ ends_at: end + day });
        clock.set(end + hour);
        return closeDue({ db, clock });
      },
      {},
    ],
    ['its creator', ({ anna, id }) => ask(anna, `/api/community-polls/${id}/close`, 'POST'), {}],
    [
      'a moderator',
      ({ db, clock, id }) =>
        moderate({ db, clock }, 'operator', {
          action: 'close',
          kind: 'poll',
          ids: [id],
          reason: 'Over',
          scope: 'each',
        }),
      {
        audit: ['+operator moderation.decide poll dinner'],
        notifications: ['+anna moderation action:1 Over', '+ben result dinner'],
      },
    ],
    [
      'the deletion of its creator’s account',
      ({ anna }) => ask(anna, '/api/user', 'DELETE', { username: 'anna', password: testPassword }),
      {
        activities: ['-anna badge.earned early_adopter', '-anna poll.created dinner'],
        badges: expect.not.arrayContaining([expect.stringMatching(/^\+/)]) as string[],
        notifications: ['+ben result dinner', '-anna badge badges'],
      },
    ],
  ] satisfies [string, (given: Awaited<ReturnType<typeof start>>) => Promise<unknown>, object][])(
    'the same follows from the closing of a public community poll by %s',
    async (_, act, more) => {
      const given = await start();
      expect(await given.after(() => act(given))).toEqual({ ...community, ...more });
    },
  );
});
