import { readdir } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { createPoll, newPerson } from './community-people.ts';
import { accessibilityFindings, expect, test, themes } from './fixtures.ts';
import { originOf, runInstallation, startInstallation } from './installation.ts';
import type { RunningSite } from './installation.ts';
import { otherSite } from './other-site.ts';
import type { OtherSite } from './other-site.ts';
import { openPolls, registerInForm } from './page-helpers.ts';
import { sites } from './sites.ts';
import { textFaultsOf } from './text-fit.ts';

const origin = originOf(sites.thirdParties);
const scripts = { analytics: 'https://stats.example/js/script.js', ads: 'https://ads.example/show.js' };
const settings = {
  // The first start makes one.
  ADMIN_PASSWORD: '',
  ANALYTICS_SCRIPT: scripts.analytics,
  ANALYTICS_SITE: 'polls.example',
  // The second server is only allowed in the policy; nothing is loaded from it.
  ADS_SCRIPT: `${scripts.ads} https://pictures.example`,
};
let site: RunningSite | undefined;
/** A site whose pages may have ballots, and what its page contains. */
let listed: OtherSite | undefined;
let content = '';

test.beforeAll(async () => {
  test.setTimeout(240_000);
  listed = await otherSite(() => content);
  const EMBED_VOTING_SITES = `https://news.example ${new URL(listed.address).origin}`;
  site = await startInstallation(sites.thirdParties, { ...settings, EMBED_VOTING_SITES });
});

test.afterAll(async () => {
  listed?.close();
  await site?.stop();
});

/** Replaces the services and records requests and analytics events. */
async function stubServices(page: Page): Promise<{ requested: string[]; events: string[] }> {
  const requested: string[] = [];
  const events: string[] = [];
  await page.exposeFunction('recordEvent', (event: string, site: string) => void events.push(`${site}: ${event}`));
  await page.route(/^https:/, async (route) => {
    const address = route.request().url();
    requested.push(address);
    if (address !== scripts.analytics) return route.fulfill({ contentType: 'text/javascript', body: '' });
    return route.fulfill({
      contentType: 'text/javascript',
      body: 'const { domain } = document.currentScript.dataset; window.plausible = (...args) => void recordEvent(args.join(), domain);',
    });
  });
  return { requested, events };
}

// Third-party scripts are requested before the load event, which waits for them.
const openPoll = async () => (await openPolls(origin))[0]!;

test('[S1.21 D1.10] by default no page requests anything from another server', async ({ page, baseURL }) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).origin));
  for (const path of ['/', '/historical', '/blog', '/about', '/terms', '/auth', '/community-polls'])
    await page.goto(path);
  expect([...new Set(requested)]).toEqual([baseURL]);
});

test('[S1.21 D1.10] a vote, a share, and a registration are reported to analytics, without further details', async ({
  page,
}) => {
  const { requested, events } = await stubServices(page);
  const poll = await openPoll();
  await page.goto(`${origin}/poll/${poll.id}`);
  expect(requested.sort()).toEqual([scripts.ads, scripts.analytics]);
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: /^vote/i }).click();
  await expect(page.getByText('Vote Recorded', { exact: true }).first()).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await page.getByRole('button', { name: 'Copy Link' }).last().click();
  await expect.poll(() => events).toEqual(['polls.example: vote', 'polls.example: share']);

  await page.goto(`${origin}/blog/what-a-tie-means`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect.poll(() => events.length).toBe(3);

  await page.goto(`${origin}/auth`);
  await page.getByRole('tab', { name: 'Register' }).click();
  await registerInForm(page, { Username: `counted-${Date.now().toString(36)}`, Password: 'a windy day' });
  await expect(page).toHaveURL(`${origin}/`);
  expect(events.slice(2)).toEqual(['polls.example: share', 'polls.example: sign_up']);
});

test('[S1.21 D1.10] legal pages and the sign-in page never have advertisements', async ({ page }) => {
  const { requested } = await stubServices(page);
  for (const path of ['/terms', '/privacy', '/disclaimer', '/auth']) await page.goto(origin + path);
  expect([...new Set(requested)]).toEqual([scripts.analytics]);
});

test('pages of the operator and of members, and polls that are not public, load no third-party scripts', async ({
  browser,
}) => {
  const creator = await newPerson(browser, 'Vera', { baseURL: origin });
  const { requested } = await stubServices(creator.page);
  const unlisted = await createPoll(creator, { visibility: 'unlisted' });
  for (const path of ['/admin', '/profile', '/profile/account', `/community-polls/${unlisted.id}`, '/nowhere'])
    await creator.page.goto(origin + path);
  expect(requested).toEqual([]);
  const open = await createPoll(creator);
  await creator.page.goto(`${origin}/community-polls/${open.id}`);
  expect(requested.sort()).toEqual([scripts.ads, scripts.analytics]);
});

