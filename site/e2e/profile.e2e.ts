import { request } from 'playwright/test';
import type { Page } from 'playwright/test';
import { runsSlow } from '#api/testing/slow.ts';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { accessibilityFindings, expect, test, themes, transferred } from './fixtures.ts';
import { mockMember } from './member-api.ts';
import { openPolls } from './page-helpers.ts';
import { archive } from './scene.ts';

const pages = ['/profile', '/profile/activities', '/profile/badges'] as const;
const kilobyte = 1000;

let people = 0;

/** Badges of the member that no page has announced. */
async function unannouncedBadges(page: Page): Promise<string[]> {
  const summary = (await (await page.request.get('/api/user/summary')).json()) as { newBadges: { key: string }[] };
  return summary.newBadges.map(({ key }) => key);
}

/** Signs in a new member in the page’s browser, without badges left to announce. */
async function signUp(page: Page): Promise<string> {
  const username = `reader-${Date.now().toString(36)}-${++people}`;
  const data = { username, password: 'correct horse', firstName: 'Rosa', lastName: 'Wind' };
  expect((await page.request.post('/api/register', { data })).status()).toBe(201);
  const badges = await unannouncedBadges(page);
  if (badges.length > 0) await page.request.post('/api/user/badges/announced', { data: { badges } });
  return username;
}

const notifications = (page: Page) => page.getByRole('region', { name: /Notifications/ });

/** Expects a notification, with or without an emblem, and closes it, so the next one appears. */
async function expectNotification(page: Page, title: string, { emblem = false } = {}): Promise<void> {
  const item = notifications(page).getByRole('listitem').filter({ hasText: title });
  await expect(item).toBeVisible();
  await expect(item.locator('svg[viewBox="0 0 64 64"]')).toHaveCount(emblem ? 1 : 0);
  await item.getByRole('button', { name: 'Close' }).click();
}

const figure = (page: Page, label: string) =>
  page.getByLabel('Your stats').locator('div', { hasText: label }).locator('.figures__value');
const entries = (page: Page) => page.locator('main li[data-type]');

/** Five visitors vote on the community poll of the page, so that it counts for its creator’s badges. */
async function votesOfOthers(page: Page): Promise<void> {
  const id = new URL(page.url()).pathname.split('/').at(-1)!;
  const { options } = (await (await page.request.get(`/api/community-polls/${id}`)).json()) as CommunityPoll;
  for (const place of [1, 2, 3, 4, 5]) {
    const stranger = await request.newContext({ baseURL: new URL(page.url()).origin });
    const data = { optionId: options[0]!.id, voterFingerprint: `device_${Date.now().toString(36)}other${place}` };
    expect((await stranger.post(`/api/community-polls/${id}/vote`, { data })).status()).toBe(200);
    await stranger.dispose();
  }
}

