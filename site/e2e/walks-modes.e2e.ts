import type { Page } from 'playwright/test';
import { urlOf, createPoll, newPerson, postComment, vote } from './community-people.ts';
import type { Person } from './community-people.ts';
import { expect, slow, test } from './fixtures.ts';
import { openPolls } from './page-helpers.ts';
import { enlargeText, textFaultsOf } from './text-fit.ts';
import { archive } from './scene.ts';

/* Every route with the display settings of a reader. A member opens them, because some pages need an account. */

interface Routes {
  readonly all: readonly string[];
  readonly report: string;
  readonly poll: string;
  readonly open: string;
}

let anna: Person;
let routes: Routes;

test.beforeAll(async ({ browser, baseURL }) => {
  anna = await newPerson(browser, 'Anna');
  await anna.page.emulateMedia({ reducedMotion: 'reduce' });
  const polls = await archive(baseURL!);
  const report = `/poll/${polls.find(({ options, totalVotes }) => options.length > 3 && totalVotes > 100)!.id}`;
  const open = `/poll/${(await openPolls(anna.page))[0]!.id}`;
  const made = await createPoll(anna, {
    visibility: 'unlisted',
    question: 'متى تقرأ؟ (في الصباح!)',
    description: 'لا تنس: 50% من الناس!\nOr in English.',
  });
  await postComment(anna, made, 'שלום, זה טוב!\nAnd this is English.');
  const poll = urlOf(made);
  routes = {
    report,
    poll,
    open,
    all: [
      '/',
      '/historical',
      report,
      open,
      '/community-polls',
      poll,
      '/blog',
      '/blog/category/questions',
      '/blog/following-the-crowd',
      '/blog/who-answers-when-nobody-was-asked',
      '/about',
      '/terms',
      '/privacy',
      '/disclaimer',
      '/profile',
      '/profile/activities',
      '/profile/badges',
      '/profile/account',
      '/admin',
      '/nothing',
    ],
  };
});
test.afterAll(() => anna.page.context().close());

/** Opens a route and waits until its content has loaded. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect(page.locator('[aria-busy=true]:visible')).toHaveCount(0);
}

test('at twice the font size everything fits', slow, async ({ browser }) => {
  test.setTimeout(90_000);
  const context = await browser.newContext({
    storageState: await anna.page.context().storageState(),
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await enlargeText(page);
  for (const path of routes.all) {
    await visit(page, path);
    expect([path, await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)]).toEqual([
      path,
      '32px',
    ]);
    expect([path, await textFaultsOf(page)]).toEqual([path, []]);
  }
});

/** Runs in the browser: controls of the top bar that something covers. */
function findBarFaults(): string[] {
  const found: string[] = [];
  for (const control of document.querySelectorAll('.top .bar > :is(a, button), .top .bell a')) {
    const { left, top, width, height } = control.getBoundingClientRect();
    if (width === 0) continue;
    const inside = [0.1, 0.3, 0.5, 0.7, 0.9];
    const free = inside
      .flatMap((across) => inside.map((down) => [left + across * width, top + down * height] as const))
      .map((point) => document.elementFromPoint(...point))
      .filter((element) => control.contains(element));
    if (free.length < 25) found.push(`${control.className} can be touched at ${free.length} of 25 points`);
  }
  return found;
}

test('on a phone, with usual and large text, every control of the top bar can be touched, no route scrolls sideways, and no text is cut off or overlaps another', async ({
  page: visitor,
}) => {
  test.setTimeout(180_000);
  const found: string[] = [];
  for (const [page, paths] of [
    [anna.page, routes.all],
    [visitor, ['/', '/auth', '/search', '/my-votes', '/integrity']],
  ] as const)
    for (const path of paths) {
      await page.setViewportSize({ width: 320, height: 700 });
      await visit(page, path);
      for (const [width, height, fontSizes] of [
        [320, 700, [16, 24, 32]],
        [390, 844, [24, 28, 32]],
      ] as const) {
        await page.setViewportSize({ width, height });
        for (const fontSize of fontSizes) {
          // Like Safari’s text size, which doesn’t change what a media query calls a rem.
          await page.evaluate(async (size) => {
            document.documentElement.style.fontSize = `${size}px`;
            await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
          }, fontSize);
          const faults = [...(await page.evaluate(findBarFaults)), ...(await textFaultsOf(page))];
          found.push(...faults.map((fault) => `${path} at ${width} px, text ${fontSize} px: ${fault}`));
        }
      }
    }
  expect(found).toEqual([]);
  await visitor.getByRole('button', { name: 'Menu' }).click();
  await expect(visitor.locator('#site-menu').getByRole('link', { name: 'Blog' })).toBeVisible();
  await anna.page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
});

