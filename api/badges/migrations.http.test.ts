import { expect, test } from 'vitest';
import { migrate } from '#platform/database.ts';
import { dummyHash } from '#platform/password-hash.ts';
import { projectAll, badgesOf, expectAllProjected, eventsOf, storedProgress } from '#api/testing/badge-state.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { testNow } from '#api/testing/test-app.ts';
import { recordEvent, recordSignUp } from './events.service.ts';

const step = { name: '011_activity.ts' };
/** Computes columns from those the step adds. */
const later = { name: '014_hot_ballots.ts' };
/** Stores whether sign-ups were early. */
const latest = { name: '024_early_adopters.ts' };
/** Rename the votes that the step reads, and give them another format. */
const compactVotes = [{ name: '027_ballot_keys.ts' }, { name: '028_compact_votes.ts' }];
/** Refer to the keys of ballots. */
const ballotKeys = [
  '105_ballot_papers.ts',
  '104_nonces.ts',
  '100_protection.ts',
  '103_known_devices.ts',
  '096_log_differences.ts',
  '088_network_votes.ts',
  '089_independent_votes.ts',
  '093_reopened_logs.ts',
  '061_insights.ts',
  '048_community_lists_sorted.ts',
  '034_guesses.ts',
  '033_option_days.ts',
  '032_integrity_scores.ts',
  '031_vote_log.ts',
  '030_integrity.ts',
];
const newProgress = { name: '026_progress.ts' };
const qualifiedPolls = { name: '051_qualified_polls_and_report_queue.ts' };

