import { expect, test } from 'vitest';
import { knownMigrations } from '#platform/database.ts';
import { waitingChanges } from '#api/publishing/changes.service.ts';
import { endedPublishes, lastPublish } from '#api/publishing/job.service.ts';
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

  test('what waits to be published, and the publishes that are over, stay through the update, and on the way back', async () => {
    const { db } = await open();
    const name = '132_publishing_jobs.ts';
    await db.migrate.down({ name });
    const about = [{ kind: 'site', event: null, count: 1, keys: ['a "reason"'] }];
    const ended = { status: 'succeeded', reason: 'r', about: '[]', changed: 0, error: null };
    const failed = { ...ended, status: 'failed', error: 'No disk.' };
    await db('build_jobs').insert([
      { ...ended, reason: 'ü', about: JSON.stringify(about), started_at: 1, finished_at: 2, changed: 3 },
      { ...failed, started_at: 3, finished_at: 4, changed: 1, error: 'One page.' },
      { ...failed, started_at: 5, finished_at: 6 },
      { ...ended, started_at: 7, finished_at: 8 },
      { ...ended, status: 'running', started_at: 9, finished_at: null },
    ]);
    const change = { event: null, attempts: 0, cursor: null };
    await db('publish_changes').insert([
      { ...change, kind: 'poll', key: 'tea', event: 'removed', priority: 0, due_at: 5 },
      { ...change, kind: 'site', key: 'a "reason"', priority: 0, due_at: 70, attempts: 3, cursor: 'code' },
      { ...change, kind: 'page', key: '/ü', priority: 2, due_at: 6 },
      { ...change, kind: 'related', key: 'Food', event: 'removed', priority: 1, due_at: 7 },
      { ...change, kind: 'related', key: 'Food', priority: 3, due_at: 7 },
    ]);
    const content = async () => [
      await db('build_jobs').whereNotNull('finished_at').orderBy('id').select('status', 'reason', 'started_at'),
      await db('build_jobs').whereNotNull('finished_at').orderBy('id').select('finished_at', 'changed', 'error'),
      (await db('build_jobs').orderBy('id').pluck<string[]>('about')).map((text) => JSON.parse(text) as unknown)[0],
      await db('publish_changes').orderBy('id').select('kind', 'key', 'event', 'priority', 'due_at', 'attempts'),
      await db('publish_changes').orderBy('id').pluck('cursor'),
    ];
    const before = await content();
    await db.migrate.up({ name });
    expect(await waitingChanges(db)).toMatchObject([
      { queue: 'publish-now', kind: 'poll', key: 'tea', event: 'removed', at: 5, cursor: null, attempts: 0 },
      { queue: 'publish-site', kind: 'site', key: 'a "reason"', event: null, cursor: 'code', attempts: 3 },
      { queue: 'publish-sitemap', kind: 'page', key: '/ü' },
      { queue: 'publish-links', kind: 'related', key: 'Food' },
      { queue: 'publish-related', kind: 'related', key: 'Food' },
    ]);
    expect(await db('jobs').where({ lane: 'removed' }).pluck('due_at')).toEqual([0, 0]);
    expect(await endedPublishes(db)).toMatchObject([
      { startedAt: 7, finishedAt: 8, changed: 0, about: [] },
      { error: 'No disk.' },
      { error: 'One page.', changed: 1 },
      { reason: 'ü', about, startedAt: 1, finishedAt: 2, changed: 3 },
    ]);
    expect(await lastPublish(db)).toMatchObject({ at: 4 });
    await db.migrate.down({ name });
    expect(await content()).toEqual(before);
  });
});
