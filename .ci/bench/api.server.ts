import { createServer } from 'node:http';
import { createApp } from '#api/app.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { createLogger } from '#platform/logger.ts';
import { testLogSeed } from '#api/testing/vote-logs.ts';
import { backgroundWork } from '#api/background-work.ts';
import { startJobs } from '#platform/jobs/runner.service.ts';
import { mailOutbox } from '#api/mail/outbox.service.ts';
import { benchPassword, benchVoterKey, serve } from './server-process.ts';

/** The API service as it runs in production, on a free port. */
const config = readConfig();
const db = openDatabase(config.databaseUrl);
const log = createLogger('api', { level: 'warn' });
const app = createApp({
  db,
  clock: systemClock,
  config,
  log,
  keys: ['a key of the benchmark'],
  voterKey: benchVoterKey,
  logKeys: [testLogSeed],
  witnessKey: testLogSeed,
  isAdminPassword: (candidate) => Promise.resolve(candidate === benchPassword),
});

const mail = mailOutbox({ clock: systemClock, on: false });
const services = { db, clock: systemClock, config, log, keys: [], mail, intake: app.intake };
const jobs = await startJobs({ db, clock: systemClock, log, kinds: backgroundWork(services) });

serve(createServer(app.handle), async () => {
  await jobs.stop();
  await app.drain();
  await db.destroy();
});
