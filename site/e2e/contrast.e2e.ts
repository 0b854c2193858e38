import { accessibilityFindings, expect, test } from './fixtures.ts';
import { scenes } from './scenes.ts';

/** Scenes with a ballot, one for each of its states. */
const states = [
  'home',
  'home-chosen',
  'home-vote-pending',
  'home-answered',
  'vote-failed',
  'poll-open-voted',
  'poll-open-first-vote',
  'poll-open-restricted',
  'embed-open',
  'embed-many-options',
  'community-poll-voted',
  'community-poll-first-vote',
  'community-poll-secret-voted',
  'community-poll-guess',
  'community-poll-longest',
  'community-poll-closed',
  'community-poll-upcoming',
] as const;

for (const state of states)
  test(`every text has enough contrast in both themes: ${state}`, async ({ browser, baseURL }) => {
    const scene = scenes.find(({ name }) => name === state)!;
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      javaScriptEnabled: scene.javaScript ?? true,
    });
    const page = await context.newPage();
    await scene.prepare?.(page, baseURL!);
    await page.goto(await scene.path(baseURL!));
    await scene.act?.(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await accessibilityFindings(page, 'dark')]).toEqual([colorScheme, []]);
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
