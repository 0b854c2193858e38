import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '#api/app.ts';
import type { AppOptions } from '#api/app.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import type { Logger } from '#platform/logger.ts';
import { closeBefore } from './databases.ts';

/** The default time in tests. */
export const testNow = Date.parse('2026-11-20T12:00:00Z');

/** The key that signs cookies in tests. */
export const testKey = 'a key that is only for tests';

/** The key of voters’ digests in tests. */
export const testVoterKey = 'a key of voters that is only for tests';

/** The seed of the key that signs the vote log in tests. */
export const testLogSeed = '11'.repeat(32);

/** The seed of the key that cosigns other logs in tests. */
export const testWitnessSeed = '33'.repeat(32);

/** The operator’s password in tests. */
export const testAdminPassword = 'the operator of the tests – Älvdalen';
const isAdminPassword = (candidate: string) => Promise.resolve(candidate === testAdminPassword);

/** A folder that is only written to if a test uploads something. */
const testDataDir = join(tmpdir(), `weathervane-test-${process.pid}`);

/** A running API on a free port over a test database. */
export interface TestApp {
  readonly origin: string;
  readonly clock: ReturnType<typeof fixedClock>;
  /** A GET, or as `init` says; paths begin with /api. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Makes it report that it is shutting down. */
  startDraining(): void;
  close(): Promise<void>;
}

/** Starts the API in this process; it is closed at the latest before its database. */
export async function startTestApp(
  db: Database,
  options: {
    clock?: ReturnType<typeof fixedClock>;
    log?: Logger;
    keys?: readonly string[];
    logKeys?: readonly string[];
    config?: Partial<AppOptions['config']>;
    pages?: AppOptions['pages'];
  } = {},
): Promise<TestApp> {
  const clock = options.clock ?? fixedClock(testNow);
  const config = {
    databaseUrl: 'sqlite::memory:',
    apiHost: '127.0.0.1',
    dataDir: testDataDir,
    earlyAdopterUntil: null,
    embedVotingSites: [],
    privateWebhooks: true,
    mailFrom: null,
    publicUrl: 'http://localhost:3000',
    rateLimit: false,
    siteName: 'Weathervane',
    smtpUrl: null,
    supportEmail: 'help@example.org',
    timeZone: 'UTC',
    weeklySlots: [{ weekday: 1, time: '09:00', days: 7 }],
    trustedProxies: [],
    witnesses: [],
    witnessLogs: [],
    ...options.config,
  };
  const { log = silentLogger, keys = [testKey] } = options;
  const app = createApp({
    ...{ db, clock, config, log, keys, isAdminPassword },
    ...(options.pages && { pages: options.pages }),
    ...{ voterKey: testVoterKey, logKeys: options.logKeys ?? [testLogSeed], witnessKey: testWitnessSeed },
  });
  const server = createServer(app.handle);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let closing: Promise<void> | null = null;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await app.drain();
  };
  const closeOnce = () => (closing ??= close());
  closeBefore(db, closeOnce);
  return {
    origin,
    clock,
    fetch: (path, init) => fetch(`${origin}${path}`, init),
    startDraining: () => app.startDraining(),
    close: closeOnce,
  };
}
