import { expect, test } from 'vitest';
import { knownMigrations } from '#platform/database.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedMember } from '#api/testing/discussions.ts';

eachDatabase((open) => {
  test('mail, digests, and deliveries that wait during the update become jobs, and are what they were on the way back', async () => {
    const { db } = await open();
    const later = knownMigrations().filter((name) => name >= '120');
    const down = async () => {
      for (const name of later.toReversed()) await db.migrate.down({ name });
    };
    await down();
    await seedMember(db, 'u');
    await db('mail_outbox').insert({
      ...{ kind: 'vote-code', user_id: 'u', recipient: 'a"b@example.org', data: null },
      ...{ attempts: 2, created_at: 5, due_at: 9 },
    });
    await db('notification_readers').insert({ user_id: 'u', results_after: 0, digest: 'daily', digest_due_at: 77 });
    await db('webhooks').insert({ id: 'w', url: 'https://x.org/', events: 'poll.opened', secret: 's', created_at: 0 });
    const delivery = { webhook_id: 'w', message_id: 'm', type: 't', data: '{}', created_at: 3, attempts: 1 };
    for (const due_at of [12, null]) await db('webhook_deliveries').insert({ ...delivery, due_at });
    const waiting = async () => [
      await db('mail_outbox'),
      await db('notification_readers').select('digest', 'digest_due_at'),
      await db('webhook_deliveries').orderBy('id').select('due_at', 'attempts'),
    ];
    const before = await waiting();
    for (const name of later) await db.migrate.up({ name });
    const jobs = await db('jobs').orderBy('id').select('kind', 'lane', 'user_id', 'payload', 'due_at', 'attempts');
    expect(jobs.map((job: { payload: string }) => ({ ...job, payload: JSON.parse(job.payload) as unknown }))).toEqual([
      {
        ...{ kind: 'mail', lane: '', user_id: 'u', due_at: 9, attempts: 2 },
        payload: { about: 'vote-code', recipient: 'a"b@example.org', data: null },
      },
      { kind: 'digest', lane: '', user_id: 'u', due_at: 77, attempts: 0, payload: {} },
      { kind: 'delivery', lane: 'w', user_id: null, due_at: 12, attempts: 1, payload: {} },
    ]);
    await down();
    expect(await waiting()).toEqual(before);
  });
});
