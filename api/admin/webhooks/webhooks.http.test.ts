import { expect, test } from 'vitest';
import { webhooksMax } from './webhooks.contract.ts';
import { runDue, testWork } from '#api/testing/background.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import type { Job, QueuedKind } from '#platform/jobs/runner.service.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import { startReceiver, testOwner } from '#api/testing/webhook-receiver.ts';
import { headerText } from '#site/client/api.ts';
import { record } from '#api/events/record.service.ts';
import type { NoticeEvent } from '#api/events/events.ts';
import { sendDelivery, sweepDeliveries } from './sender.service.ts';
import {
  changeWebhook,
  createWebhook,
  deliveriesPage,
  failedWebhooks,
  listWebhooks,
  resend,
  rotateSecret,
  sendTest,
} from './webhooks.service.ts';

const second = 1_000;
const day = 86_400_000;
const published: NoticeEvent = {
  ...{ type: 'site.published', at: testNow, subject: { kind: 'site', id: '' } },
  after: { publish: { id: 7, url: '/' } },
};

type IsGenuine = (secret: string, headers: object, body: string, now: number) => boolean;

/** The example that the handbook gives to receivers. */
async function exampleReceiver(): Promise<IsGenuine> {
  const file: string = new URL('./example-receiver.mjs', import.meta.url).href;
  return ((await import(file)) as { isGenuine: IsGenuine }).isGenuine;
}

