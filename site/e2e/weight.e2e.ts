import type { Page } from 'playwright/test';
import type { BlogPost } from '#api/content/blog/blog.contract.ts';
import type { Publishing } from '#api/publishing/publishing.contract.ts';
import { runsSlow } from '#api/testing/slow.ts';
import { createPoll, newPerson, urlOf } from './community-people.ts';
import { expect, test, transferred } from './fixtures.ts';
import { operatorHeaders } from './operator.ts';
import { archive } from './scene.ts';
import { openPolls } from './page-helpers.ts';

const kilobyte = 1000;

/** Every kind of reading page, or those with the most on them unless slow tests run. */
async function readingPages(page: Page, origin: string): Promise<string[]> {
  const posts = (await (await page.request.get('/api/blogs')).json()) as BlogPost[];
  const longest = posts.toSorted((a, b) => b.content.length - a.content.length)[0]!;
  const charts = ['bars', 'dots', 'line'].map((type) =>
    posts.find(({ content }) => content.includes(`chart--${type}`))!,
  );
  const reports = await archive(origin);
  const long = reports.toSorted((a, b) => b.options.length - a.options.length)[0]!;
  const rightToLeft = reports.find(({ question }) => /[\u0590-\u06ff]/.test(question))!;
  if (!runsSlow) return [`/blog/${longest.slug}`, `/poll/${long.id}`, `/embed/poll/${long.id}`, '/blog', '/historical'];
  return [
    ...new Set([longest, ...charts].map(({ slug }) => `/blog/${slug}`)),
    `/poll/${long.id}`,
    `/poll/${rightToLeft.id}`,
    `/embed/poll/${long.id}`,
    ...['/blog', '/blog/category/questions', '/about', '/integrity', '/terms', '/privacy', '/disclaimer'],
    ...['/historical', '/historical?page=2', '/nothing/here'],
  ];
}

interface Source {
  node: Node | null;
  previousRect: DOMRectReadOnly;
  currentRect: DOMRectReadOnly;
}

