import type { Browser } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { originOf, startSiteService } from './installation.ts';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';
import { apiDownPort, sites } from './sites.ts';
import { enlargeText, textFaultsOf } from './text-fit.ts';

const screens = scenes.filter(({ print, picture }) => print !== true && picture !== true);
const concurrency = 3;

/** Opens a scene on a small phone with large text, and returns what doesn’t fit. */
async function faultsIn(browser: Browser, scene: Scene): Promise<string[]> {
  const context = await browser.newContext({
    viewport: { width: 320, height: 700 },
    javaScriptEnabled: scene.javaScript ?? true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  // A scene that never comes says which one it is.
  page.setDefaultTimeout(30_000);
  await enlargeText(page);
  const origin = originOf(sites.main);
  await scene.prepare?.(page, origin);
  const path = await scene.path(origin);
  await page.goto(`${scene.api === 'down' ? `http://127.0.0.1:${apiDownPort}` : origin}${path}`);
  await scene.act?.(page);
  if (scene.busy !== true) await expect(page.locator('[aria-busy=true]:visible')).toHaveCount(0);
  const fontSize = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  const found = fontSize === '32px' ? await textFaultsOf(page) : [`text of ${fontSize}`];
  // Responses may still be pending.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
  return found.map((fault) => `${scene.name}: ${fault}`);
}

test('on a small phone with text of twice the size, every page fits in each of its states', async ({ browser }) => {
  test.setTimeout(400_000);
  const stopApiDown = await startSiteService(sites.main, apiDownPort);
  const found: string[] = [];
  const queue = screens.values();
  const takeScenes = async () => {
    for (const scene of queue) found.push(...(await faultsIn(browser, scene)));
  };
  await Promise.all(Array.from({ length: concurrency }, takeScenes)).finally(stopApiDown);
  expect(found).toEqual([]);
});
