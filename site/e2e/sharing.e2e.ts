import type { FrameLocator, Page } from 'playwright';
import { embedCode } from '#site/polls/embed-code.ts';
import { archive } from './scene.ts';
import { accessibilityFindings, expect, sampleOf, test, themes } from './fixtures.ts';
import { otherSite } from './other-site.ts';
import { openPolls } from './page-helpers.ts';

/** A report with several answers; those that were collected elsewhere have no license of this site. */
const report = async (baseURL: string) =>
  (await archive(baseURL)).find(
    ({ options, totalVotes, origin }) => options.length >= 3 && totalVotes > 30 && origin !== 'imported',
  )!;

/** The height of a framed page without that of its frame, in whole pixels. */
const heightOf = (frame: FrameLocator) =>
  frame.locator('main').evaluate((main: HTMLElement) => {
    main.style.minBlockSize = '0';
    return Math.ceil(main.getBoundingClientRect().height);
  });

/** Opens the part of a report with its citation, files, and embed code. */
const openResults = (page: Page) => page.getByRole('heading', { name: 'Open Results' }).click();

/** Records what the page copies and shares; optionally without a share sheet, or without a clipboard as well. */
async function recordShares(page: Page, has: { sheet: boolean; clipboard: boolean }): Promise<() => Promise<string[]>> {
  await page.addInitScript(({ sheet, clipboard }) => {
    const shares: string[] = [];
    Object.assign(globalThis, { shares });
    const share = sheet ? (link: ShareData) => Promise.resolve(void shares.push(`shared ${link.url}`)) : undefined;
    Object.defineProperty(navigator, 'share', { value: share });
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        writeText: (text: string) =>
          clipboard ? Promise.resolve(void shares.push(`copied ${text}`)) : Promise.reject(new Error('not allowed')),
      },
    });
  }, has);
  return () => page.evaluate(() => (globalThis as unknown as { shares: string[] }).shares);
}

test('an embedded report shows question and results on another site at its own height, without a cookie', async ({
  page,
  context,
  baseURL,
}) => {
  const poll = await report(baseURL!);
  await page.goto(`/poll/${poll.id}`);
  await openResults(page);
  await page.getByText('Embed this poll').click();
  const code = await page.getByLabel('HTML for your own page').inputValue();
  await context.clearCookies();
  const other = await otherSite(code);
  try {
    await page.goto(other.address);
    const frame = page.frameLocator('iframe');
    await expect(frame.getByRole('heading', { level: 1 })).toHaveText(poll.question);
    const leader = frame.getByRole('table').getByRole('row').nth(1);
    await expect(leader).toContainText('%');
    await expect(page.locator('iframe')).toHaveAttribute('height', String(await heightOf(frame)));
    const link = frame.getByRole('link', { name: /Read the report/ });
    await expect(link).toHaveAttribute('href', `${baseURL}/poll/${poll.id}`);
    await expect(link).toHaveAttribute('target', '_blank');
    expect(await context.cookies()).toEqual([]);
  } finally {
    other.close();
  }
});

test('an answer of an embedded open poll opens its page with that answer marked, where the vote is confirmed', async ({
  page,
  context,
  baseURL,
}) => {
  const [poll] = await openPolls(baseURL!);
  const other = await otherSite(`<iframe src="${baseURL}/embed/poll/${poll!.id}" title="Poll"></iframe>`);
  try {
    await page.goto(other.address);
    const main = page.frameLocator('iframe').getByRole('main');
    await expect(main.getByRole('heading', { level: 1 })).toHaveText(poll!.question);
    await expect(main.getByRole('link', { name: /Vote on this poll/ })).toHaveAttribute(
      'href',
      `${baseURL}/poll/${poll!.id}`,
    );
    await expect(main.getByText(`${baseURL}/poll/${poll!.id}`, { exact: true })).toBeVisible();
    await main.getByText(/^Results so far/).click();
    await expect(main.getByRole('list', { name: 'Results' })).toContainText('%');
    const answer = poll!.options[1]!;
    const opened = context.waitForEvent('page');
    await main.getByRole('link', { name: answer.text }).click();
    const shown = await opened;
    await expect(shown.getByRole('radio', { name: answer.text })).toBeChecked();
    const vote = shown.getByRole('button', { name: /^vote/i });
    await expect(vote).toBeEnabled();
    await vote.click();
    await expect(shown.getByRole('region', { name: /^Notifications/ }).getByText('Vote Recorded')).toBeVisible();
    const voted = await context.request.get(`${baseURL}/api/polls/${poll!.id}`);
    expect(await voted.json()).toMatchObject({ userVote: answer.id });
    await shown.close();
  } finally {
    other.close();
  }
});