eachDatabase((open, _engine, once) => {
  async function start() {
    const { db } = await open();
    const receiving = await startReceiver(db);
    const { context, webhook } = receiving;
    const enqueue = (event: NoticeEvent = published) => db.transaction((trx) => record(trx, event));
    const log = async () => (await deliveriesPage(db, webhook.id, 1)).deliveries;
    const change = (body: Parameters<typeof changeWebhook>[3]) => changeWebhook(context, testOwner, webhook.id, body);
    return { db, ...receiving, enqueue, log, change };
  }

  once(
    'an event is delivered with a signature that the example for receivers verifies, and with absolute addresses',
    async () => {
      const { receiver, enqueue, deliver, secret, log, clock } = await start();
      await enqueue();
      clock.set(testNow + 3 * second);
      expect(await deliver()).toBe(1);
      const [{ path, headers, body }] = receiver.received as [(typeof receiver.received)[0]];
      expect(path).toBe('/hook?key=k');
      expect(JSON.parse(body)).toEqual({
        type: 'site.published',
        timestamp: '2026-11-20T12:00:00.000Z',
        data: { publish: { id: 7, url: 'https://polls.example.org/' } },
      });
      expect(headers['content-type']).toBe('application/json');
      const isGenuine = await exampleReceiver();
      expect(isGenuine(secret, headers, body, testNow)).toBe(true);
      expect(isGenuine(secret, headers, `${body} `, testNow)).toBe(false);
      expect(isGenuine(secret, headers, body, testNow + day)).toBe(false);
      expect(await log()).toMatchObject([
        { state: 'delivered', status: 200, answer: 'ok', attempts: 1, attemptedAt: '2026-11-20T12:00:03.000Z' },
      ]);
      expect(await deliver()).toBe(0);
    },
  );

  test('a message that is refused is sent again with growing pauses for a day, and has then failed', async () => {
    const { db, clock, receiver, enqueue, deliver, log } = await start();
    receiver.answer = { status: 500, body: `no\u0000 ${'x'.repeat(300)}` };
    await enqueue();
    const pauses: number[] = [];
    for (let due: number | undefined = testNow; due !== undefined;) {
      clock.set(due);
      expect(await deliver()).toBe(0);
      const [next] = await db('jobs').pluck('due_at');
      if (next !== undefined) pauses.push((next - due) / second);
      due = next;
    }
    expect(pauses).toEqual([10, 60, 360, 2_160, 10_800, 28_800, 44_210]);
    expect(pauses.reduce((sum, one) => sum + one, 0)).toBe(day / second);
    expect(await log()).toMatchObject([{ state: 'failed', status: 500, attempts: 8, answer: `no ${'x'.repeat(197)}` }]);
    expect([(await failedWebhooks(db)).count, receiver.received.length]).toEqual([0, 8]);
  });

  once(
    'a webhook that has accepted nothing for five days is paused, and the pause is counted for operators',
    async () => {
      const { db, clock, context, receiver, enqueue, deliver, change } = await start();
      receiver.answer = { status: 404, body: '' };
      const failAt = async (at: number) => {
        clock.set(at);
        await enqueue({ ...published, at });
        await db('jobs').update({ attempts: 7 });
        await deliver();
        return failedWebhooks(db);
      };
      const none = { count: 0, oldest: null };
      expect(await failAt(testNow)).toEqual(none);
      expect(await failAt(testNow + 5 * day - 1)).toEqual(none);
      // A success in between starts the five days again.
      receiver.answer = { status: 204, body: '' };
      await enqueue({ ...published, at: clock.now() });
      expect(await deliver()).toBe(1);
      receiver.answer = { status: 404, body: '' };
      expect(await failAt(testNow + 5 * day)).toEqual(none);
      expect(await failAt(testNow + 10 * day)).toEqual({ count: 1, oldest: testNow + 5 * day });
      expect(await listWebhooks(context)).toMatchObject([{ pausedBy: 'failures' }]);
      // A paused webhook misses events.
      const before = receiver.received.length;
      await enqueue({ ...published, at: clock.now() });
      expect([await deliver(), receiver.received.length]).toEqual([0, before]);
      expect(await change({ paused: false })).toMatchObject({ pausedBy: null, failingSince: null });
      await enqueue({ ...published, at: clock.now() });
      await deliver();
      expect(receiver.received.length).toBe(before + 1);
    },
  );

  test('a delivery whose processes are killed has failed in the end, and pauses a webhook that accepted nothing for five days', async () => {
    const { db, clock, context, receiver, enqueue, deliver, log } = await start();
    await enqueue();
    await db('webhooks').update({ failing_since: testNow - 5 * day });
    await db('jobs').update({ attempts: 8, lease: 'elsewhere/1:1:x', due_at: testNow + 1 });
    clock.set(testNow + 1);
    expect([await deliver(), receiver.received, await db('jobs')]).toEqual([0, [], []]);
    const answer = 'The site failed while it was sending this.';
    expect(await log()).toMatchObject([{ state: 'failed', status: null, attempts: 8, answer }]);
    expect(await listWebhooks(context)).toMatchObject([{ pausedBy: 'failures' }]);
  });

  test('pausing gives up what waits, and only a test is still sent, once', async () => {
    const { receiver, enqueue, deliver, log, change, context, webhook } = await start();
    await enqueue();
    await change({ paused: true });
    expect([await deliver(), (await log()).map(({ state }) => state)]).toEqual([0, ['failed']]);
    receiver.answer = { status: 500, body: 'not yet' };
    await sendTest(context, webhook.id);
    await deliver();
    expect((await log()).map(({ type, state }) => [type, state])).toEqual([
      ['webhook.test', 'failed'],
      ['site.published', 'failed'],
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  once('a message is sent again on request, under the same id', async () => {
    const { receiver, enqueue, deliver, log, context, webhook } = await start();
    await enqueue();
    await deliver();
    const [{ id, messageId }] = (await log()) as [Awaited<ReturnType<typeof log>>[0]];
    await resend(context, webhook.id, id);
    expect(await deliver()).toBe(1);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([messageId, messageId]);
    await expect(resend(context, webhook.id, 999_999)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  once('for a day after a new secret was created, both secrets verify', async () => {
    const { clock, receiver, enqueue, deliver, secret, context, webhook } = await start();
    const isGenuine = await exampleReceiver();
    const next = await rotateSecret(context, testOwner, webhook.id);
    for (const [at, previous] of [
      [testNow + day - 1, true],
      [testNow + day, false],
    ] as const) {
      clock.set(at);
      await enqueue({ ...published, at });
      await deliver();
      const { headers, body } = receiver.received.pop()!;
      expect([next, secret].map((one) => isGenuine(one, headers, body, at))).toEqual([true, previous]);
    }
  });

  once('redirects are not followed, and a receiver that never answers fails', async () => {
    const { context, origin, receiver, enqueue, deliver, log } = await start();
    receiver.answer = { status: 302, body: '', headers: { location: `${origin}/elsewhere` } };
    await enqueue();
    await deliver();
    receiver.answer = null;
    await enqueue();
    const run = (job: Job) => sendDelivery({ ...context, answerMs: 50 }, job);
    await runDue(context, { delivery: { ...testWork(context).delivery, run } as QueuedKind }, 'delivery');
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook?key=k', '/hook?key=k']);
    expect(await log()).toMatchObject([
      { status: null, answer: 'There was no answer within 0.05 seconds.' },
      { status: 302, answer: '' },
    ]);
  });

  once('nothing is sent to private addresses, even if one was stored', async () => {
    const { context, receiver, enqueue, log, change } = await start();
    const work = testWork({ ...context, config: { privateWebhooks: false } });
    await enqueue();
    await runDue(context, work, 'delivery');
    await change({ url: 'https://localhost:9/' });
    await enqueue();
    await runDue(context, work, 'delivery');
    expect(receiver.received).toEqual([]);
    const answer = 'Not sent: the address is in a private network.';
    expect(await log()).toMatchObject([
      { status: null, answer },
      { status: null, answer },
    ]);
  });

  test('deliveries are kept for 30 days', async () => {
    const { db, enqueue, log } = await start();
    await enqueue();
    await sweepDeliveries(db, testNow + 30 * day - 1);
    expect(await log()).toHaveLength(1);
    await sweepDeliveries(db, testNow + 30 * day);
    expect(await log()).toEqual([]);
  });

  test('the owner manages webhooks; the secret is shown once, and the audit log has neither it nor the path', async () => {
    const { db, webhook, secret } = await start();
    const app = await startTestApp(db, { config: { privateWebhooks: false } });
    const call = async (path: string, method = 'GET', json?: object) => {
      const response = await app.fetch(path, {
        method,
        headers: { 'x-admin-password': headerText(testAdminPassword), 'content-type': 'application/json' },
        ...(json && { body: JSON.stringify(json) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        body: (text === '' ? null : JSON.parse(text)) as Record<string, unknown> | null,
      };
    };
    const created = await call('/api/admin/webhooks', 'POST', {
      url: 'https://hooks.example.com/k3y',
      events: ['poll.opened'],
    });
    expect(created).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^whsec_/) as string } });
    expect(JSON.stringify((await call('/api/admin/webhooks')).body)).not.toMatch(/whsec_/);
    const { id } = created.body!.webhook as { id: string };
    for (const [url, message] of [
      ['http://hooks.example.com/', 'must begin with https://'],
      ['https://127.1/', 'public internet'],
      ['https://[::ffff:10.0.0.1]/', 'public internet'],
      ['https://localhost/', 'public internet'],
      ['https://u:p@hooks.example.com/', 'user name or password'],
      ['ftp://hooks.example.com/', 'full web address'],
      ['hooks.example.com', 'full web address'],
      [`https://hooks.example.com/${'ä'.repeat(1_000)}`, 'full web address'],
    ] as const) {
      const refused = await call(`/api/admin/webhooks/${id}`, 'PATCH', { url });
      expect([url, refused.status, refused.body]).toMatchObject([url, 400, { code: 'VALIDATION_FAILED' }]);
      expect(refused.body!.message).toContain(message);
    }
    expect(await call(`/api/admin/webhooks/${id}`, 'PATCH', { paused: true })).toMatchObject({
      status: 200,
      body: { pausedBy: 'operator' },
    });
    expect((await call(`/api/admin/webhooks/${id}/secret`, 'POST')).body!.secret).not.toBe(created.body!.secret);
    expect((await call(`/api/admin/webhooks/${id}/deliveries/9/resend`, 'POST')).status).toBe(404);
    expect([
      (await call(`/api/admin/webhooks/${id}/test`, 'POST')).status,
      (await call(`/api/admin/webhooks/${id}`, 'DELETE')).status,
    ]).toEqual([204, 204]);
    expect((await call(`/api/admin/webhooks/${id}/deliveries`)).status).toBe(404);
    expect((await call('/api/admin/webhooks')).body).toMatchObject({ webhooks: [{ id: webhook.id }] });
    const audit = JSON.stringify(await db('events').orderBy('id'));
    for (const action of ['create', 'change', 'rotate', 'delete']) expect(audit).toContain(`webhook.${action}`);
    expect(audit).toContain('hooks.example.com');
    expect(audit).not.toMatch(/whsec_|k3y/);
    expect(audit).not.toContain(secret);
  });

  test('of two webhooks created at once, only as many as allowed are stored', async () => {
    const { context } = await start();
    const create = (n: number) =>
      createWebhook(context, testOwner, { url: `https://hooks.example.com/${n}`, events: ['poll.opened'] });
    for (let n = 2; n < webhooksMax; n++) await create(n);
    const outcomes = await Promise.allSettled([create(98), create(99)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await listWebhooks(context)).toHaveLength(webhooksMax);
  });
});
