import { expect, test } from 'vitest';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { openDatabase } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import { seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { badgesOf, projectAll, expectAllProjected, storedProgress } from '#api/testing/badge-state.ts';
import { runDue, testWork } from '#api/testing/background.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { expectExactCounters } from '#api/testing/exact-counters.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { testNow } from '#api/testing/test-app.ts';
import { slow } from '#api/testing/slow.ts';
import { newDigest } from '#api/testing/votes.ts';
import { removeAccount } from '#api/accounts/accounts.service.ts';
import { createVotingIntake } from '#api/voting/intake.service.ts';
import { projectPending } from './activity.service.ts';
import { recordEvent, recordSignUp } from './events.service.ts';
import { projectMembers } from './projector.service.ts';

const clock = fixedClock(testNow);

/** Casts votes as the API does, without projecting them, as if the process had died right after the commit. */
async function castAndDie(db: Database, userId: string, ballots: readonly [id: string, kind: 'poll' | 'community'][]) {
  const intake = createVotingIntake({ db, clock, log: silentLogger });
  const outcomes = await Promise.all(
    ballots.map(([ballotId, kind]) => {
      return intake.cast({ ballotId, kind, optionId: 'o1', voter: { device: newDigest(), cookie: null, userId } });
    }),
  );
  await intake.drain();
  expect(outcomes.map(({ status }) => status)).toEqual(ballots.map(() => 'recorded'));
}

/** Members with everything that can be pending: votes, a comment, a closed poll with votes, a guest. */
async function addPendingActivity(db: Database): Promise<void> {
  await seedPolls(db, [{ id: 'p' }, { id: 'q' }]);
  for (const id of ['anna', 'ben']) {
    await seedMember(db, id);
    await recordSignUp(db, id, testNow, null);
  }
  await seedDiscussedPoll(db, { id: 'tea', createdBy: 'anna', visibility: 'private', guests: ['ben'] });
  for (const [position, option_id] of ['o1', 'o2'].entries())
    await db('ballot_options').insert({ ballot_id: 'tea', option_id, position, text: option_id });
  await castAndDie(db, 'anna', [
    ['p', 'poll'],
    ['q', 'poll'],
    ['tea', 'community'],
  ]);
  await castAndDie(db, 'ben', [['tea', 'community']]);
  await db('community_poll_guests').update({ accepted_at: testNow });
  await db('ballots').where({ id: 'tea' }).update({ is_active: false, closed_at: testNow });
  await db('comments').insert({
    id: 'c',
    poll_id: 'tea',
    user_id: 'ben',
    content: 'Hello',
    created_at: testNow,
    updated_at: testNow,
  });
  await db('community_polls').increment('comment_count', 1);
  await recordEvent(db, 'ben', { type: 'comment_posted', at: testNow, commentId: 'c', pollId: 'tea', length: 5 });
}

const annasBadges = ['early_adopter', 'own_horn', 'votes_1'];
const bensBadges = ['by_invitation', 'comments_1', 'early_adopter', 'votes_1'];

async function expectProjected(db: Database): Promise<void> {
  await expectAllProjected(db);
  expect(await badgesOf(db, 'anna')).toEqual(annasBadges);
  expect(await badgesOf(db, 'ben')).toEqual(bensBadges);
  const { counts, mostVotes, mostComments } = await storedProgress(db, 'anna');
  expect({ mostVotes, mostComments, ...counts }).toMatchObject({
    mostVotes: 2,
    mostComments: 1,
    votes: 3,
    acceptedInvites: 1,
  });
  expect(await db('facts').where({ fact: 'own_poll_closed' })).toHaveLength(1);
}

eachDatabase((open) => {
  test('badges that were not awarded when the process died are awarded at the next start', async () => {
    const { db } = await open();
    await addPendingActivity(db);
    expect(await badgesOf(db, 'anna')).toEqual([]);
    await runDue({ db, clock }, testWork({ db, clock }), 'activity');
    expect(await badgesOf(db, 'anna')).toEqual(annasBadges);
    await projectAll(db);
    await expectProjected(db);
  });

  test(
    'a process that dies at any statement of projecting leaves nothing out and projects nothing twice',
    { ...slow, timeout: 120_000 },
    async () => {
      for (let statement = 1, died = true; died; statement++) {
        const { db, url } = await open();
        await addPendingActivity(db);
        const dying = openDatabase(url);
        let seen = 0;
        died = false;
        dying.on('query', () => {
          if (++seen < statement) return;
          died = true;
          throw new Error('the process died');
        });
        await projectPending({ db: dying, clock, log: silentLogger }).catch(() => undefined);
        await dying.destroy();
        await projectAll(db);
        await expectProjected(db);
        if (!died) expect(statement).toBeGreaterThan(30);
      }
    },
  );

  test('a member for whom projecting fails is left for later; the others are projected', async () => {
    const { db } = await open();
    await addPendingActivity(db);
    await db('progress').insert({ user_id: 'ben', figures: 'not JSON' });
    await projectPending({ db, clock, log: silentLogger });
    expect(await badgesOf(db, 'anna')).toEqual(annasBadges);
    expect(await badgesOf(db, 'ben')).toEqual([]);
    await db('progress').where({ user_id: 'ben' }).del();
    await projectAll(db);
    await expectProjected(db);
    await expectExactCounters(db);
  });

  test('a member who was deleted meanwhile is skipped', async () => {
    const { db } = await open();
    await addPendingActivity(db);
    await db.transaction((trx) => removeAccount(trx, 'ben'));
    expect(await projectMembers(db, ['ben', 'nobody'])).toEqual({ more: false, others: [] });
    await projectAll(db);
    await expectAllProjected(db);
  });

  test('events of a very active member are projected in portions', async () => {
    const { db } = await open();
    await seedMember(db, 'anna');
    await recordSignUp(db, 'anna', testNow, null);
    for (let n = 0; n < 1_203; n++)
      await recordEvent(db, 'anna', { type: 'poll_opened', at: testNow + n, pollId: `poll-${n}` });
    expect(await projectMembers(db, ['anna'])).toMatchObject({ more: true });
    await projectAll(db);
    expect((await storedProgress(db, 'anna')).counts.openedPolls).toBe(1_203);
    await expectAllProjected(db);
  });
});
