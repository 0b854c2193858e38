import { expect, test } from 'vitest';
import { caughtUp, badgesOf, expectAllCounted, factsOf, figuresOf } from '#api/testing/counted-members.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { testNow } from '#api/testing/test-app.ts';

const step = { name: '011_activity.ts' };
/** Computes columns from those that the step adds. */
const later = { name: '014_hot_ballots.ts' };
/** Says of sign-ups whether they were early. */
const latest = { name: '024_early_adopters.ts' };

eachDatabase((open) => {
  test('what members did before there were facts is counted too', async () => {
    const { db } = await open();
    await db.migrate.down(latest);
    await db.migrate.down(later);
    await db.migrate.down(step);
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

    await db.migrate.up(step);
    await db.migrate.up(later);
    await db.migrate.up(latest);
    await caughtUp(db);
    expect(await factsOf(db, 'anna')).toEqual(
      expect.arrayContaining([
        { fact: 'account_created', at: testNow, early: true },
        {
          fact: 'poll_created',
          at: testNow - 86_400_000,
          pollId: 'tea',
          visibility: 'private',
          category: 'Business & Finance',
          options: 1,
        },
        { fact: 'own_poll_closed', at: testNow, pollId: 'tea', votes: 1, first: 1, second: 0 },
      ]),
    );
    expect(await factsOf(db, 'ben', 'comment_posted')).toEqual([
      { fact: 'comment_posted', at: testNow, commentId: 'c', pollId: 'tea', length: 9 },
    ]);
    expect(await factsOf(db, 'ben', 'account_created')).toMatchObject([{ early: true }]);
    expect((await figuresOf(db, 'anna')).mostVotes).toBe(1);
    expect(await badgesOf(db, 'anna')).toEqual(['early_adopter', 'front_page', 'polls_1']);
    expect(await badgesOf(db, 'ben')).toEqual(['by_invitation', 'comments_1', 'early_adopter', 'votes_1']);
    await expectAllCounted(db);
  });
});