for (const sandbox of ['allow-popups', 'allow-popups allow-forms', 'allow-popups allow-forms allow-scripts'])
  test(`a poll in a frame with sandbox="${sandbox}" has its fonts, and opens in a window that says how to vote`, async ({
    page,
    context,
    baseURL,
    faults,
  }) => {
    const poll = (await openPolls(baseURL!))[2]!;
    const address = `${baseURL}/poll/${poll.id}`;
    const other = await otherSite(
      `<iframe sandbox="${sandbox}" src="${baseURL}/embed/poll/${poll.id}" title="Poll"></iframe>`,
    );
    try {
      await page.goto(other.address);
      const link = page.frameLocator('iframe').getByRole('link', { name: /Vote on this poll/ });
      const fonts = await link.evaluate(async ({ ownerDocument: { fonts } }) => {
        await fonts.ready;
        // Others are local fonts, which a machine may not have.
        return [...fonts].filter(({ family }) => family === 'Newsreader').map(({ status }) => status);
      });
      expect(fonts).toContain('loaded');
      expect(fonts).not.toContain('error');
      const opened = context.waitForEvent('page');
      await link.click();
      const shown = await opened;
      await expect(shown.getByRole('heading', { level: 1 })).toHaveText(poll.question);
      const copied = shown.getByText(address, { exact: true });
      await expect(copied).toBeVisible();
      if (sandbox.includes('forms')) {
        await shown.getByRole('radio').first().check();
        await shown.getByRole('button', { name: /^vote/i }).click();
        await expect(shown.getByRole('heading', { level: 1 })).toHaveText('Your vote was not recorded');
        await expect(copied).toBeVisible();
      }
      await shown.close();
      // Other windows may vote.
      await page.goto(address);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(poll.question);
      await expect(page.locator('code', { hasText: address })).toBeHidden();
      // What the sandbox forbids.
      expect(faults.filter((fault) => !fault.startsWith('Blocked script execution'))).toEqual([]);
      faults.length = 0;
    } finally {
      other.close();
    }
  });

test('the embed code is as tall as its poll, so no line of any poll is cut off', async ({ page, baseURL }) => {
  const polls = sampleOf([...(await openPolls(baseURL!)), ...(await archive(baseURL!))]);
  for (const width of [320, 576])
    for (const poll of polls) {
      const height = Number(/height="(\d+)"/.exec(embedCode(`${baseURL}/poll/${poll.id}`, poll))?.[1]);
      await page.setViewportSize({ width, height });
      await page.goto(`/embed/poll/${poll.id}`);
      expect([poll.id, width, await page.evaluate(() => document.documentElement.scrollHeight)]).toEqual([
        poll.id,
        width,
        height,
      ]);
    }
});