test('in forced colors, the selection, the length of bars, and the focus are visible', async () => {
  const { page } = anna;
  await page.setViewportSize({ width: 1280, height: 900 });
  const style = (selector: string, name: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    await visit(page, '/historical');
    expect(await style('header a[aria-current]', 'background-color')).not.toBe(
      await style('header nav a:not([aria-current])', 'background-color'),
    );
    expect(await style('header nav a:not([aria-current])', 'border-bottom-color')).toBe(
      await style('body', 'background-color'),
    );
    await visit(page, routes.report);
    const [full, empty, frame] = [
      await style('table .bar rect:last-child', 'fill'),
      await style('table .bar rect:first-child', 'fill'),
      await style('table .bar rect:first-child', 'stroke'),
    ];
    expect(full).not.toBe(empty);
    expect(frame).not.toBe(empty);
    expect(await style('label:has([name=chart]:checked)', 'background-color')).not.toBe(
      await style('label:has([name=chart]:not(:checked))', 'background-color'),
    );
    await visit(page, routes.open);
    const card = page.getByRole('radio').first();
    await card.focus();
    await page.keyboard.press('Space');
    const focused = page.locator('label:has(input:focus)');
    await expect(focused).toHaveCSS('outline-style', 'solid');
    await expect(focused).not.toHaveCSS('outline-color', await style('body', 'background-color'));
    await expect(page.getByRole('button', { name: /^Vote/ })).toBeEnabled();
  }
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
});

test('with reduced motion, nothing moves', async ({ page, faults }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter((one) => Number(one.effect?.getComputedTiming().duration ?? 0) > 10)
        .map((one) => (one.effect as KeyframeEffect).target?.className ?? ''),
    );
  for (const path of ['/', '/historical', routes.open, routes.report, '/community-polls', '/profile', '/about']) {
    await page.goto(path);
    expect([path, await moving()]).toEqual([path, []]);
  }
  // Loading placeholders, and a vote, whose bars are otherwise animated.
  await page.route('**/api/community-polls**', () => new Promise<void>(() => undefined));
  await page.goto('/community-polls?page=2');
  expect(await moving()).toEqual([]);
  await page.goto(routes.open, { waitUntil: 'networkidle' });
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: /^Vote/ }).click();
  await page.getByText('Vote Recorded', { exact: true }).first().waitFor();
  expect(await moving()).toEqual([]);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('auto');
  faults.splice(0);
});

test('right-to-left texts are aligned to the right and keep their punctuation and bars', async () => {
  const { page } = anna;
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await visit(page, routes.poll);
    const directionOf = (text: string) =>
      page
        .getByText(text)
        .first()
        .evaluate((element) => getComputedStyle(element).direction);
    // The element may be replaced while it is read.
    await expect.poll(() => directionOf('متى تقرأ؟')).toBe('rtl');
    // Distances of the first, right-to-left line from the right, and of the last, English line from the left.
    const lines = (text: string) =>
      page
        .getByText(text)
        .first()
        .evaluate((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          const words = [...range.getClientRects()].filter((rect) => rect.width > 1);
          const heights = words.map(({ top }) => top);
          const rowAt = (height: number) => words.filter(({ top }) => Math.abs(top - height) < 4);
          const { left, right } = element.getBoundingClientRect();
          return {
            first: right - Math.max(...rowAt(Math.min(...heights)).map((rect) => rect.right)),
            last: Math.min(...rowAt(Math.max(...heights)).map((rect) => rect.left)) - left,
          };
        });
    for (const text of ['لا تنس', 'שלום'])
      await expect
        .poll(async () => {
          const { first, last } = await lines(text);
          return [width, text, Math.round(first), Math.round(last)];
        })
        .toEqual([width, text, 0, 0]);
    expect(await textFaultsOf(page)).toEqual([]);
  }
  await vote(page, 'Coffee');
  expect(await textFaultsOf(page)).toEqual([]);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('every route is readable and offers no control that does nothing', async ({ page, faults }) => {
    await page.setViewportSize({ width: 320, height: 900 });
    for (const path of [...routes.all, '/community-polls?page=2']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('contentinfo')).toBeVisible();
      // Forms have an additional button without scripts.
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 320]);
      // Choosing a chart takes no script.
      const enabledControls = page.locator(
        ':is(button, input, select, textarea):not(:disabled, [readonly], [popovertarget], form[action] *, [name=chart])',
      );
      for (const control of await enabledControls.all())
        if (await control.isVisible())
          expect([path, await control.evaluate((element) => element.outerHTML)]).toEqual([path, '']);
      const text = await page.getByRole('main').innerText();
      expect([path, text.length > 60, /Loading|Opening/.test(text)]).toEqual([path, true, false]);
      if (/profile|admin|auth/.test(path)) expect(text).toContain('JavaScript');
    }
    faults.splice(0);
  });
});
