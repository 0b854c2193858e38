import { expect, test } from 'vitest';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { testNow } from '#api/testing/test-app.ts';
import { seedVote } from '#api/testing/votes.ts';
import { reconcile } from './reconcile.service.ts';

/* Many tests end by checking every counter against its rows; these test that wrong counters are found. */

eachDatabase((open) => {
  test('every kind of wrong counter is found, with both numbers', async () => {
    const { db } = await open();
    await seedPolls(db, [
      { id: 'p', votes: [3, 4, 5] },
      { id: 'old', closedAt: testNow - 1, category: 'Science', votes: [7] },
    ]);
    await seedMember(db, 'anna');
    await seedDiscussedPoll(db, { id: 'c', createdBy: 'anna', visibility: 'unlisted' });
    expect(await reconcile(db)).toEqual({ wrongCounters: [], recordedVotes: 0 });

    await seedVote(db, { ballotId: 'p', optionId: 'o1' });
    await db('comments').insert({
      ...{ id: 'c1', poll_id: 'c', user_id: 'anna', content: 'Well.' },
      ...{ created_at: testNow, updated_at: testNow },
    });
    await db('ballots').where({ id: 'old' }).update({ base_votes: 5 });
    await db('archive_categories').update({ closed_polls: 2 });
    await db('statistics').where({ shard: 5 }).update({ total_polls: 1 });
    const { wrongCounters, recordedVotes } = await reconcile(db);
    expect(wrongCounters.map(({ counter, counted, expected }) => [counter, counted, expected])).toEqual([
      ['closed polls of category "Science"', 2, 1],
      ['comments of community poll c', 0, 1],
      ['headline imported_votes', 19, 17],
      ['headline participants', 0, 1],
      ['headline polls', 3, 2],
      ['headline votes', 19, 18],
      ['imported votes of ballot old', 5, 7],
      ['votes of ballot old', 7, 5],
      ['votes of ballot p', 12, 13],
      ['votes of option p/o1', 3, 4],
    ]);
    expect(recordedVotes).toBe(1);
  });
});
