import { expect, test } from 'vitest';
import { emptyContent } from '#domain/poll-draft.ts';
import { moderate } from '#api/moderation/actions.service.ts';
import { importPolls } from '#api/polls/import/poll-import.service.ts';
import { lastImport, undoImport } from '#api/polls/import/undo.service.ts';
import { createPoll } from '#api/polls/editing.service.ts';
import { closePoll, editPoll, reopenPoll } from '#api/polls/managing.service.ts';
import { ask, made, newPoll } from '#api/testing/community-polls.ts';
import { nothing, pollFile, startObserved } from '#api/testing/consequences.ts';
import type { Consequences } from '#api/testing/consequences.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { testNow } from '#api/testing/test-app.ts';
import { iso } from '#platform/clock.ts';
import { silentLogger } from '#platform/logger.ts';
import { lifecycleTask } from './lifecycle.service.ts';

const hour = 3_600_000;
const day = 24 * hour;
const [earlier, soon, end] = [testNow - hour, testNow + hour, testNow + day];

/** A file with one poll. */
const file = (id: string, startsAt: number, isActive = true) =>
  pollFile(`${id},Tea?,D,Yes|No,${isActive},2026-11-01,${iso(startsAt)},${iso(end)},Food`);

const opened = { webhooks: ['+poll.opened tea'] };
const found = { search: ['+poll tea Tea?'] };
const counted = { counters: ['+totalPolls 1', '-totalPolls 0'] };
const reopened = { search: ['+poll tea Tea?', '-report tea Tea?'], counters: ['-archive Food 1'], ...opened };

eachDatabase((open) => {
  async function start() {
    const { db } = await open();
    const { clock, anna, names, after: follows } = await startObserved(db, 'anna');
    const take = (...args: Parameters<typeof file>) => importPolls({ db, clock, source: file(...args) });
    const decide = (action: 'hide' | 'show', id: string) =>
      moderate({ db, clock }, 'operator', { action, kind: 'poll', ids: [id], reason: 'Why', scope: 'each' });
    /** What follows from an act, and whether the next look at the clock adds nothing. */
    const after = async (act: () => Promise<unknown>) => {
      const found = await follows(act);
      expect(await follows(lifecycleTask({ db, clock, log: silentLogger }))).toEqual(nothing);
      return found;
    };
    return { db, clock, anna, names, after, take, decide, turn: lifecycleTask({ db, clock, log: silentLogger }) };
  }
  type Given = Awaited<ReturnType<typeof start>>;

  /** Each act that opens the weekly poll `tea`, what is done before, and what follows. */
  const acts: readonly [
    string,
    (given: Given) => Promise<unknown>,
    (given: Given) => Promise<unknown>,
    Partial<Consequences>,
  ][] = [
    [
      'its start comes',
      ({ take }) => take('tea', soon),
      ({ clock, turn }) => {
        clock.set(soon);
        return turn();
      },
      { ...counted, pages: ['+poll tea opened'] },
    ],
    [
      'an editor publishes it',
      () => Promise.resolve(),
      ({ db }) => {
        const options = ['Yes', 'No', 'Maybe'].map((text, n) => ({ id: `o${n}`, text }));
        const [startsAt, endsAt] = [iso(testNow), iso(end)];
        const content = { ...emptyContent, question: 'Tea?', description: 'D', options, startsAt, endsAt };
        return db.transaction((trx) => createPoll(trx, 'tea', content, { actor: 'operator', now: testNow }));
      },
      { ...found, ...counted, pages: ['+poll tea created'], audit: ['+operator poll.publish poll tea'] },
    ],
    [
      'an editor moves its start to now',
      ({ take }) => take('tea', soon),
      ({ db, clock }) => editPoll({ db, clock }, 'tea', { startsAt: iso(testNow) } as never),
      { ...counted, pages: ['+poll tea edited'], audit: ['+operator poll.edit poll tea'] },
    ],
    [
      'an import adds it',
      () => Promise.resolve(),
      ({ take }) => take('tea', earlier),
      { ...found, ...counted, pages: ['+poll tea imported 1'], audit: ['+terminal import.run import 1'] },
    ],
    [
      'an operator reopens it',
      async ({ db, clock, take }) => {
        await take('tea', earlier);
        await closePoll({ db, clock }, 'tea');
      },
      ({ db, clock }) => reopenPoll({ db, clock }, 'tea'),
      {
        ...reopened,
        pages: [
          '+page /historical/category/food',
          '+page /historical/year/2026',
          '+poll tea reopened',
          '+related Food 3',
        ],
        audit: ['+operator poll.reopen poll tea'],
      },
    ],
    [
      'an import reopens it',
      async ({ take }) => {
        await take('tea', earlier);
        await take('tea', earlier, false);
      },
      ({ take }) => take('tea', earlier),
      {
        ...reopened,
        pages: [
          '+page /historical/category/food 2',
          '+page /historical/year/2026 2',
          '+poll tea reopened 1',
          '+related Food 3',
        ],
        audit: ['+terminal import.run import 3'],
      },
    ],
    [
      'undoing an import reopens it',
      async ({ take }) => {
        await take('tea', earlier);
        await take('tea', earlier, false);
      },
      async ({ db, clock }) => undoImport({ db, clock }, (await lastImport(db))!),
      {
        ...reopened,
        pages: [
          '+page /historical/category/food 2',
          '+page /historical/year/2026 2',
          '+poll tea reopened 1',
          '+related Food 3',
        ],
        audit: ['+terminal import.undo import 2'],
      },
    ],
  ];

  test.each(acts)('a weekly poll opens once when %s', async (_, before, act, consequences) => {
    const given = await start();
    await before(given);
    await given.turn();
    expect(await given.after(() => act(given))).toEqual({ ...nothing, ...opened, ...consequences });
  });

  test('a public community poll opens once: when it is created, when its start comes, or when it is shown after that', async () => {
    const { clock, anna, names, after, decide, turn } = await start();
    const create = async () => {
      names[(await made(anna, { question: 'Tea?' })).id] = 'tea';
    };
    expect(await after(create)).toEqual({
      ...nothing,
      ...counted,
      ...opened,
      pages: ['+community tea created'],
      search: ['+community tea Tea?'],
      activities: ['+anna poll.created tea'],
    });

    names[(await made(anna, { ...newPoll, startsAt: iso(soon) })).id] = 'tea';
    await turn();
    clock.set(soon);
    expect(await after(turn)).toEqual({ ...nothing, ...opened });

    const hidden = (await made(anna, { ...newPoll, startsAt: iso(soon + hour) })).id;
    names[hidden] = 'tea';
    await decide('hide', hidden);
    clock.set(soon + hour);
    await turn();
    expect((await after(() => decide('show', hidden))).webhooks).toEqual(opened.webhooks);
    expect((await ask(anna, `/api/community-polls/${hidden}`)).status).toBe(200);
  });

  test('a poll whose start a clock that was fast has passed opens again at its start, on pages and for webhooks', async () => {
    const { clock, after, take, turn } = await start();
    await take('tea', soon);
    const consequences = { ...nothing, ...counted, ...opened, pages: ['+poll tea opened'] };
    const openAt = (moment: number) =>
      after(() => {
        clock.set(moment);
        return turn();
      });
    expect(await openAt(soon)).toEqual(consequences);
    expect(await openAt(testNow)).toEqual({ ...nothing, counters: ['+totalPolls 0', '-totalPolls 1'] });
    expect(await openAt(soon)).toEqual(consequences);
  });
});
