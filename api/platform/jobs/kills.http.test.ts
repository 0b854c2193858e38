import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { mailOutbox } from '#api/mail/outbox.service.ts';
import { startFleet } from '#api/testing/api-fleet.ts';
import { closeBefore, eachDatabase } from '#api/testing/databases.ts';
import { seedMember } from '#api/testing/discussions.ts';
import { startMailServer } from '#api/testing/mail-server.ts';
import { slow } from '#api/testing/slow.ts';
import { testAdminPassword } from '#api/testing/test-app.ts';
import { startReceiver } from '#api/testing/webhook-receiver.ts';
import { enqueueFor } from '#api/admin/webhooks/events.service.ts';
import { systemClock } from '#platform/clock.ts';

/** A mail server that accepts connections and says nothing. */
async function startSilentServer() {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

eachDatabase((open) => {
  test(
    'kill -9 while mail and webhooks are sent loses none of them: the next start sends them, and the slow servers delay no repeated work',
    { timeout: 180_000, ...slow },
    async () => {
      const { db, url } = await open();
      const folder = await mkdtemp(join(tmpdir(), 'weathervane-jobs-'));
      closeBefore(db, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
      const { receiver, webhook } = await startReceiver(db, ['poll.closed']);
      const [silent, server] = [await startSilentServer(), await startMailServer()];
      closeBefore(db, async () => {
        silent.close();
        await server.close();
      });
      await seedMember(db, 'anna');
      const outbox = mailOutbox({ clock: systemClock, on: true });
      for (const recipient of ['a@example.org', 'b@example.org'])
        await outbox.queue(db, { kind: 'password-changed', userId: 'anna', recipient });
      const published = { type: 'site.published', at: Date.now(), data: { publish: { id: 1, url: '/' } } } as const;
      await db.transaction((trx) => enqueueFor(trx, [webhook.id], [published, published, published]));
      const env = {
        ...{ DATABASE_URL: url, ADMIN_PASSWORD: testAdminPassword, RATE_LIMIT: 'off' },
        ...{ MAIL_FROM: 'desk@example.org', PRIVATE_WEBHOOKS: 'on' },
      };
      const run = async (smtpUrl: string) => {
        const fleet = await startFleet(1, { folder, env: { ...env, SMTP_URL: smtpUrl } });
        closeBefore(db, () => fleet.stop());
        return fleet;
      };
      receiver.answer = null;
      const killed = await run(silent.url);
      const underWay = () => db('jobs').whereNotNull('lease').orderBy('kind').pluck('kind');
      await vi.waitFor(
        async () => {
          const kinds = await underWay();
          expect(kinds.filter((kind) => kind === 'mail' || kind === 'delivery')).toEqual(['delivery', 'mail']);
          expect(kinds.length).toBeGreaterThan(9);
          expect(receiver.received).toHaveLength(1);
        },
        { timeout: 30_000, interval: 50 },
      );
      await killed.kill(0);
      receiver.answer = { status: 200, body: 'ok' };
      await run(server.url);
      await vi.waitFor(
        async () => {
          expect(server.received.map(({ to }) => to[0]).sort()).toEqual(['a@example.org', 'b@example.org']);
          expect(await db('webhook_deliveries').whereNull('delivered_at')).toEqual([]);
          expect(await db('jobs').whereIn('kind', ['mail', 'delivery'])).toEqual([]);
        },
        { timeout: 30_000, interval: 50 },
      );
      // The one that the killed process was sending came twice, with one id.
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect([ids.length, new Set(ids).size, ids.filter((id) => id === ids[0]).length]).toEqual([4, 3, 2]);
    },
  );
});
