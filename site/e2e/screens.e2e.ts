import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import type { Poll, Statistics } from '#api/polls/polls.contract.ts';
import { topicAddress, topicSlug } from '#domain/topics.ts';
import { createPoll, newPerson, urlOf } from './community-people.ts';
import { expect, test } from './fixtures.ts';
import { operatorPassword } from './installation.ts';
import { openPolls, read } from './page-helpers.ts';
import { archive } from './scene.ts';

/* Specified details of screens that no other test checks. */

test('[S1.15 S1.22 S2.1 S2.4 S2.80 D5.11] every URL has its own screen, title, and description, and the footer', async ({
  page,
}) => {
  const seen = { titles: new Set<string>(), descriptions: new Set<string>() };
  const screens = [
    ['/', 'Which way is the wind blowing?'],
    ['/auth', 'Welcome to Weathervane'],
    ['/historical', 'Historical Polls'],
    ['/blog', 'Blog and Insights'],
    ['/community-polls', 'Community Polls'],
    ['/profile', 'Access Denied'],
    ['/profile/activities', 'Access Denied'],
    ['/profile/badges', 'Access Denied'],
    ['/admin', 'Admin Access'],
    ['/about', 'About Weathervane'],
    ['/terms', 'Terms of Use'],
    ['/privacy', 'Privacy Policy'],
    ['/disclaimer', 'Disclaimer'],
  ] as const;
  for (const [path, heading] of screens) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    seen.titles.add(await page.title());
    seen.descriptions.add((await page.locator('meta[name=description]').getAttribute('content')) ?? '');
    const footer = page.getByRole('contentinfo');
    for (const target of ['/terms', '/privacy', '/disclaimer', '/about'])
      await expect(footer.locator(`a[href="${target}"]`)).toHaveCount(1);
    await expect(footer.getByRole('link', { name: 'support@example.org' })).toHaveCount(1);
    await expect(footer).toContainText('All polls are for entertainment and opinion gathering only.');
  }
  expect(seen.titles.size).toBe(screens.length);
  expect(seen.descriptions.size).toBe(screens.length);
  await page.goto('/community-polls');
  await expect(
    page.getByText(
      'Questions readers ask each other. Vote on any of them without an account, or sign in to ask your own.',
    ),
  ).toBeVisible();
  await page.goto('/auth/login?next=/about');
  await expect(page).toHaveURL(/\/auth\?next=(\/|%2F)about$/);
});

test('[S2.8] the navigation stays at the top, highlights each section, and the site’s name links to the home page', async ({
  page,
}) => {
  for (const [path, name] of [
    ['/', 'Current Polls'],
    ['/historical', 'Historical Polls'],
    ['/community-polls', 'Community Polls'],
    ['/blog', 'Blog'],
    ['/about', 'About'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('banner').locator('[aria-current=page]')).toHaveText(name);
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    expect([path, await page.evaluate(() => scrollY > 0)]).toEqual([path, true]);
    expect([path, (await page.getByRole('banner').boundingBox())!.y]).toEqual([path, 0]);
  }
  await page.getByRole('banner').getByRole('link', { name: 'Weathervane, home' }).click();
  await expect(page).toHaveURL('/');
});

test('[S2.18 S2.20] the home page has its three figures twice, and a grid of all open polls with their number', async ({
  page,
  browser,
}) => {
  const polls = await openPolls(page);
  // Demonstration polls don’t count: the hero has figures once there is another poll, and participants once it has a vote.
  const anna = await newPerson(browser, 'Anna');
  const poll = await createPoll(anna);
  const data = { optionId: 'option-1', voterFingerprint: `device_${Date.now().toString(36).padEnd(20, 'x')}` };
  expect((await anna.page.request.post(`/api${urlOf(poll)}/vote`, { data })).status()).toBe(200);
  const { totalVotes, totalParticipants, totalPolls } = await read<Statistics>(page, '/api/statistics');
  const figures = [totalVotes, totalParticipants, totalPolls].map((figure) => figure.toLocaleString('en-US'));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 2, name: 'Today’s Polls' })).toBeVisible();
  await expect(page.getByText(`${polls.length} active polls`, { exact: true })).toBeVisible();
  for (const { question } of polls)
    await expect(page.getByRole('heading', { name: question, exact: true })).toHaveCount(1);
  const lists = page.getByRole('main').locator('dl');
  await expect(lists).toHaveCount(2);
  await expect(lists.first().getByRole('definition')).toHaveText(figures);
  await expect(lists.last().locator('.figures__value')).toHaveText(figures);
});

