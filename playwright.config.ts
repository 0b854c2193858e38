import { defineConfig } from 'playwright/test';
import { runsSlow } from './api/testing/slow.ts';
import { browserFlags, findBrowser } from './site/e2e/browser.ts';
import { originOf } from './site/e2e/installation.ts';
import { sites, workers } from './site/e2e/sites.ts';

export default defineConfig({
  testDir: './site/e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: './.cache/playwright',
  globalSetup: './site/e2e/start-sites.ts',
  fullyParallel: false,
  workers,
  retries: 0,
  ...(runsSlow ? {} : { grepInvert: /@slow\b/ }),
  forbidOnly: Boolean(process.env.CI),
  // No test is about speed: a busy machine is no failure.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    baseURL: originOf(sites.main),
    launchOptions: { executablePath: findBrowser(), args: browserFlags },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    trace: 'off',
  },
});
