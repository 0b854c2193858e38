import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { deviceIdHeader } from '#contract/vocabulary.ts';
import { findReceipt, parseBallots } from '#domain/verification/ballots-file.ts';
import { decodeReceipt } from '#domain/verification/receipt.ts';
import { fixedClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { ensureSecrets } from '#platform/secrets.ts';
import { tick } from '#api/integrity/log/tick.service.ts';
import { startFleet } from '#api/testing/api-fleet.ts';
import type { ApiFleet } from '#api/testing/api-fleet.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { slow } from '#api/testing/slow.ts';
import { startTestApp, testAdminPassword } from '#api/testing/test-app.ts';
import { closeBallot, logWriter, publishedEvidence, recountPublished } from '#api/testing/vote-logs.ts';

const rounds = 3;
/** Concurrent voters, each with its own connection, and receipts before each kill. */
const [voters, receiptsPerRound] = [8, 40];

eachDatabase((open) => {
  const cleanUps: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  async function start() {
    const { db, url } = await open();
    const folder = await mkdtemp(join(tmpdir(), 'weathervane-receipts-'));
    cleanUps.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const now = Date.now();
    await seedPolls(db, [{ id: 'p', startsAt: now - 60_000, endsAt: now + 86_400_000 }]);
    const env = { DATABASE_URL: url, ADMIN_PASSWORD: testAdminPassword, RATE_LIMIT: 'off', STUB_PAUSE_MS: '1' };
    const fleet = await startFleet(1, { folder, env });
    cleanUps.push(() => fleet.stop());
    return { db, folder, fleet };
  }

  /** Casts a device’s vote; returns its receipt, or null without a response. */
  async function vote({ origins }: ApiFleet, device: string): Promise<string | null> {
    const answer = await fetch(`${origins[0]}/api/polls/p/vote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [deviceIdHeader]: device },
      body: JSON.stringify({ optionId: 'o2' }),
    }).catch(() => null);
    const body = (await answer?.json().catch(() => null)) as { receipt?: string } | null | undefined;
    return body?.receipt ?? null;
  }

  test(
    'kill -9 at any moment loses no receipt that was handed out: a retry returns the same one, and it is in the ballots file',
    { timeout: 180_000, ...slow },
    async () => {
      const { db, folder, fleet } = await start();
      /** The receipts that were handed out, by device; null for votes whose response was lost. */
      const receipts = new Map<string, string | null>();
      for (let round = 0; round < rounds; round++) {
        const stopping = new AbortController();
        const given = () => [...receipts.values()].filter((receipt) => receipt !== null).length;
        const before = given();
        const voting = Array.from({ length: voters }, async () => {
          while (!stopping.signal.aborted) {
            const device = `device_${crypto.randomUUID().replaceAll('-', '')}`;
            receipts.set(device, null);
            receipts.set(device, await vote(fleet, device));
          }
        });
        await vi.waitFor(() => expect(given()).toBeGreaterThanOrEqual(before + receiptsPerRound), {
          timeout: 30_000,
          interval: 5,
        });
        await fleet.kill(0);
        stopping.abort();
        await Promise.all(voting);
        await fleet.start(0);
        const retry = async ([device, receipt]: [string, string | null]) => {
          const again = await vote(fleet, device);
          expect(again).toMatch(/^[0-9A-Z-]{34}$/);
          if (receipt !== null) expect(again).toBe(receipt);
          receipts.set(device, again);
        };
        await Promise.all([...receipts].map(retry));
      }
      await fleet.stop();

      await closeBallot(db, 'p', Date.now());
      const { logKeys } = await ensureSecrets(readConfig({ DATA_DIR: folder }));
      const clock = fixedClock(Date.now());
      expect(await tick(logWriter(db, clock, { dataDir: folder, seeds: logKeys }))).toBe(true);
      const app = await startTestApp(db, { clock });
      expect(await recountPublished(app, 'p')).toMatchObject({
        verdict: 'ok',
        tally: { counted: [0, receipts.size, 0] },
      });
      const ballots = parseBallots((await publishedEvidence(app, 'p')).evidence.file);
      for (const receipt of receipts.values()) expect(findReceipt(ballots, decodeReceipt(receipt!)!)).not.toBe(-1);
    },
  );
});