test('[S2.23 S2.85] completed polls and community polls are in three columns on large screens', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const columns = async (region: ReturnType<Page['getByRole']>) => {
    await expect(region.getByRole('article').nth(5)).toBeAttached();
    const cards = region.getByRole('article');
    return cards.evaluateAll((all) => new Set(all.map((card) => Math.round(card.getBoundingClientRect().left))).size);
  };
  await page.goto('/historical');
  expect(await columns(page.getByRole('main'))).toBe(3);
  await page.goto('/community-polls');
  expect(await columns(page.getByRole('region', { name: 'Newest Polls' }))).toBe(3);
});

test('[S2.35 S2.37] an open poll has its back link, its tiles, and the share box', async ({ page }) => {
  const [poll] = await openPolls(page);
  await page.goto(`/poll/${poll!.id}`);
  await expect(page.getByRole('link', { name: 'Back to Polls' })).toHaveAttribute('href', '/');
  for (const name of ['Total Votes', 'Status', 'Ends'])
    await expect(page.getByRole('main').getByText(name, { exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByRole('radio')).toHaveCount(Math.min(3, poll!.options.length));
  await expect(page.getByRole('button', { name: /^Vote/ })).toBeDisabled();
  await expect(page.getByRole('heading', { name: 'Share This Poll' })).toBeVisible();
  const link = page.getByLabel('Link to this poll');
  await expect(link).toHaveValue(new URL(`/poll/${poll!.id}`, page.url()).href);
  await expect(link).not.toBeEditable();
  await expect(page.getByRole('button', { name: 'Copy Link' })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(`^${poll!.question.slice(0, 20)}`));
});

test('[S2.92] a community poll has a link back to the list', async ({ page }) => {
  const [poll] = await read<{ id: string }[]>(page, '/api/community-polls?visibility=public&limit=6&offset=0');
  await page.goto(`/community-polls/${poll!.id}`);
  await expect(page.getByRole('link', { name: 'Back to Community Polls' })).toHaveAttribute('href', '/community-polls');
});

test('[S2.39 S2.40 S2.42 S2.44 S2.46 S2.47 S2.48 S2.49 S2.50 S2.55 S2.56 S3.10 S9.3] a report shows what the API returns: breadcrumb, dates, tags, figures, shares, countries, and related polls', async ({
  page,
  baseURL,
}) => {
  const all = await Promise.all((await archive(baseURL!)).map(({ id }) => read<Poll>(page, `/api/polls/${id}`)));
  const poll = all.find(
    ({ countryBreakdown, author, analysis, summary, tags, question, category }) =>
      countryBreakdown.length > 6 &&
      question.length > 40 &&
      author &&
      analysis &&
      summary &&
      category &&
      tags.length > 0,
  )!;
  await page.goto(`/poll/${poll.id}`);
  const report = page.getByRole('main').getByRole('article').first();

  const way = report.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem');
  await expect(way).toHaveCount(4);
  await expect(way.nth(0).getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/');
  await expect(way.nth(1).getByRole('link', { name: 'Historical Polls' })).toHaveAttribute('href', '/historical');
  const category = way.nth(2).getByRole('link');
  await expect(category).toHaveAttribute('href', topicAddress('category', topicSlug(poll.category!)));
  expect((await category.innerText()).toLowerCase()).toBe(poll.category!.replaceAll('-', ' ').toLowerCase());
  await expect(way.nth(3)).toHaveText(`${poll.question.slice(0, 40).trimEnd()}…`);

  const day = (moment: string) =>
    new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(
      new Date(moment),
    );
  await expect(report.getByText('Poll Closed', { exact: true })).toBeVisible();
  await expect(report.getByRole('heading', { level: 1 })).toHaveText(poll.question);
  await expect(report.getByText(poll.summary!, { exact: true })).toBeVisible();
  await expect(report.getByText(`By ${poll.author}`)).toBeVisible();
  await expect(report.getByText(/Closed/).filter({ hasText: day(poll.closedAt!) })).toBeVisible();
  await expect(report.getByText(/Updated/).filter({ hasText: /ago/ })).toBeVisible();
  for (const tag of poll.tags)
    await expect(report.getByRole('link', { name: `#${tag}`, exact: true })).toHaveAttribute(
      'href',
      topicAddress('tag', topicSlug(tag)),
    );

  const tile = (name: string) => report.getByText(name, { exact: true }).locator('..').locator('dd').first();
  const ranked = poll.options
    .toSorted((one, other) => other.votes - one.votes)
    .map((option) => ({ ...option, rank: 1 + poll.options.filter(({ votes }) => votes > option.votes).length }));
  const percent = (votes: number) => `${(Math.round((votes * 1_000) / poll.totalVotes) / 10).toFixed(1)}%`;
  const days = Math.ceil((Date.parse(poll.closedAt!) - Date.parse(poll.createdAt)) / 86_400_000);
  await expect(tile('Total Participants')).toHaveText(poll.totalVotes.toLocaleString('en-US'));
  await expect(tile('Leading Response')).toContainText(percent(ranked[0]!.votes));
  await expect(tile('Days Active')).toHaveText(String(days));
  await expect(tile('Response Options')).toHaveText(String(poll.options.length));

  const rows = report.getByRole('table', { name: 'Every answer, most votes first' }).getByRole('row');
  for (const [place, { rank, text, votes }] of ranked.entries()) {
    const row = rows.nth(place + 1);
    const next = ranked[place + 1];
    const margin = next === undefined ? '' : `+${(((votes - next.votes) * 100) / poll.totalVotes).toFixed(1)} points`;
    await expect(row.getByRole('cell')).toHaveText([
      String(rank),
      votes.toLocaleString('en-US'),
      percent(votes),
      margin,
    ]);
    await expect(row.getByRole('rowheader')).toHaveText(text);
  }
  await expect(rows.last()).toContainText('Total Responses');
  await expect(rows.last()).toContainText(poll.totalVotes.toLocaleString('en-US'));

  const countries = report.getByRole('region', { name: 'Geographic Distribution' });
  const six = poll.countryBreakdown.toSorted((one, other) => other.percentage - one.percentage).slice(0, 6);
  const rest = 100 - six.reduce((sum, { percentage }) => sum + percentage, 0);
  await expect(countries.getByRole('term')).toHaveText([...six.map(({ name }) => name), 'Other']);
  await expect(countries.getByRole('definition')).toHaveText(
    [...six.map(({ percentage }) => percentage), rest].map((percentage) => `${percentage.toFixed(1)}%`),
  );

  await expect(report.getByRole('region', { name: 'Poll Background' })).toContainText(
    poll.description.split(/\n\s*\n/)[0]!,
  );
  const analysis = report.getByRole('region', { name: 'Expert Analysis' }).locator('.prose');
  const given = await analysis.evaluate((element, html) => {
    const copy = document.createElement('div');
    copy.innerHTML = html;
    return element.innerHTML.trim() === copy.innerHTML.trim();
  }, poll.analysis!);
  expect(given).toBe(true);

  const methodology = report.getByRole('region', { name: 'Methodology & Limitations' });
  for (const text of [
    /anonymous.*fingerprint/,
    /self-selected convenience sample/,
    /without any weighting/,
    /Selection bias/,
  ])
    await expect(methodology).toContainText(text);
  const others = await read<{ id: string; question: string; totalVotes: number }[]>(
    page,
    `/api/polls/related/${encodeURIComponent(poll.category!)}/${poll.id}`,
  );
  const related = report.getByRole('region', { name: 'Related Polls' });
  await expect(related.getByRole('link')).toHaveText(others.map(({ question }) => question));
  expect([others.length > 0, others.length <= 6]).toEqual([true, true]);
  for (const [place, { id, totalVotes }] of others.entries()) {
    await expect(related.getByRole('listitem').nth(place)).toContainText(`${totalVotes.toLocaleString('en-US')} vote`);
    await expect(related.getByRole('link').nth(place)).toHaveAttribute('href', `/poll/${id}`);
  }
  const summary = poll.summary!;
  await expect(page.locator('meta[name=description]')).toHaveAttribute(
    'content',
    summary.length <= 160 ? summary : `${summary.slice(0, 159).trimEnd()}…`,
  );
});

test('[S2.61] the bars of a report are blue, green, amber, and purple by the position of their option, and all colors differ', async ({
  page,
  baseURL,
}) => {
  const poll = (await archive(baseURL!)).find(({ options, totalVotes }) => options.length === 5 && totalVotes > 0)!;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`/poll/${poll.id}`);
    const rows = page.getByRole('table', { name: 'Every answer, most votes first' }).getByRole('row');
    const colors: string[] = [];
    const fills: string[] = [];
    for (const { text } of poll.options) {
      const row = rows.filter({ has: page.getByRole('rowheader', { name: text, exact: true }) });
      const bar = row.locator('rect + rect');
      fills.push(await bar.evaluate((one) => getComputedStyle(one).fill));
      const hue = await bar.evaluate((bar) => {
        const canvas = document.createElement('canvas').getContext('2d')!;
        canvas.fillStyle = getComputedStyle(bar).fill;
        canvas.fillRect(0, 0, 1, 1);
        const [r = 0, g = 0, b = 0] = canvas.getImageData(0, 0, 1, 1).data;
        const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
        const sixth =
          most === r
            ? (g - b) / (most - least)
            : most === g
              ? 2 + (b - r) / (most - least)
              : 4 + (r - g) / (most - least);
        return (sixth * 60 + 360) % 360;
      });
      const names = [
        [25, 60, 'amber'],
        [80, 180, 'green'],
        [190, 255, 'blue'],
        [256, 325, 'purple'],
      ] as const;
      colors.push(names.find(([from, to]) => hue >= from && hue <= to)?.[2] ?? `hue ${Math.round(hue)}`);
    }
    expect(colors.slice(0, 4)).toEqual(['blue', 'green', 'amber', 'purple']);
    expect(new Set(fills).size).toBe(poll.options.length);
  }
});

test('[S2.7 D4.10] a closed poll whose report is not published yet is shown but not indexed', async ({ page }) => {
  const id = `young-${Date.now().toString(36)}`;
  const rows = await readFile('api/polls/import/fixtures/every-column.csv', 'utf8');
  const answer = await page.request.post('/api/polls/bulk-upload', {
    multipart: {
      password: operatorPassword,
      csvFile: { name: 'young.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.replace('window-seat', id)) },
    },
  });
  expect(answer.status()).toBe(200);
  const shown = await page.goto(`/poll/${id}`);
  expect([shown?.status(), shown?.headers()['x-robots-tag']]).toEqual([200, 'noindex']);
  await expect(page).toHaveTitle(/^Window or aisle\?/);
  await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /\w{3}/);
  await expect(page.getByText('Poll Closed', { exact: true })).toBeVisible();
});

test('[S9.18] a notification is at most 420 pixels wide on a wide screen', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 1600, height: 900 });
  const [poll] = await openPolls(page);
  await page.goto(`/poll/${poll!.id}`);
  await page.getByRole('button', { name: 'Copy Link' }).click();
  const toast = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem');
  await expect(toast).toContainText('Link Copied!');
  const box = await toast.boundingBox();
  expect(box!.width).toBeGreaterThan(200);
  expect(box!.width).toBeLessThanOrEqual(420);
});

test('[S9.19] tooltips wait for 700 ms, and not at all within 300 ms of the last one', async ({ page }) => {
  for (const path of ['/', '/historical', '/blog', '/profile']) {
    await page.goto(path);
    const body = page.locator('body');
    await expect(body).toHaveAttribute('data-tooltip-delay', '700');
    await expect(body).toHaveAttribute('data-tooltip-skip', '300');
  }
});

test('in print, text is dark in either theme, and there are no controls', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('theme', 'dark'));
  await page.goto('/historical');
  await page.emulateMedia({ media: 'print' });
  const ink = await page.locator('h1').evaluate((heading) => {
    const canvas = document.createElement('canvas').getContext('2d')!;
    canvas.fillStyle = getComputedStyle(heading).color;
    canvas.fillRect(0, 0, 1, 1);
    return Math.max(...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
  });
  expect(ink).toBeLessThan(100);
  for (const pressed of ['.skip-link', 'body > header', '.button', 'nav', 'select'])
    expect(await page.locator(pressed).filter({ visible: true }).count(), pressed).toBe(0);
});
