import { startInstallation } from './installation.ts';
import { installationOfWorker, workers } from './sites.ts';

/** Playwright’s global setup: one installation per worker, stopped after the last test. */
export default async function startSites(): Promise<() => Promise<void>> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    await Promise.all(stops.map((one) => one()));
  };
  try {
    for (let worker = 0; worker < workers; worker++) stops.push(await startInstallation(installationOfWorker(worker)));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