test('[S1.13 D7.7] from the first vote to the fifth badge, each badge is announced once and shown on every page of the profile', async ({
  page,
  context,
}) => {
  test.setTimeout(90_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const question = `Does ${await signUp(page)} collect badges?`;

  await page.goto('/');
  const card = page.getByRole('main').getByRole('article').first();
  const weekly = await card.getByRole('heading').innerText();
  await card.getByRole('radio').first().check();
  await card.getByRole('button', { name: /^vote/i }).click();
  await expectNotification(page, 'Vote Recorded');
  await expectNotification(page, 'Badge earned: Light Air', { emblem: true });

  await page.goto('/community-polls/new');
  await page.getByRole('textbox', { name: 'Question' }).fill(question);
  await page.getByRole('textbox', { name: 'Option 1' }).fill('Yes');
  await page.getByRole('textbox', { name: 'Option 2' }).fill('No');
  await page.getByRole('button', { name: 'Create Poll', exact: true }).click();
  await expectNotification(page, 'Poll Created!');
  await votesOfOthers(page);
  await expect.poll(() => unannouncedBadges(page), { timeout: 30_000 }).toContain('polls_1');
  await page.reload();
  await expectNotification(page, 'Badge earned: First Draft', { emblem: true });

  await page.getByRole('radio', { name: 'Yes' }).check();
  await page.getByRole('button', { name: 'Cast Vote' }).click();
  await expectNotification(page, 'Vote Submitted!');
  await expectNotification(page, 'Badge earned: Own Horn', { emblem: true });

  await page.getByRole('textbox', { name: /comment/i }).fill('I asked it first.');
  await page.getByRole('button', { name: 'Post Comment' }).click();
  await expectNotification(page, 'Comment Posted!');
  await expectNotification(page, 'Badge earned: Opening Remark', { emblem: true });

  await page
    .getByRole('button', { name: /Copy Link/ })
    .last()
    .click();
  await expectNotification(page, 'Link Copied!');
  await expectNotification(page, 'Badge earned: Hat Trick', { emblem: true });

  const news = page.waitForResponse('**/api/user/summary');
  await page.reload();
  const { badges, newBadges } = (await (await news).json()) as { badges: number; newBadges: unknown[] };
  expect(newBadges).toEqual([]);
  await page.getByRole('button', { name: 'Account: Rosa Wind' }).click();
  await expect(page.locator('#account-menu').getByText(`${badges}/54`)).toBeVisible();
  await expect(notifications(page).getByRole('listitem')).toHaveCount(0);

  await page.locator('#account-menu').getByRole('link', { name: 'Profile' }).click();
  await expect(page).toHaveURL('/profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Rosa Wind' })).toBeVisible();
  for (const [label, value] of [
    ['Votes Cast', '2'],
    ['Polls Created', '1'],
    ['Comments', '1'],
    ['Badges Earned', String(badges)],
  ] as const)
    await expect(figure(page, label)).toHaveText(value);
  const achievements = page.getByRole('region', { name: 'Achievements' });
  await expect(achievements.getByText(`${badges}/54`)).toBeVisible();
  for (const name of ['Light Air', 'First Draft', 'Own Horn', 'Opening Remark', 'Hat Trick'])
    await expect(achievements.getByText(name, { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your Polls' }).getByRole('link', { name: question })).toBeVisible();
  const recent = page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem');
  await expect(recent).toHaveCount(5);
  await expect(recent.first()).toContainText('Badge EarnedBadgeFunHat Trick');
  await expect(page.getByRole('region', { name: 'Your Year' })).toContainText(
    '4 activities on 1 day in the last year.',
  );

  await page.getByRole('link', { name: 'View All Activities' }).click();
  await expect(page).toHaveURL('/profile/activities');
  const total = 4 + badges;
  await expect(page.getByText(`Showing ${total} of ${total} activities`)).toBeVisible();
  await page.getByLabel('Type').selectOption('Votes');
  await expect(page.getByText(`Showing 2 of 2 activities (${total} in all)`)).toBeVisible();
  await expect(entries(page)).toHaveText([new RegExp(question.replace('?', '\\?')), new RegExp(weekly.slice(0, 20))]);
  await page.getByRole('searchbox', { name: 'Search' }).fill('does reader');
  await expect(page.getByText(`Showing 1 of 1 activities (${total} in all)`)).toBeVisible();
  await expect(page).toHaveURL('/profile/activities?type=vote&q=does+reader');
  await page.reload();
  await expect(entries(page)).toHaveCount(1);
  await page.getByLabel('Type').selectOption('All');
  await expect(page.getByText(`Showing 3 of 3 activities (${total} in all)`)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  await expect(page.getByText(`Showing ${total} of ${total} activities`)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your Polls' })).toContainText(question);
  await entries(page).filter({ hasText: 'Poll Created' }).getByRole('link').click();
  await expect(page.getByRole('heading', { name: question })).toBeVisible();

  await page.goto('/profile/badges');
  await expect(page.getByText(`${badges} of 54 badges earned`)).toBeVisible();
  const panel = page.getByRole('tabpanel');
  await expect(panel.getByRole('listitem').first()).toContainText(/Light Air.*Cast 1 vote.*Earned/);
  await expect(panel.getByRole('listitem').nth(1)).toContainText(/Fresh Breeze.*2\/10.*20%.*8 more needed/);
  await page.getByRole('tab', { name: /Voting/ }).focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('tab', { name: /Fun/ })).toBeFocused();
  await expect(panel.getByRole('listitem').filter({ hasText: 'Hat Trick' })).toContainText('Earned');
  await expect(page.getByRole('tab', { name: /Fun/ })).toContainText('2 of 10');
});

test('[D7.6] each poll or report that a member opens is counted once', async ({ page, baseURL }) => {
  await signUp(page);
  const opened = async () => {
    const { badges } = (await (await page.request.get('/api/user/badges')).json()) as {
      badges: { key: string; current: number }[];
    };
    return badges.find(({ key }) => key === 'opened_50')!.current;
  };
  const [poll] = await openPolls(page);
  const [report] = await archive(baseURL!);
  for (const [id, count] of [
    [poll!.id, 1],
    [report!.id, 2],
    [poll!.id, 2],
  ] as const) {
    const reported = page.waitForResponse('**/api/user/opened');
    await page.goto(`/poll/${id}`);
    expect((await reported).status()).toBe(204);
    expect(await opened()).toBe(count);
  }
});

test('readers without an account load no profile code or data', async ({ page, baseURL }) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  const [report] = await archive(baseURL!);
  const { scripts } = await transferred(page, `/poll/${report!.id}`);
  expect(scripts).toBeLessThanOrEqual(5.2 * kilobyte);
  expect(requested.filter((url) => /api\/user|BadgeNews|announce/.test(url))).toEqual([]);
});

for (const path of pages) {
  test(`[S2.103 S2.110 S2.117] ${path} asks visitors to sign in`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: 'Access Denied' })).toBeVisible();
    await expect(page.getByText('You need to sign in to view your profile.')).toBeVisible();
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
    await page.getByRole('link', { name: 'Sign In' }).last().click();
    await expect(page).toHaveURL(`/auth?next=${encodeURIComponent(path)}`);
  });
}

