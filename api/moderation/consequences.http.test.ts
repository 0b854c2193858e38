import { expect, test } from 'vitest';
import type { Comment } from '#api/comments/comments.contract.ts';
import type { BodyOf } from '#api/endpoints.contract.ts';
import { ask, castVote, made } from '#api/testing/community-polls.ts';
import { nothing, startObserved } from '#api/testing/consequences.ts';
import type { Consequences } from '#api/testing/consequences.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { testNow } from '#api/testing/test-app.ts';
import { liftEnded, moderate } from './actions.service.ts';
import { decideAppeal } from './appeals.service.ts';
import { appeal } from './decisions.service.ts';

const day = 86_400_000;
type Kind = BodyOf<'moderate'>['kind'];

eachDatabase((open) => {
  /** A public poll by Anna with a vote and a comment by Ben, both reported by Carla. */
  async function start() {
    const { db } = await open();
    const { clock, anna, ben, carla, names, after } = await startObserved(db, 'anna', 'ben', 'carla');
    const { id } = await made(anna);
    const path = `/api/community-polls/${id}`;
    expect((await castVote(ben, id)).status).toBe(200);
    const { body: comment } = await ask<Comment>(ben, `${path}/comments`, 'POST', { content: 'Coffee!' });
    const commentPath = `${path}/comments/${comment.id}`;
    for (const reported of [path, commentPath])
      expect((await ask(carla, `${reported}/report`, 'POST', { category: 'spam' })).status).toBe(204);
    Object.assign(names, { [comment.id]: 'words', [id]: 'dinner' });
    const ids: Record<Kind, string> = { poll: id, comment: comment.id, member: anna.user.id };
    const decided = (action: BodyOf<'moderate'>['action'], kind: Kind, more: object = {}) =>
      moderate({ db, clock }, 'operator', { action, kind, ids: [ids[kind]], reason: 'Why', scope: 'each', ...more });
    const granted = async () => {
      await appeal({ db, clock }, anna.user.id, 1, 'I sell nothing.');
      await decideAppeal({ db, clock }, 'operator', 1, { granted: true, reason: 'Looked again' });
    };
    return { db, clock, anna, ben, commentPath, after, decided, granted };
  }
  type Given = Awaited<ReturnType<typeof start>>;

  const gone = {
    ...nothing,
    pages: ['+community dinner removed'],
    search: ['-community dinner Tea or coffee?'],
    counters: ['+totalPolls 0', '+totalVotes 0', '-totalPolls 1', '-totalVotes 1'],
  };
  const back = {
    ...nothing,
    pages: ['+community dinner restored'],
    search: ['+community dinner Tea or coffee?'],
    counters: ['+totalPolls 1', '+totalVotes 1', '-totalPolls 0', '-totalVotes 0'],
  };
  const uncounted = { ...nothing, counters: ['-comments dinner 1'] };
  const counted = { ...nothing, counters: ['+comments dinner 1'] };
  const onDinner = '+operator moderation.decide poll dinner';
  const onAnna = '+operator moderation.decide member anna';
  const onWords = '+operator moderation.decide comment words';
  const none = () => Promise.resolve();

  const table: readonly [
    string,
    (given: Given) => Promise<unknown>,
    (given: Given) => Promise<unknown>,
    Consequences,
  ][] = [
    [
      'an operator hides a poll',
      none,
      ({ decided }) => decided('hide', 'poll'),
      { ...gone, audit: [onDinner], notifications: ['+anna moderation action:1 Why', '+carla report action:1'] },
    ],
    [
      'an operator shows it again',
      ({ decided }) => decided('hide', 'poll'),
      ({ decided }) => decided('show', 'poll'),
      { ...back, audit: [onDinner], notifications: ['+anna moderation action:2 Why'] },
    ],
    [
      'a granted appeal shows it again, of which its creator is told once',
      ({ decided }) => decided('hide', 'poll'),
      ({ granted }) => granted(),
      {
        ...back,
        audit: ['+operator moderation.appeal poll dinner', onDinner],
        notifications: ['+anna moderation action:1 Looked again', '-anna moderation action:1 Why'],
      },
    ],
    [
      'an operator suspends a member with a poll',
      none,
      ({ decided }) => decided('suspend', 'member', { days: 1 }),
      { ...gone, audit: [onAnna], notifications: ['+anna moderation action:1 Why', '+carla report action:1'] },
    ],
    [
      'an operator lifts the suspension',
      ({ decided }) => decided('suspend', 'member', { days: 1 }),
      ({ decided }) => decided('lift', 'member'),
      { ...back, audit: [onAnna], notifications: ['+anna moderation action:2 Why'] },
    ],
    [
      'its time is up',
      ({ decided }) => decided('suspend', 'member', { days: 1 }),
      ({ db, clock }) => {
        clock.set(testNow + day);
        return liftEnded({ db, clock });
      },
      { ...back, notifications: [expect.stringMatching(/^\+anna moderation action:2 /) as string] },
    ],
    [
      'a granted appeal lifts it, of which the member is told once',
      ({ decided }) => decided('suspend', 'member', { days: 1 }),
      ({ granted }) => granted(),
      {
        ...back,
        audit: ['+operator moderation.appeal member anna', onAnna],
        notifications: ['+anna moderation action:1 Looked again', '-anna moderation action:1 Why'],
      },
    ],
    [
      'an operator hides a comment',
      none,
      ({ decided }) => decided('hide', 'comment'),
      { ...uncounted, audit: [onWords], notifications: ['+ben moderation action:1 Why', '+carla report action:1'] },
    ],
    [
      'an operator shows a comment again',
      ({ decided }) => decided('hide', 'comment'),
      ({ decided }) => decided('show', 'comment'),
      { ...counted, audit: [onWords], notifications: ['+ben moderation action:2 Why'] },
    ],
    [
      'the poll’s creator hides a comment',
      none,
      ({ anna, commentPath }) => ask(anna, `${commentPath}/hidden`, 'POST', { hidden: true }),
      { ...uncounted, notifications: ['+ben moderation words', '+carla report words'] },
    ],
    [
      'an operator deletes a comment',
      none,
      ({ decided }) => decided('delete', 'comment'),
      { ...uncounted, audit: [onWords], notifications: ['+ben moderation action:1 Why', '+carla report action:1'] },
    ],
    [
      'the poll’s creator deletes a comment',
      none,
      ({ anna, commentPath }) => ask(anna, commentPath, 'DELETE'),
      { ...uncounted, notifications: ['+ben moderation words', '+carla report words'] },
    ],
    ['its author deletes a comment', none, ({ ben, commentPath }) => ask(ben, commentPath, 'DELETE'), uncounted],
  ];

  test.each(table)('what follows when %s', async (_, before, act, consequences) => {
    const given = await start();
    await before(given);
    expect(await given.after(() => act(given))).toEqual(consequences);
  });

  test('while a moderator hides and shows a poll, its creator can hide and show comments', async () => {
    const { anna, commentPath, decided } = await start();
    for (let round = 0; round < 8; round++) {
      const hidden = round % 2 === 0;
      const [shown] = await Promise.all([
        ask(anna, `${commentPath}/hidden`, 'POST', { hidden }),
        decided(hidden ? 'hide' : 'show', 'poll'),
      ]);
      expect([round, shown.status]).toEqual([round, 204]);
    }
  });
});
