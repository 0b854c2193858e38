import { chromium } from 'playwright';
import type { Browser } from 'playwright';
import { originOf, operatorPassword, startInstallation } from '#site/e2e/installation.ts';
import { browserFlags, findBrowser } from '#site/e2e/browser.ts';
import type { Poll } from '#contract/poll.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import { tableOf } from '#ci/bench/report.ts';
import type { Row } from '#ci/bench/report.ts';

const site = { port: 3950, apiPort: 4950, dataDir: '.cache/attack' };
/** Milliseconds after which the API has noticed the switch. */
const noticedMs = 2_100;

/** Loads the page in a new profile and votes; whether the vote was recorded. */
async function castInBrowser(browser: Browser, address: string): Promise<boolean> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(address);
    await page.getByRole('radio').last().check();
    const voted = page.waitForResponse((answer) => answer.url().endsWith('/vote') && answer.status() !== 428);
    await page.getByRole('button', { name: /^vote/i }).first().click();
    return (await voted).status() === 200;
  } finally {
    await context.close();
  }
}

/**
 * Votes with so many headless browsers, a fresh profile each, on a poll of a new site with default limits, first without
 * challenges, then with them. Prints seconds per vote, and extrapolates to 1,000 votes.
 */
export async function voteInBrowsers(votes = 5): Promise<void> {
  const { stop } = await startInstallation(site, { RATE_LIMIT: '' });
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
  const rows: Row[] = [];
  try {
    const origin = originOf(site);
    const [poll] = (await (await fetch(`${origin}/api/polls/active`)).json()) as Poll[];
    for (const challenge of ['off', 'on']) {
      const switched = await fetch(`${origin}/api/admin/flags/${poll!.id}/challenge`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [adminPasswordHeader]: operatorPassword },
        body: JSON.stringify({ challenge, note: 'Attack with browsers' }),
      });
      if (switched.status !== 204) throw new Error(`The challenge could not be switched: ${switched.status}`);
      await new Promise((noticed) => setTimeout(noticed, noticedMs));
      const began = performance.now();
      let recorded = 0;
      for (let place = 0; place < votes; place += 1)
        if (await castInBrowser(browser, `${origin}/poll/${poll!.id}`)) recorded += 1;
      const seconds = (performance.now() - began) / 1_000 / votes;
      rows.push({
        ...{ challenge, 'votes tried': `${votes}`, recorded: `${recorded}`, 'seconds per vote': seconds.toFixed(1) },
        '1,000 votes, extrapolated': `${((seconds * 1_000) / 3_600).toFixed(1)} hours one after the other`,
      });
    }
  } finally {
    await browser.close();
    await stop();
  }
  console.log(tableOf(rows));
}
