import { startInstallation } from './installation.ts';
import { installationOfWorker, workers } from './sites.ts';

/** Playwright’s global setup: one installation per worker, stopped after the last test. */
export default async function startSites(): Promise<() => Promise<void>> {
  const started = await Promise.allSettled(
    Array.from({ length: workers }, (_, worker) => startInstallation(installationOfWorker(worker))),
  );
  const stop = async () => {
    await Promise.all(started.filter((one) => one.status === 'fulfilled').map(({ value }) => value()));
  };
  for (const one of started)
    if (one.status === 'rejected') {
      await stop();
      throw one.reason;
    }
  return stop;
}
