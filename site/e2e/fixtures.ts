import { brotliCompressSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as base } from 'playwright/test';
import type { Page } from 'playwright/test';
import { runsSlow } from '#api/testing/slow.ts';

/**
 * Tests that fail on errors in the page: a script error, a content-security-policy violation,
 * or an unexpected console error.
 */
export const test = base.extend<{ faults: string[] }>({
  faults: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * All findings of axe on the page, one line each. Motion is reduced, because fading elements have no contrast. The
 * themes differ in colors only, so only these are checked in the dark one.
 */
export async function accessibilityFindings(page: Page, theme: 'light' | 'dark' = 'light'): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // Legacy mode needs no extra page to merge findings of frames, which our pages don’t have.
  // Without addresses of elements in which nothing was found.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  if (theme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`));
}

/** The details of a browser test that only runs with the slow tests: `test('…', slow, …)`. */
export const slow = { tag: '@slow' };

/** Every fifth of many similar pages, and all of them with the slow tests. */
export const sampleOf = <T>(all: readonly T[]): readonly T[] =>
  runsSlow ? all : all.filter((_, place) => place % 5 === 0);

/** Themes in which axe checks a page: frame.e2e.ts always checks both, the other pages only with the slow tests. */
export const themes = runsSlow ? (['light', 'dark'] as const) : (['light'] as const);

/** The widths at which axe checks a page: one in the default run, all of them with the slow tests. */
export const widthsFor = (theme: 'light' | 'dark', all: readonly number[] = [390, 1280]): readonly number[] =>
  runsSlow ? all : [theme === 'light' ? Math.min(...all) : Math.max(...all)];

/**
 * The bytes that a first visit transfers (compressed bodies and headers) without pictures, and how many of them are
 * JavaScript: script files, and inline scripts compressed on their own with brotli. `act` may interact with the page
 * before the count ends.
 */
export async function transferred(
  page: Page,
  path: string,
  act?: () => Promise<void>,
): Promise<{ all: number; scripts: number }> {
  const session = await page.context().newCDPSession(page);
  const kinds = new Map<string, string>();
  const sizes = { all: 0, scripts: 0 };
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (kinds.get(requestId) !== 'Image') sizes.all += encodedDataLength;
    if (kinds.get(requestId) === 'Script') sizes.scripts += encodedDataLength;
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  await act?.();
  const inline = await page.locator('script:not([src]):not([type="application/ld+json"])').allTextContents();
  sizes.scripts += brotliCompressSync(inline.join('\n')).length;
  await session.detach();
  return sizes;
}

export { expect };