test('without JavaScript the pages say that they need it', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  for (const path of pages) {
    await page.goto(path);
    await expect(page.getByText(/This page needs JavaScript/)).toBeVisible();
  }
});

test('nothing moves while the profile loads', async ({ page, baseURL }) => {
  await mockMember(page, baseURL!, 'new');
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        document.documentElement.dataset.moved = String(
          Number(document.documentElement.dataset.moved ?? 0) + (entry as unknown as { value: number }).value,
        );
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/profile', { waitUntil: 'networkidle' });
  await expect(figure(page, 'Votes Cast')).toHaveText('0');
  expect(await page.evaluate(() => Number(document.documentElement.dataset.moved ?? 0))).toBeLessThan(0.05);
});

for (const colorScheme of themes) {
  test(`axe finds nothing on the profile pages, and nothing is wider than the screen, ${colorScheme}`, async ({
    page,
    baseURL,
    faults,
  }) => {
    test.setTimeout(120_000);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const check = async (state: string) => {
      expect([state, await accessibilityFindings(page, colorScheme)]).toEqual([state, []]);
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect([state, widths[0]! <= widths[1]!]).toEqual([state, true]);
    };
    const states = [
      ['full', 320],
      ['full', 1280],
      ['new', 390],
      ['failing', 390],
    ] as const;
    for (const [state, width] of runsSlow ? states : states.slice(0, 1)) {
      await page.unrouteAll();
      await mockMember(page, baseURL!, state);
      await page.setViewportSize({ width, height: 900 });
      for (const path of pages) {
        await page.goto(path);
        if (state === 'failing') await page.getByRole('alert').first().waitFor();
        else await expect(page.locator('main .skeleton')).toHaveCount(0);
        if (state === 'full' && path === '/profile') await page.getByText('Show as a table').click();
        await check(`${path} ${state} ${width}`);
      }
    }
    expect(faults.splice(0).every((fault) => fault.includes('ERR_FAILED'))).toBe(true);
  });
}
