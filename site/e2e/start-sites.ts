import { startInstallation } from './installation.ts';
import { sites } from './sites.ts';

/** Playwright's global set-up: one installation for all browser tests, stopped after them. */
export default function startSites(): Promise<() => Promise<void>> {
  return startInstallation(sites.main);
}
