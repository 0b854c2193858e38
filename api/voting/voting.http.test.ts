import { expect, test } from 'vitest';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { startTestApp } from '#api/testing/test-app.ts';

eachDatabase((open) => {
  test('a vote is counted once and the answer is the poll with the vote in it', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'p', votes: [2, 1, 0] }]);
    const app = await startTestApp(db);
    const vote = () =>
      app.fetch('/api/polls/p/vote', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-device-id': 'device_12345678' },
        body: JSON.stringify({ optionId: 'o2' }),
      });
    const first = await vote();
    expect(first.status).toBe(200);
    expect(await first.json()).toMatchObject({ totalVotes: 4, hasVoted: true, userVote: 'o2' });
    const second = await vote();
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ code: 'ALREADY_VOTED', userVote: 'o2', poll: { totalVotes: 4 } });
    await app.close();
  });
});