for (const [signal, property, value] of [
  ['Do Not Track', 'doNotTrack', '1'],
  ['Global Privacy Control', 'globalPrivacyControl', true],
] as const) {
  test(`a browser that sends "${signal}" gets neither analytics nor advertisements`, async ({ page }) => {
    const { requested } = await stubServices(page);
    await page.addInitScript(
      ([name, on]) => Object.defineProperty(Navigator.prototype, name, { get: () => on, configurable: true }),
      [property, value] as const,
    );
    for (const path of ['/', '/blog/what-a-tie-means', '/privacy', '/auth', '/historical?page=2'])
      await page.goto(origin + path);
    expect(requested).toEqual([]);
  });
}

test('pages accept scripts from the configured servers only', async ({ page, faults }) => {
  await stubServices(page);
  for (const path of ['/', '/historical?page=2']) {
    await page.goto(origin + path);
    const taken = (address: string) =>
      page.evaluate(
        (src) =>
          new Promise<boolean>((done) => {
            const script = Object.assign(document.createElement('script'), { src });
            script.onload = () => done(true);
            script.onerror = () => done(false);
            document.head.append(script);
          }),
        address,
      );
    expect(await taken('https://pictures.example/more.js')).toBe(true);
    expect(await taken('https://elsewhere.example/more.js')).toBe(false);
  }
  expect(faults.splice(0).every((fault) => fault.includes('elsewhere.example'))).toBe(true);
});

test('an embedded poll has no script but its own, whatever is configured', async ({ page }) => {
  const { requested } = await stubServices(page);
  await page.goto(`${origin}/embed/poll/${(await openPoll()).id}`);
  expect(
    await page.locator('script').evaluateAll((scripts) => scripts.map((script) => script.getAttribute('src'))),
  ).toEqual([null]);
  expect(requested).toEqual([]);
});

/** A frame with the ballot of an open poll, and the poll. */
async function framedBallot(place: number, sandbox?: string) {
  const poll = (await openPolls(origin))[place]!;
  const attribute = sandbox === undefined ? '' : `sandbox="${sandbox}"`;
  return { poll, html: `<iframe ${attribute} src="${origin}/embed/poll/${poll.id}/vote" title="Poll"></iframe>` };
}

test('on a listed site a vote is cast in the page itself, once for each of these sites, and counts apart', async ({
  page,
  context,
}) => {
  const { poll, html } = await framedBallot(1);
  const answer = poll.options[1]!;
  content = html;
  await page.goto(listed!.address);
  const main = page.frameLocator('iframe').getByRole('main');
  await main.getByRole('radio', { name: answer.text }).check();
  await expect(main.getByRole('link', { name: answer.text })).toBeHidden();
  await main.getByRole('button', { name: 'Vote' }).click();
  await expect(main.getByText('Your vote is recorded:')).toContainText(answer.text);
  await expect(main.getByRole('list', { name: 'Results' })).toContainText('%');
  await expect(main.getByText('Copy your receipt')).toContainText(/\w{4}(-\w{4}){6}/);
  await expect(main.getByRole('radio')).toHaveCount(0);
  const read = async () =>
    (await (await fetch(`${origin}/api/polls/${poll.id}`)).json()) as { totalVotes: number; votesApart?: object };
  const after = await read();
  expect(after).toMatchObject({ totalVotes: poll.totalVotes + 1, votesApart: { embedded: 1 } });
  const [cookie, ...others] = await context.cookies();
  expect([cookie, others]).toMatchObject([
    { name: 'wv_embed', sameSite: 'None', secure: true, httpOnly: true, partitionKey: expect.any(String) },
    [],
  ]);
  await page.reload();
  await expect(main.getByText('Your vote is recorded:')).toContainText(answer.text);
  // The poll’s own page knows nothing of it.
  await stubServices(page);
  await page.goto(`${origin}/poll/${poll.id}`);
  await expect(page.getByRole('radio').first()).toBeEnabled();
});