/** Records layout shifts without user input. */
async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & { value: number; sources: Source[] };
        const causes = sources.map(({ node, previousRect: from, currentRect: to }) => {
          const name = (node instanceof Element ? node.outerHTML : (node?.textContent ?? '')).slice(0, 80);
          return `${name} [${from.x},${from.y} ${from.width} to ${to.x},${to.y} ${to.width}]`;
        });
        shifts.push(`${value.toFixed(4)} ${causes.join(' ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { shifts: string[] }).shifts);
}

test('reading pages ship at most 5.2 kB of JavaScript and 100 kB in total, before a chart is scrolled into view', async ({
  page,
  baseURL,
  faults,
}) => {
  for (const path of await readingPages(page, baseURL!)) {
    await page.goto('about:blank');
    const { all, scripts } = await transferred(page, path);
    expect([path, scripts <= 5.2 * kilobyte, scripts]).toEqual([path, true, scripts]);
    expect([path, all > 10 * kilobyte && all <= 100 * kilobyte, all]).toEqual([path, true, all]);
  }
  expect(faults.splice(0).every((fault) => fault.includes('404'))).toBe(true);
});

/** Renders all pages again: earlier tests have voted, and a count that changes on a page moves. */
async function publishAgain(page: Page): Promise<void> {
  const newest = async () => {
    const response = await page.request.get('/api/admin/publishing', { headers: operatorHeaders });
    return ((await response.json()) as Publishing).builds[0];
  };
  const before = (await newest())?.id ?? 0;
  const answer = await page.request.post('/api/admin/builds', { headers: operatorHeaders, data: { force: true } });
  expect(answer.status()).toBe(202);
  await expect
    .poll(
      async () => {
        const build = await newest();
        return build !== undefined && build.id > before && build.status;
      },
      { timeout: 45_000 },
    )
    .toBe('succeeded');
}

test('nothing moves on a first visit, from the top of a page to its end, on a phone and a large screen', async ({
  page,
  baseURL,
  faults,
}) => {
  test.setTimeout(120_000);
  await publishAgain(page);
  const moved: string[] = [];
  const shifts = await watchShifts(page);
  const session = await page.context().newCDPSession(page);
  const paths = [...(await readingPages(page, baseURL!)), '/'];
  for (const width of runsSlow ? [390, 1440] : [390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of paths) {
      await session.send('Network.clearBrowserCache');
      await page.goto(path);
      // The chart of a report, and other parts that hydrate when visible.
      await page.evaluate(async () => {
        for (let top = 0; top < document.body.scrollHeight; top += innerHeight) {
          scrollTo({ top, behavior: 'instant' });
          await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
        }
      });
      if (path.startsWith('/poll/')) await page.waitForLoadState('networkidle');
      moved.push(...(await shifts()).map((shift) => `${path} at ${width} px: ${shift}`));
    }
  }
  expect(moved).toEqual([]);
  expect(faults.splice(0).every((fault) => fault.includes('404'))).toBe(true);
});

test('ballots on the home page do not move while it arrives slowly, on a phone and a large screen', async ({
  page,
}) => {
  const shifts = await watchShifts(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  const network = { offline: false, latency: 5, downloadThroughput: 200 * kilobyte, uploadThroughput: 100 * kilobyte };
  await session.send('Network.emulateNetworkConditions', network);
  const moved: string[] = [];
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    for (let load = 0; load < (runsSlow ? 5 : 2); load++) {
      await page.goto('/');
      moved.push(...(await shifts()).filter((shift) => /ballot|choice|option/.test(shift)));
    }
  }
  expect(moved).toEqual([]);
});

test('pages with a ballot that is not a ranked one ship at most 12 kB of JavaScript before the first touch, focus, or key on it', async ({
  page,
  browser,
  baseURL,
}) => {
  const [open] = await openPolls(baseURL!);
  const anna = await newPerson(browser, 'Anna');
  const community = await createPoll(anna);
  for (const path of ['/', `/poll/${open!.id}`, urlOf(community)]) {
    await page.goto('about:blank');
    const { scripts } = await transferred(page, path);
    expect([path, scripts > 5 * kilobyte && scripts <= 12 * kilobyte, scripts]).toEqual([path, true, scripts]);
    const { scripts: all } = await transferred(page, path, async () => {
      const choice = page.getByRole('radio').first();
      const loaded = page.waitForResponse((response) => /\/react\.[^/]*\.js$/.test(response.url()));
      await choice.focus();
      // The network is idle before the focus, too.
      await loaded;
      await expect(choice.locator('xpath=ancestor::astro-island[@ssr]')).toHaveCount(0);
      await page.waitForLoadState('networkidle');
    });
    expect([path, all > 50 * kilobyte && all <= 110 * kilobyte, all]).toEqual([path, true, all]);
  }
});

test('visitors who have voted see the results without a touch, with at most 110 kB of JavaScript', async ({
  page,
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const [voted, closed] = [await createPoll(anna), await createPoll(anna)];
  for (const poll of [voted, closed])
    for (const [voter, { request }] of [anna.page, page].entries()) {
      const data = { optionId: 'option-1', voterFingerprint: `device_weight00${voter}` };
      expect((await request.post(`/api${urlOf(poll)}/vote`, { data })).status()).toBe(200);
    }
  expect((await anna.page.request.post(`/api${urlOf(closed)}/close`)).status()).toBe(200);
  for (const poll of [voted, closed]) {
    await page.goto('about:blank');
    const { scripts } = await transferred(page, urlOf(poll), async () => {
      await expect(page.getByText('Thank you for voting! You chose Tea.')).toBeVisible();
      await expect(page.getByText('100%', { exact: true })).toBeVisible();
    });
    expect([scripts > 50 * kilobyte && scripts <= 110 * kilobyte, scripts]).toEqual([true, scripts]);
  }
});

test('the home page ships at most 110 kB of JavaScript, including the toast and the card after a vote', async ({
  page,
}) => {
  const { scripts } = await transferred(page, '/', async () => {
    await page.getByRole('radio').last().check();
    await page.getByRole('article').last().getByRole('button', { name: /^vote/i }).click();
    await expect(page.getByText('Thank you for participating in this poll!', { exact: true })).toBeVisible();
  });
  expect(scripts).toBeGreaterThan(50 * kilobyte);
  expect(scripts).toBeLessThanOrEqual(110 * kilobyte);
});
