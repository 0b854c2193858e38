import { tmpdir } from 'node:os';
import { backgroundWork } from '#api/background-work.ts';
import type { BackgroundServices } from '#api/background-work.ts';
import { runDueJobs, startJobs } from '#platform/jobs/runner.service.ts';
import type { JobKinds } from '#platform/jobs/runner.service.ts';
import { mailOutbox } from '#api/mail/outbox.service.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { silentLogger } from '#platform/logger.ts';
import type { Logger } from '#platform/logger.ts';
import { testKey } from './test-app.ts';

const intake = { runExclusive: <Result>(work: () => Promise<Result>) => work() };

/** The background work of a site in tests, which nothing does until {@link runDue}. */
export function testWork({
  db,
  clock,
  log = silentLogger,
  config = {},
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log?: Logger;
  readonly config?: Partial<BackgroundServices['config']>;
}): JobKinds {
  const all = {
    ...{ dataDir: tmpdir(), mailFrom: null, privateWebhooks: true, publicUrl: 'https://polls.example.org' },
    ...{ siteName: 'Weathervane', smtpUrl: null, timeZone: 'UTC' },
    ...config,
  };
  const mail = mailOutbox({ clock, on: all.smtpUrl !== null });
  return backgroundWork({ ...{ db, clock, log, mail, intake }, config: all, keys: [testKey] });
}

/** Does the jobs of these kinds that are due, as the API service does every few seconds; returns how many succeeded. */
export function runDue(
  { db, clock, log = silentLogger }: { readonly db: Database; readonly clock: Clock; readonly log?: Logger },
  all: JobKinds,
  ...names: readonly (keyof JobKinds)[]
): Promise<number> {
  return runDueJobs({ db, clock, log, kinds: some(all, names) });
}

/** Does the jobs of these kinds until stopped. */
export function startWork(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  ...names: readonly (keyof JobKinds)[]
): Promise<{ stop(): Promise<void> }> {
  return startJobs({ db, clock, log: silentLogger, kinds: some(testWork({ db, clock }), names) });
}

const some = (all: JobKinds, names: readonly (keyof JobKinds)[]) =>
  Object.fromEntries(names.map((name) => [name, all[name]])) as JobKinds;