test('only embed pages can be framed', async ({ page, baseURL, faults }) => {
  const { id } = await report(baseURL!);
  const [community] = (await (
    await page.request.get('/api/community-polls?visibility=public&limit=1&offset=0')
  ).json()) as {
    id: string;
  }[];
  const refusing = [
    '/',
    `/poll/${id}`,
    `/poll/${id}.json`,
    '/historical?page=2',
    `/community-polls/${community!.id}`,
    '/poll/there-is-no-such-poll',
    '/nowhere',
    '/auth',
    '/api/health',
  ];
  for (const path of refusing) {
    const policies = (await page.request.get(path))
      .headersArray()
      .filter(({ name }) => /^content-security-policy$/i.test(name));
    expect([path, policies.map(({ value }) => value).join(', ')]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
  }
  const embedded = (await page.request.get(`/embed/poll/${id}`)).headers()['content-security-policy'];
  expect(embedded).toContain('frame-ancestors *');
  expect(embedded).not.toContain("frame-ancestors 'none'");

  const other = await otherSite(`<iframe src="${baseURL}/poll/${id}" title="Report"></iframe>`);
  try {
    await page.goto(other.address);
    await expect.poll(() => faults.splice(0).join('\n')).toMatch(/frame-ancestors|refused/i);
  } finally {
    other.close();
    faults.splice(0);
  }
});

test('an embed of a poll that does not exist says so', async ({ page }) => {
  const answer = await page.request.get('/embed/poll/there-is-no-such-poll');
  expect(answer.status()).toBe(404);
  expect(await answer.text()).toContain('Poll Not Found');
});

test('a report is shared through the share sheet if the device has one', async ({ page, baseURL }) => {
  const poll = await report(baseURL!);
  const shares = await recordShares(page, { sheet: true, clipboard: true });
  await page.goto(`/poll/${poll.id}`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  expect(await shares()).toEqual([`shared ${baseURL}/poll/${poll.id}`]);
});

test('without a share sheet the link is copied, and a failure is reported', async ({ page, baseURL }) => {
  const poll = await report(baseURL!);
  const shares = await recordShares(page, { sheet: false, clipboard: true });
  await page.goto(`/poll/${poll.id}`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByText('Link Copied!', { exact: true })).toBeVisible();
  await openResults(page);
  await page.getByRole('button', { name: 'Copy Citation' }).click();
  await expect(page.getByText('Copied!', { exact: true })).toBeVisible();
  const [link, citation] = await shares();
  expect(link).toBe(`copied ${baseURL}/poll/${poll.id}`);
  expect(citation).toContain(`self-selected voters. ${baseURL}/poll/${poll.id}`);
});

test('an article is shared the same way, even if the clipboard is refused', async ({ page }) => {
  await recordShares(page, { sheet: false, clipboard: false });
  await page.goto('/blog/what-a-tie-means');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByText(/^Copy Failed: Could not copy/)).toBeVisible();
});

test('an open poll offers its link and its embed code', async ({ page, baseURL }) => {
  const [poll] = await openPolls(baseURL!);
  const shares = await recordShares(page, { sheet: false, clipboard: true });
  await page.goto(`/poll/${poll!.id}`, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByText('Embed this poll').click();
  await page.getByRole('button', { name: 'Copy HTML' }).click();
  await expect.poll(shares).toHaveLength(2);
  expect((await shares())[1]).toContain(`<iframe src="${baseURL}/embed/poll/${poll!.id}"`);
});

test('[S1.18] a report and its embed name the license of the results', async ({ page, baseURL }) => {
  const poll = await report(baseURL!);
  for (const path of [`/poll/${poll.id}`, `/embed/poll/${poll.id}`]) {
    await page.goto(path);
    if (!path.startsWith('/embed')) await openResults(page);
    await expect(page.getByRole('link', { name: /^CC BY 4\.0/ })).toHaveAttribute(
      'href',
      'https://creativecommons.org/licenses/by/4.0/',
    );
    await expect(page.getByText('The voters chose themselves.').first()).toBeVisible();
  }
});

test('a report offers its figures as downloads', async ({ page, baseURL }) => {
  const poll = await report(baseURL!);
  await page.goto(`/poll/${poll.id}`);
  await openResults(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV for spreadsheets' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`poll-${poll.id}.csv`);
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'PNG', exact: true }).click(),
  ]);
  expect(picture.suggestedFilename()).toBe(`${poll.id}-bar.png`);
  const json = await page.request.get(`/poll/${poll.id}.json`);
  expect(await json.json()).toMatchObject({ totalVotes: poll.totalVotes, poll: { question: poll.question } });
  const again = await page.request.get(`/poll/${poll.id}.json`, {
    headers: { 'if-none-match': json.headers().etag ?? '' },
  });
  expect(again.status()).toBe(304);
  const [open] = await openPolls(baseURL!);
  for (const ending of ['csv', 'json'])
    expect((await page.request.get(`/poll/${open!.id}.${ending}`)).status()).toBe(404);
});

