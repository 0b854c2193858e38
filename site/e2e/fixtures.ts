import { brotliCompressSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as base } from 'playwright/test';
import type { Page } from 'playwright/test';
import { runsSlow } from '#api/testing/slow.ts';

/**
 * Tests that fail on errors in the page: a script error, a content-security-policy violation,
 * or an unexpected console error. Browsers that a test opens are closed at its end.
 */
export const test = base.extend<{ faults: string[] }>({
  faults: [
    async ({ browser, page }, use) => {
      const before = new Set(browser.contexts());
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      await use(faults);
      const opened = browser.contexts().filter((context) => !before.has(context));
      await Promise.all(opened.map((context) => context.close()));
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

/** Runs in the browser: the contrast of an element’s text with what is painted below it; 0 if that can’t be seen. */
function contrastOf(element: Element): number {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d')!;
  /** The relative luminance, or null for a color that isn’t opaque. */
  const luminance = (color: string): number | null => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
    const linear = (value: number) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return alpha === 255 ? 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) : null;
  };
  element.scrollIntoView({ block: 'center' });
  const range = document.createRange();
  range.selectNodeContents(element);
  const { left, top, width, height } = range.getBoundingClientRect();
  const painted = document.elementsFromPoint(left + width / 2, top + height / 2);
  const isDrawn = element instanceof SVGElement;
  const below = painted.slice(Math.max(0, painted.indexOf(element)));
  if (isDrawn) below.shift();
  const ground = below
    .map((one) => {
      const { fill, backgroundColor } = getComputedStyle(one);
      const isShape = one instanceof SVGGeometryElement;
      return isShape && fill === 'none' ? null : luminance(isShape ? fill : backgroundColor);
    })
    .find((one) => one !== null);
  const style = getComputedStyle(element);
  const text = luminance(isDrawn ? style.fill : style.color);
  if (ground === undefined || text === null) return 0;
  return (Math.max(ground, text) + 0.05) / (Math.min(ground, text) + 0.05);
}

/**
 * All findings of axe on the page, one line each. Motion is reduced, because fading elements have no contrast. The
 * themes differ in colors only, so only these are checked in the dark one. Where axe can’t determine a contrast, as
 * that of text in the color of its background, it is computed.
 */
export async function accessibilityFindings(page: Page, theme: 'light' | 'dark' = 'light'): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // A theme that has just changed still changes colors.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
  });
  // Legacy mode needs no extra page to merge findings of frames, which our pages don’t have.
  // Without addresses of elements in which nothing was found, and without loading style sheets and media for rules on
  // video, sound, and orientation.
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ['violations', 'incomplete'], preload: false })
    .setLegacyMode();
  if (theme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block']);
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
  const { violations, incomplete } = await axe.analyze();
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  for (const { id, nodes } of incomplete)
    for (const { target, any } of id === 'color-contrast' ? nodes : []) {
      // Symbols only.
      if (any.some(({ data }) => (data as { messageKey?: string } | null)?.messageKey === 'nonBmp')) continue;
      const contrast = await page.locator(target.join(' ')).first().evaluate(contrastOf);
      if (contrast < 4.5) found.push(`${id}: ${target.join(' ')} ${contrast.toFixed(2)}`);
    }
  return found;
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
