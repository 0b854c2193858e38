import type { FullConfig } from 'playwright/test';
import { startPostgres } from '#api/testing/postgres.setup.ts';
import { postgresSetting, startInstallation } from './installation.ts';
import { installationOfWorker } from './sites.ts';

/**
 * Playwright’s global setup: one installation per worker, stopped after the last test. With TEST_DATABASE=PostgreSQL, these
 * and those that tests start use a PostgreSQL of the run.
 */
export default async function startSites({ workers }: FullConfig): Promise<() => Promise<void>> {
  const postgres = process.env.TEST_DATABASE === 'PostgreSQL' ? await startPostgres(false) : null;
  if (postgres) process.env[postgresSetting] = postgres.url;
  const started = await Promise.allSettled(
    Array.from({ length: workers }, (_, worker) => startInstallation(installationOfWorker(worker))),
  );
  const stop = async () => {
    await Promise.all(started.filter((one) => one.status === 'fulfilled').map(({ value }) => value.stop()));
    await postgres?.stop();
  };
  for (const one of started)
    if (one.status === 'rejected') {
      await stop();
      throw one.reason;
    }
  return stop;
}