eachDatabase((open) => {
  test('what members did before events existed earns badges, too', async () => {
    const { db } = await open();
    const referring = ballotKeys.map((name) => ({ name }));
    for (const migration of [...referring, ...compactVotes.toReversed(), latest, later, step])
      await db.migrate.down(migration);
    expect(await db.schema.hasTable('facts')).toBe(false);
    await seedPolls(db, [{ id: 'p' }]);
    for (const id of ['anna', 'ben']) await seedMember(db, id);
    await db('users')
      .where({ id: 'ben' })
      .update({ created_at: testNow + 1 });
    await seedDiscussedPoll(db, { id: 'tea', createdBy: 'anna', visibility: 'private', guests: ['ben'] });
    await db('community_polls').update({ category: 'Business & Finance', comment_count: 1, featured: true });
    await db('ballot_options').insert({ ballot_id: 'tea', option_id: 'o1', position: 0, text: 'Tea', votes: 1 });
    await db('ballots').where({ id: 'tea' }).update({ total_votes: 1, closed_at: testNow, is_active: false });
    await db('community_poll_guests').update({ accepted_at: testNow });
    const at = { created_at: testNow, updated_at: testNow };
    await db('comments').insert({ id: 'c', poll_id: 'tea', user_id: 'ben', content: 'Ünïcödé 😀', ...at });
    for (const [voter, ballot_id] of [
      ['ben', 'tea'],
      ['ben', 'p'],
      [null, 'p'],
    ] as const)
      await db('votes').insert({
        ballot_id,
        option_id: 'o1',
        voter_fingerprint: `device of ${voter}`,
        user_id: voter,
        created_at: testNow,
      });

    for (const migration of [step, later, latest]) await db.migrate.up(migration);
    await migrate(db, { voterKey: 'a voter key of thirty-two letters' });
    await projectAll(db);
    expect(await eventsOf(db, 'anna')).toEqual(
      expect.arrayContaining([
        { type: 'account_created', at: testNow, early: true },
        {
          type: 'poll_created',
          at: testNow - 86_400_000,
          pollId: 'tea',
          visibility: 'private',
          category: 'Business & Finance',
          options: 1,
        },
        { type: 'own_poll_closed', at: testNow, pollId: 'tea', votes: 1, first: 1, second: 0 },
      ]),
    );
    expect(await eventsOf(db, 'ben', 'comment_posted')).toEqual([
      { type: 'comment_posted', at: testNow, commentId: 'c', pollId: 'tea', length: 9 },
    ]);
    expect(await eventsOf(db, 'ben', 'account_created')).toMatchObject([{ early: true }]);
    expect((await storedProgress(db, 'anna')).mostVotes).toBe(1);
    expect(await badgesOf(db, 'anna')).toEqual(['early_adopter', 'front_page']);
    expect(await badgesOf(db, 'ben')).toEqual(['by_invitation', 'comments_1', 'early_adopter', 'votes_1']);
    await expectAllProjected(db);
  });

  test('earlier sign-ups are early among the first hundred, or within 90 days of the first account', async () => {
    const { db } = await open();
    await db.migrate.down(latest);
    const day = 86_400_000;
    const signUps = [
      { id: 'first', at: testNow, membersBefore: 0 },
      { id: 'hundredth', at: testNow + 200 * day, membersBefore: 99 },
      { id: 'crowd', at: testNow + 90 * day - 1, membersBefore: 5_000 },
      { id: 'late', at: testNow + 90 * day, membersBefore: 100 },
    ];
    const signUp = async ({ id, at, membersBefore }: (typeof signUps)[number]) => {
      await seedMember(db, id);
      await db('users').where({ id }).update({ created_at: at });
      const details = JSON.stringify({ membersBefore });
      await db('facts').insert({ user_id: id, fact: 'account_created', subject: '', at, details });
    };
    for (const one of signUps) await signUp(one);
    // A demonstration account, older than the first member.
    await seedMember(db, 'locked');
    await db('users').where({ id: 'locked' }).update({ created_at: 0, password: dummyHash });
    await db.migrate.up(latest);
    // A process of the previous release may still be running.
    await signUp({ id: 'straggler', at: testNow + 1, membersBefore: 4 });
    for (const [id, isEarly] of [
      ['first', true],
      ['hundredth', true],
      ['crowd', true],
      ['late', false],
      ['straggler', true],
    ] as const)
      expect([id, await eventsOf(db, id, 'account_created')]).toEqual([
        id,
        [expect.objectContaining({ early: isEarly })],
      ]);
  });

  test('earlier polls count for badges if five others have voted on them, whether or not they still exist', async () => {
    const { db } = await open();
    await seedMember(db, 'anna');
    await recordSignUp(db, 'anna', testNow, null);
    await db.migrate.down(qualifiedPolls);
    const poll = { visibility: 'public', category: null, options: 2 } as const;
    for (const [pollId, votes] of Object.entries({ four: 4, five: 5, 'five-and-own': 6, 'four-and-own': 5 })) {
      await recordEvent(db, 'anna', { type: 'poll_created', at: testNow, pollId, ...poll });
      await recordEvent(db, 'anna', { type: 'own_poll_voted', at: testNow, pollId, votes });
      const ballot = {
        ballotId: pollId,
        kind: 'community',
        category: null,
        ownPoll: true,
        startsAt: 0,
        endsAt: null,
      } as const;
      if (pollId.endsWith('-own')) await recordEvent(db, 'anna', { type: 'vote_cast', at: testNow, ...ballot });
    }
    await projectAll(db);
    await db('progress').update({ figures: JSON.stringify({ version: 3 }) });
    await db.migrate.up(qualifiedPolls);
    await projectAll(db);
    expect((await eventsOf(db, 'anna', 'own_poll_qualified')).map(({ pollId }) => pollId).sort()).toEqual([
      'five',
      'five-and-own',
    ]);
    expect((await storedProgress(db, 'anna')).counts).toMatchObject({ polls: 4, qualifiedPolls: 2 });
    await expectAllProjected(db);
  });

  test('progress of the previous release is computed again from the events', async () => {
    const { db } = await open();
    await seedMember(db, 'anna');
    await recordSignUp(db, 'anna', testNow, null);
    for (const pollId of ['p', 'q']) await recordEvent(db, 'anna', { type: 'poll_shared', at: testNow, pollId });
    await projectAll(db);
    await db.migrate.down(newProgress);
    await db('facts').update({ counted: true });
    await db('progress').update({ figures: JSON.stringify({ version: 2 }), stale: true, revision: 7 });
    await db.migrate.up(newProgress);
    await projectAll(db);
    expect((await storedProgress(db, 'anna')).counts.shares).toBe(2);
    expect(await badgesOf(db, 'anna')).toEqual(['early_adopter']);
    await expectAllProjected(db);
  });
});