for (const colorScheme of themes)
  test(`an embedded ballot is accessible and fits in 280 px, before and after the vote, ${colorScheme}`, async ({
    browser,
  }) => {
    const page = await (
      await browser.newContext({ colorScheme, viewport: { width: 280, height: 700 }, baseURL: origin })
    ).newPage();
    // As in a frame.
    await page.addInitScript('window.parent = {}');
    await page.goto(`/embed/poll/${(await openPolls(origin))[3]!.id}/vote`);
    const main = page.getByRole('main');
    const expectFit = async () => {
      expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
      expect(await textFaultsOf(page)).toEqual([]);
    };
    await main.getByRole('radio').first().check();
    await expectFit();
    await main.getByRole('button', { name: 'Vote' }).click();
    await expect(main.getByText('Your vote is recorded:')).toBeVisible();
    await expectFit();
    await page.context().close();
  });

test('an embedded ballot leads to the poll’s page when it can’t take the vote', async ({ page, faults }) => {
  const { poll, html } = await framedBallot(2);
  content = html;
  await page.route(`**/api/polls/${poll.id}/vote`, (route) =>
    route.fulfill({ status: 403, json: { code: 'CHALLENGE_REQUIRED', message: 'No.' } }),
  );
  await page.goto(listed!.address);
  const main = page.frameLocator('iframe').getByRole('main');
  await main.getByRole('radio').first().check();
  await main.getByRole('button', { name: 'Vote' }).click();
  await expect(main.getByRole('alert')).toContainText('on the poll’s own page');
  await expect(main.getByRole('link', { name: poll.options[0]!.text })).toBeVisible();
  await expect(main.getByRole('radio')).toHaveCount(0);
  expect(faults.splice(0)).toEqual([expect.stringContaining('403')]);
});

test('no other site can frame a ballot', async ({ page, faults }) => {
  const { html } = await framedBallot(2);
  const other = await otherSite(html);
  try {
    await page.goto(other.address);
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
    expect(faults.splice(0).join()).toContain('frame-ancestors');
  } finally {
    other.close();
  }
});

for (const sandbox of ['allow-popups allow-forms', 'allow-popups allow-forms allow-scripts'])
  test(`a ballot with sandbox="${sandbox}" is links and an address to copy`, async ({ page, faults }) => {
    const { poll, html } = await framedBallot(2, sandbox);
    content = html;
    await page.goto(listed!.address, { waitUntil: 'networkidle' });
    const main = page.frameLocator('iframe').getByRole('main');
    await expect(main.getByRole('link', { name: poll.options[0]!.text })).toBeVisible();
    await expect(main.getByText(`${origin}/poll/${poll.id}`, { exact: true })).toBeVisible();
    await expect(main.getByRole('radio')).toHaveCount(0);
    // What the sandbox forbids.
    expect(faults.splice(0).filter((fault) => !/^Blocked script|blocked by CORS|net::ERR_FAILED/.test(fault))).toEqual(
      [],
    );
  });

test('without JavaScript, or as a page of its own, a ballot is links', async ({ page, browser }) => {
  const { poll, html } = await framedBallot(2);
  content = html;
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(listed!.address);
  await page.goto(`${origin}/embed/poll/${poll.id}/vote`, { waitUntil: 'networkidle' });
  for (const main of [plain.frameLocator('iframe').getByRole('main'), page.getByRole('main')]) {
    await expect(main.getByRole('link', { name: poll.options[0]!.text })).toBeVisible();
    await expect(main.getByRole('radio')).toHaveCount(0);
  }
});

test('the code of an open poll says on which sites it can have a ballot', async ({ page }) => {
  const poll = await openPoll();
  const saved = await page.request.get(`${origin}/poll/${poll.id}`);
  expect(await saved.text()).toContain(`address of the frame is ${origin}/embed/poll/${poll.id}/vote`);
});

test('[D1.6 D1.13] the first start shows polls and an admin password; the second needs no build', async ({ page }) => {
  test.setTimeout(120_000);
  const output = () => site?.output() ?? '';
  await expect.poll(output).toMatch(/Admin +[a-z2-9-]{23}\n/);
  const home = await (await page.request.get(origin)).text();
  const polls = await openPolls(origin);
  expect(polls).toHaveLength(8);
  for (const { id } of polls) expect(home).toContain(`/poll/${id}`);
  const files = await readdir(sites.thirdParties.dataDir);
  expect(files).toEqual(expect.arrayContaining(['builds', 'secrets.json', 'weathervane.sqlite']));
  expect(await site?.stop()).toBe(0);

  site = await runInstallation(sites.thirdParties, settings);
  await expect.poll(output).toContain('is ready');
  expect(output()).toContain('SQLite');
  expect(output()).not.toMatch(/Admin|Publishing/);
  expect(await site.stop('SIGINT')).toBe(0);
  await expect(fetch(origin)).rejects.toThrow();
});