test('every kind of page names an existing share picture of 1200 by 630 pixels', async ({ page, baseURL }) => {
  const [open] = await openPolls(baseURL!);
  const closed = await report(baseURL!);
  const [community] = (await (
    await page.request.get('/api/community-polls?visibility=public&limit=1&offset=0')
  ).json()) as {
    id: string;
  }[];
  const paths = ['/', '/historical', `/poll/${open!.id}`, `/poll/${closed.id}`, '/blog/what-a-tie-means'];
  const seen = new Set<string>();
  for (const path of [...paths, `/community-polls/${community!.id}`]) {
    await page.goto(path);
    const of = (property: string) => page.locator(`meta[property="${property}"]`).getAttribute('content');
    expect([await of('og:image:width'), await of('og:image:height')]).toEqual(['1200', '630']);
    expect(await of('og:image:alt')).not.toBe('');
    const answer = await page.request.get((await of('og:image')) ?? '');
    expect([path, answer.status(), answer.headers()['content-type']]).toEqual([path, 200, 'image/png']);
    const png = await answer.body();
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    seen.add(png.toString('base64'));
  }
  // The archive has the site’s picture, like the home page.
  expect(seen.size).toBe(5);
});

test('sitemap and feeds are XML and link only to indexable pages', async ({ page, baseURL }) => {
  await page.goto('/');
  const read = (path: string) =>
    page.evaluate(async (address) => {
      const xml = new DOMParser().parseFromString(await (await fetch(address)).text(), 'text/xml');
      const texts = (name: string) => [...xml.getElementsByTagName(name)].map((element) => element.textContent ?? '');
      return { broken: texts('parsererror'), locations: texts('loc'), links: texts('link'), ids: texts('id') };
    }, path);
  const path = (address: string) => address.replace(baseURL!, '');
  const index = await read('/sitemap.xml');
  expect(index.locations.map(path)).toEqual(
    expect.arrayContaining(['pages', 'blog', 'reports-1', 'community-1'].map((name) => `/sitemap-${name}.xml`)),
  );
  const pages: string[] = [];
  for (const file of index.locations) {
    const { broken, locations } = await read(path(file));
    expect([file, broken]).toEqual([file, []]);
    pages.push(...locations);
  }
  for (const hidden of ['/terms', '/privacy', '/disclaimer', '/auth', '/profile', '/admin'])
    expect(pages).not.toContain(baseURL! + hidden);
  expect(new Set(pages).size).toBe(pages.length);
  for (const address of sampleOf(pages)) {
    const answer = await page.request.get(address);
    const html = await answer.text();
    expect([address, answer.status(), html.includes('<meta name="robots"')]).toEqual([address, 200, false]);
    expect(html).toContain(`<link rel="canonical" href="${address}"`);
  }
  const feeds = await page
    .locator('link[rel=alternate]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(feeds).toHaveLength(4);
  for (const feed of feeds) {
    const { broken, links, ids } = await read(feed ?? '');
    expect([feed, broken]).toEqual([feed, []]);
    expect(links.length + ids.length).toBeGreaterThan(10);
  }
});

test('the icons listed in the manifest exist', async ({ page }) => {
  const manifest = (await (await page.request.get('/manifest.webmanifest')).json()) as {
    icons: { src: string; sizes: string; type: string }[];
  };
  for (const { src, sizes, type } of manifest.icons) {
    const answer = await page.request.get(src);
    expect([src, answer.status(), answer.headers()['content-type']]).toEqual([src, 200, type]);
    const body = await answer.body();
    if (type === 'image/png') expect([src, `${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`]).toEqual([src, sizes]);
  }
  for (const path of [
    '/robots.txt',
    '/humans.txt',
    '/.well-known/security.txt',
    '/icons/apple-touch.png',
    '/favicon.ico',
  ])
    expect([path, (await page.request.get(path)).status()]).toEqual([path, 200]);
});

for (const colorScheme of themes) {
  test(`axe finds nothing on embedded polls, and none scrolls sideways at 280 px, ${colorScheme}`, async ({
    page,
    baseURL,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 280, height: 420 });
    const [open] = await openPolls(baseURL!);
    const closed = sampleOf(await archive(baseURL!)).map(({ id }) => id);
    for (const [place, id] of [open!.id, ...closed].entries()) {
      await page.goto(`/embed/poll/${id}`);
      expect([id, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([id, 280]);
      if (place < 2) expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
    }
  });
}
