import type { Page } from 'playwright/test';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { runsSlow } from '#api/testing/slow.ts';
import { accessibilityFindings, expect, slow, test, themes, widthsFor } from './fixtures.ts';
import { urlOf, createPoll, newPerson, postComment, vote } from './community-people.ts';
import type { Person } from './community-people.ts';

/** Longer than the page’s polling interval. */
const liveUpdate = { timeout: 15_000 };
const problem = (page: Page, title: string) => page.getByRole('heading', { level: 1, name: title });
const row = (page: Page, option: string) => page.getByRole('listitem').filter({ hasText: option });
const discussion = (page: Page, count: number) =>
  page.getByRole('heading', { name: `Community Discussion (${count})`, exact: true });
/** Expects no errors except intended refusals. */
const onlyRefusals = ({ faults }: Person) =>
  expect(faults.filter((fault) => !/status of (401|403|404)/.test(fault))).toEqual([]);

// The themes differ in colors only.
for (const colorScheme of themes) {
  test(
    `on a phone, ${colorScheme}, a private poll is open to its creator and guests only, from the first invitation to the last`,
    slow,
    async ({ browser }) => {
      test.setTimeout(180_000);
      const phone = { colorScheme, viewport: { width: 390, height: 844 } };
      const anna = await newPerson(browser, 'Anna', phone);
      const ben = await newPerson(browser, 'Ben', phone);
      const stranger = await newPerson(browser, null, phone);
      const expectAccessible = async () => {
        for (const { page } of [anna, ben, stranger])
          expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
      };
      const poll = await createPoll(anna, { visibility: 'private' });
      const address = urlOf(poll);

      await stranger.page.goto(address);
      await expect(problem(stranger.page, 'Authentication Required')).toBeVisible();
      await expect(
        stranger.page.getByText('This is a private poll that requires you to be logged in to view it.'),
      ).toBeVisible();
      await stranger.page.getByRole('link', { name: 'Log In', exact: true }).click();
      await expect(stranger.page).toHaveURL(`/auth?next=${encodeURIComponent(address)}`);
      await ben.page.goto(address);
      await expect(problem(ben.page, 'Access Denied')).toBeVisible();
      await expect(ben.page.getByText('Only the poll creator and invited users can access it.')).toBeVisible();

      await anna.page.goto(address);
      await expect(anna.page.getByText('Private Poll', { exact: true })).toBeVisible();
      const panel = anna.page.getByRole('region', { name: 'Invite people' });
      await panel.getByLabel(/^Usernames/).fill('nobody-of-this-name');
      await panel.getByRole('button', { name: 'Invite' }).click();
      await expect(panel.getByText(/This person can’t be invited/)).toBeVisible();
      anna.faults.splice(0);
      await panel.getByLabel(/^Usernames/).fill(ben.username!);
      await panel.getByLabel(/^Usernames/).press('Enter');
      await expect(panel.getByText('Hasn’t opened it yet')).toBeVisible();
      await expectAccessible();

      await ben.page.reload();
      await expect(ben.page.getByRole('heading', { level: 1, name: poll.question })).toBeVisible();
      await expect(ben.page.getByRole('heading', { name: 'Invite people' })).toHaveCount(0);
      await anna.page.reload();
      await expect(panel.getByText('Has opened the poll')).toBeVisible();

      await vote(anna.page, 'Tea');
      await expect(row(anna.page, 'Tea')).toContainText('(Your Vote)');
      await expect(anna.page.getByText('You’re the first', { exact: true })).toBeVisible();
      await vote(ben.page, 'Coffee');
      await expect(row(anna.page, 'Coffee')).toContainText('50%', liveUpdate);

      // The discussion hydrates when it is scrolled into view.
      for (const { page } of [ben, anna])
        await page.getByRole('heading', { name: /^Community Discussion/ }).scrollIntoViewIfNeeded();
      await ben.page.getByLabel('Your comment').fill('Coffee keeps <b>me</b> awake: https://example.org/coffee');
      await ben.page.getByRole('button', { name: 'Post Comment' }).click();
      await expect(ben.page.getByText('Comment Posted!', { exact: true })).toBeVisible();
      await expect(discussion(ben.page, 1)).toBeVisible();
      await expect(anna.page.getByText('Coffee keeps <b>me</b> awake')).toBeVisible(liveUpdate);
      await expectAccessible();
      const comment = anna.page.getByRole('article').filter({ hasText: 'Coffee keeps <b>me</b> awake' });
      await expect(comment.locator('bdi')).toHaveText(['Ben Vane', `@${ben.username}`]);
      await expect(comment.getByRole('link', { name: 'example.org' })).toHaveAttribute('rel', 'nofollow ugc noopener');
      await comment.getByRole('button', { name: 'Delete comment by Ben Vane' }).click();
      await anna.page.getByRole('button', { name: 'Delete Comment', exact: true }).click();
      await expect(discussion(anna.page, 0)).toBeVisible();
      await expect(ben.page.getByText('No comments yet.')).toBeVisible(liveUpdate);

      await panel.getByRole('button', { name: 'Remove Ben Vane' }).click();
      await expect(panel.getByRole('button', { name: 'Invite Ben Vane again' })).toBeFocused();
      await expect(problem(ben.page, 'Access Denied')).toBeVisible(liveUpdate);
      await expect(ben.page.getByText(poll.question)).toHaveCount(0);
      await expect(ben.page.getByText('Community Discussion')).toHaveCount(0);
      await panel.getByRole('button', { name: 'Invite Ben Vane again' }).click();
      await expect(panel.getByRole('button', { name: 'Remove Ben Vane' })).toBeVisible();
      await ben.page.reload();
      await expect(row(ben.page, 'Coffee')).toContainText('(Your Vote)');

      for (const one of [anna, ben, stranger]) onlyRefusals(one);
    },
  );
}

test('[D6.2 D6.5] no byte of a private poll reaches anyone who may not open it, and its page is cached nowhere', async ({
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const ben = await newPerson(browser, 'Ben');
  const stranger = await newPerson(browser, null);
  const polls = [];
  for (const question of ['The surprise for Carla?', 'Another secret, much longer than the first one, of all people?'])
    polls.push(await createPoll(anna, { visibility: 'private', question, description: 'Hush.' }));
  for (const [who, status] of [
    [stranger, 401],
    [ben, 403],
  ] as const) {
    const pages = [];
    for (const poll of polls) {
      const response = await who.page.request.get(urlOf(poll));
      expect(response.status()).toBe(status);
      expect(response.headers()['cache-control']).toBe('no-store');
      pages.push((await response.text()).replaceAll(poll.id, 'ID'));
    }
    expect(pages[0]).toBe(pages[1]);
    expect(pages[0]).not.toMatch(/surprise|secret|Hush|Tea|Vane</);
    expect(pages[0]).toContain('<meta name="robots" content="noindex">');
  }
  const own = await anna.page.request.get(urlOf(polls[0]!));
  expect(own.headers()['cache-control']).toBe('private, no-store');
  expect(await own.text()).toContain('<meta name="robots" content="noindex">');
});

test('[D10.6] the page of a public poll gets a 304 response while nothing about the poll changes', async ({
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const poll = await createPoll(anna);
  const read = (known = '') =>
    anna.page.request.get(urlOf(poll), { headers: known === '' ? {} : { 'if-none-match': known } });
  const first = await read();
  const etag = first.headers().etag ?? '';
  expect([first.status(), etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]+"$/)]);
  const again = await read(etag);
  expect([again.status(), await again.text(), again.headers().etag]).toEqual([304, '', etag]);
  expect(again.headers()['content-security-policy']).toBe(first.headers()['content-security-policy']);
  await anna.page.goto(urlOf(poll));
  await vote(anna.page, 'Tea');
  expect((await read(etag)).status()).toBe(200);
});

test('[D6.5] the page of a public poll is the same for everyone and may be indexed; that of an unlisted poll may not', async ({
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const stranger = await newPerson(browser, null);
  const open = await createPoll(anna);
  await anna.page.goto(urlOf(open));
  await vote(anna.page, 'Tea');
  const read = async ({ page }: Person, path: string) => {
    const response = await page.request.get(path);
    // The time of rendering, and the ids of Astro’s islands.
    const text = (await response.text()).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|uid="\w+"|prefix="\w+"/g, '');
    return { response, text };
  };
  const [member, visitor] = [await read(anna, urlOf(open)), await read(stranger, urlOf(open))];
  expect(member.text).toBe(visitor.text);
  expect(member.response.status()).toBe(200);
  expect(member.response.headers()['cache-control']).toBe('no-cache');
  expect(member.text).toContain(`<link rel="canonical" href="${new URL(urlOf(open), member.response.url()).href}">`);
  expect(member.text).not.toContain('noindex');

  const unlisted = await createPoll(anna, { visibility: 'unlisted' });
  const page = await read(stranger, urlOf(unlisted));
  expect(page.response.status()).toBe(200);
  expect(page.response.headers()['cache-control']).toBe('private, no-store');
  expect(page.text).toContain('<meta name="robots" content="noindex">');
  const missing = await read(stranger, '/community-polls/there-is-no-such-poll');
  // A saved page, the same for every such address.
  const { 'cache-control': caching } = missing.response.headers();
  expect([missing.response.status(), caching]).toEqual([404, 'public, max-age=0, must-revalidate']);
});

test('[D2.6] a vote persists after a reload, in another tab, and after the local storage is cleared', async ({
  page,
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const poll = await createPoll(anna, { optionOrder: 'fixed' });
  await page.goto(urlOf(poll));
  await expect(page.getByRole('button', { name: 'Cast Vote' })).toBeDisabled();
  await page.getByRole('radio').first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('button', { name: 'Cast Vote' })).toBeEnabled();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Vote Submitted!', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Vote Submitted - Live Results' })).toBeFocused();
  await expect(page.getByText('Thank you for voting! You chose Coffee.')).toBeVisible();
  const tab = await page.context().newPage();
  await tab.goto(urlOf(poll));
  await expect(row(tab, 'Coffee')).toContainText('(Your Vote)');
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await expect(row(page, 'Coffee')).toContainText('(Your Vote)');
  await expect(page.getByText('Total: 1 vote')).toBeVisible();
});

test('a poll closed by its creator shows everyone its results; a deleted poll is gone', slow, async ({ browser }) => {
  test.setTimeout(90_000);
  const anna = await newPerson(browser, 'Anna');
  const stranger = await newPerson(browser, null);
  const poll = await createPoll(anna);
  await stranger.page.goto(urlOf(poll));
  await anna.page.goto(urlOf(poll));
  await anna.page.getByRole('button', { name: 'Close Poll' }).click();
  const dialog = anna.page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Close Poll' }).click();
  await expect(anna.page.getByRole('heading', { name: 'Final Results' })).toBeVisible();
  await expect(stranger.page.getByText('This poll has ended and is no longer accepting votes.')).toBeVisible(
    liveUpdate,
  );
  await expect(stranger.page.getByRole('radio')).toHaveCount(0);

  await anna.page.getByRole('button', { name: 'Delete Poll' }).click();
  await anna.page.getByRole('dialog').getByRole('button', { name: 'Delete Poll' }).click();
  await expect(anna.page).toHaveURL('/community-polls');
  await expect(anna.page.getByText('Poll Deleted', { exact: true })).toBeVisible();
  await expect(anna.page.getByRole('link', { name: poll.question })).toHaveCount(0);
  const response = await stranger.page.goto(urlOf(poll));
  expect(response?.status()).toBe(404);
  await expect(problem(stranger.page, 'Poll Not Found')).toBeVisible();
  for (const one of [anna, stranger]) onlyRefusals(one);
});

test('a poll that has not started shows when it starts', async ({ page, browser }) => {
  const anna = await newPerson(browser, 'Anna');
  const startsAt = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const poll = await createPoll(anna, { startsAt });
  await page.goto(urlOf(poll));
  await expect(page.getByText('Not Started', { exact: true })).toBeVisible();
  await expect(page.getByText(/^Starts in \d days$/)).toBeVisible();
  await expect(page.getByText('Coffee', { exact: true })).toBeVisible();
  await expect(page.getByRole('radio')).toHaveCount(0);
});

test.describe('the discussion', () => {
  test('keeps a draft through a failure and through signing in', async ({ browser }) => {
    const anna = await newPerson(browser, 'Anna');
    const { page } = anna;
    const poll = await createPoll(anna);
    await page.goto(urlOf(poll));
    await page.getByLabel('Your comment').fill('Not to be lost 😀');
    await expect(page.getByText('16/500 characters')).toBeVisible();
    await page.route('**/comments', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.fallback(),
    );
    await page.getByRole('button', { name: 'Post Comment' }).click();
    await expect(page.getByText('Error', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Your comment')).toHaveValue('Not to be lost 😀');
    await page.unroute('**/comments');

    await page.request.post('/api/logout');
    await page.getByRole('button', { name: 'Post Comment' }).click();
    await expect(page.getByText('Authentication Required', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Log In and Continue' }).click();
    await expect(page).toHaveURL(`/auth?next=${encodeURIComponent(urlOf(poll))}`);
    const form = page.getByRole('tabpanel', { name: 'Login' });
    await form.getByLabel('Username').fill(anna.username!);
    await form.getByLabel('Password', { exact: true }).fill('correct horse');
    await form.getByRole('button', { name: 'Login' }).click();
    await expect(page).toHaveURL(urlOf(poll));
    await expect(page.getByLabel('Your comment')).toHaveValue('Not to be lost 😀');
    await page.getByRole('button', { name: 'Post Comment' }).click();
    await expect(page.getByRole('article').filter({ hasText: 'Not to be lost 😀' })).toHaveCount(1);
    await expect(page.getByLabel('Your comment')).toHaveValue('');
  });

  test('loads fifty comments at a time, and members can report those of others', slow, async ({ browser }) => {
    test.setTimeout(60_000);
    const anna = await newPerson(browser, 'Anna');
    const ben = await newPerson(browser, 'Ben');
    const poll = await createPoll(anna);
    for (let n = 1; n <= 53; n++) await postComment(ben, poll, `Thought ${n}`);
    await anna.page.goto(urlOf(poll));
    const comments = anna.page.getByRole('list', { name: 'Comments, newest first' }).getByRole('listitem');
    await expect(comments).toHaveCount(50);
    await expect(comments.first()).toContainText('Thought 53');
    await anna.page.getByRole('button', { name: 'Show more' }).click();
    await expect(comments).toHaveCount(53);
    await expect(comments.last()).toContainText('Thought 1');

    await comments.first().getByRole('button', { name: 'Report comment by Ben Vane' }).click();
    const dialog = anna.page.getByRole('dialog', { name: 'Report this comment?' });
    await dialog.getByLabel('Reason (optional)').fill('Off topic.');
    await dialog.getByRole('button', { name: 'Send Report' }).click();
    await expect(anna.page.getByText('Thank you', { exact: true })).toBeVisible();
    await expect(comments.first().getByRole('button', { name: 'Reported' })).toBeDisabled();

    await ben.page.goto(urlOf(poll));
    const own = ben.page.getByRole('list', { name: 'Comments, newest first' }).getByRole('listitem').first();
    await own.getByRole('button', { name: /^Delete/ }).click();
    await ben.page.getByRole('button', { name: 'Delete Comment', exact: true }).click();
    await expect(discussion(ben.page, 52)).toBeVisible();
    await expect(discussion(ben.page, 52)).toBeFocused();
    for (const one of [anna, ben]) onlyRefusals(one);
  });
});

test('[D4.11] without JavaScript the poll and its discussion are readable, and voting works', async ({ browser }) => {
  const anna = await newPerson(browser, 'Anna');
  const poll = await createPoll(anna, { description: 'First line.\nSecond line.' });
  await postComment(anna, poll, 'I drink both.');
  const reader = await newPerson(browser, null, { javaScriptEnabled: false });
  await reader.page.goto(urlOf(poll));
  for (const text of [poll.question, 'Tea', 'Second line.', 'I drink both.', 'Public Poll', 'Community Discussion (1)'])
    await expect(reader.page.getByText(text).first()).toBeVisible();
  await reader.page.getByRole('radio', { name: 'Tea' }).check();
  await reader.page.getByRole('button', { name: 'Cast Vote' }).click();
  await expect(reader.page).toHaveURL(`/community-polls/${poll.id}/voted`);
  await expect(row(reader.page, 'Tea')).toContainText('(Your Vote)');
  await reader.page.getByRole('link', { name: 'Back to the poll' }).click();
  expect((await anna.page.request.post(`/api/community-polls/${poll.id}/close`)).status()).toBe(200);
  await reader.page.reload();
  await expect(reader.page.getByText('Final Results')).toBeVisible();
  await expect(row(reader.page, 'Tea')).toContainText('1 vote');
});

test('without JavaScript an invited member votes on a private poll, others read why they can’t, and a second vote says which one counts', async ({
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const ben = await newPerson(browser, 'Ben', { javaScriptEnabled: false });
  const stranger = await newPerson(browser, null, { javaScriptEnabled: false });
  const poll = await createPoll(anna, { visibility: 'private' });
  await stranger.page.goto(urlOf(poll));
  await expect(problem(stranger.page, 'Authentication Required')).toBeVisible();
  await expect(stranger.page.getByRole('link', { name: 'Log In', exact: true })).toBeVisible();
  await ben.page.goto(urlOf(poll));
  await expect(problem(ben.page, 'Access Denied')).toBeVisible();
  const data = { usernameOrEmail: ben.username };
  expect((await anna.page.request.post(`/api${urlOf(poll)}/invites`, { data })).status()).toBe(201);
  await ben.page.reload();
  await ben.page.getByRole('radio', { name: 'Tea' }).check();
  await ben.page.getByRole('button', { name: 'Cast Vote' }).click();
  await expect(row(ben.page, 'Tea')).toContainText('(Your Vote)');
  await expect(ben.page.getByText(/already voted/)).toHaveCount(0);
  const cookies = await ben.page.context().cookies();
  expect(cookies.find(({ name }) => name === 'wv_receipt')?.path).toBe(`${urlOf(poll)}/voted`);

  const answer = await ben.page.request.post(`${urlOf(poll)}/vote`, { form: { optionId: 'option-2' } });
  expect(answer.status()).toBe(200);
  expect(await answer.text()).toContain('Your first vote, “Tea”, counts; this one doesn’t.');
  const refused = await stranger.page.request.post(`${urlOf(poll)}/vote`, { form: { optionId: 'option-2' } });
  expect(refused.status()).toBe(401);
  expect(await refused.text()).toContain('Your vote was not recorded');
  expect((await anna.page.request.post(`/api${urlOf(poll)}/close`)).status()).toBe(200);
  const late = await anna.page.request.post(`${urlOf(poll)}/vote`, { form: { optionId: 'option-2' } });
  expect(late.status()).toBe(409);
  expect(await late.text()).toContain('This poll ended before your vote arrived.');
  for (const one of [ben, stranger]) onlyRefusals(one);
});

test('the longest texts fit at 320 px, and a right-to-left question is aligned to the right', async ({
  page,
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const poll = await createPoll(anna, {
    question: 'W'.repeat(200),
    description: 'D'.repeat(2_000),
    options: Array.from({ length: 10 }, (_, index) => ({
      id: `option-${index + 1}`,
      text: `${index}${'O'.repeat(119)}`,
    })),
  });
  await postComment(anna, poll, 'c'.repeat(500));
  await page.setViewportSize({ width: 320, height: 700 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.goto(urlOf(poll));
  expect(await width()).toBe(320);
  await vote(page, `3${'O'.repeat(119)}`);
  expect(await width()).toBe(320);
  const arabic = await createPoll(anna, { question: 'ما هو أفضل وقت للقراءة؟' });
  await page.goto(urlOf(arabic));
  expect(await page.getByRole('heading', { level: 1 }).evaluate((heading) => getComputedStyle(heading).direction)).toBe(
    'rtl',
  );
});

test('the layout doesn’t move when React takes over, before and after a vote', async ({ page, browser }) => {
  const anna = await newPerson(browser, 'Anna');
  const poll = await createPoll(anna);
  await postComment(anna, poll, 'I drink both.');
  const shift = () =>
    page.evaluate(
      () =>
        new Promise<number>((done) => {
          new PerformanceObserver((list) =>
            done(list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0)),
          ).observe({ type: 'layout-shift', buffered: true });
          setTimeout(() => done(0), 500);
        }),
    );
  await page.goto(urlOf(poll), { waitUntil: 'networkidle' });
  await page.getByRole('radio').first().focus();
  await page.waitForLoadState('networkidle');
  expect(await shift()).toBeLessThan(0.01);
  await vote(page, 'Tea');
  await page.goto(urlOf(poll), { waitUntil: 'networkidle' });
  await expect(row(page, 'Tea')).toContainText('(Your Vote)');
  expect(await shift()).toBeLessThan(0.05);
});

for (const colorScheme of themes)
  test(`axe finds nothing in any state of the page, ${colorScheme}`, async ({ browser }) => {
    test.setTimeout(120_000);
    const options = { colorScheme, reducedMotion: 'reduce' as const };
    const anna = await newPerson(browser, 'Anna', options);
    const ben = await newPerson(browser, 'Ben', options);
    const stranger = await newPerson(browser, null, options);
    const open = await createPoll(anna);
    const privatePoll = await createPoll(anna, { visibility: 'private' });
    await postComment(ben, open, 'See https://example.org for more.');
    await anna.page.request.post(`/api/community-polls/${privatePoll.id}/invites`, {
      data: { usernameOrEmail: ben.username },
    });
    const findings = async ({ page }: Person, path: string, act?: () => Promise<void>) => {
      await page.goto(path, { waitUntil: 'networkidle' });
      await act?.();
      expect([path, page.viewportSize()?.width, await accessibilityFindings(page, colorScheme)]).toEqual([
        path,
        page.viewportSize()?.width,
        [],
      ]);
    };
    const widths = widthsFor(colorScheme);
    for (const width of widths) {
      for (const { page } of [anna, ben, stranger]) await page.setViewportSize({ width, height: 900 });
      await findings(stranger, urlOf(privatePoll));
      if (runsSlow) {
        await findings(stranger, urlOf(open));
        await findings(stranger, '/community-polls/there-is-no-such-poll');
        await findings(anna, urlOf(privatePoll));
      }
      await findings(anna, urlOf(privatePoll), () => anna.page.getByRole('button', { name: 'Delete Poll' }).click());
      await findings(anna, urlOf(open), async () => {
        await anna.page.getByRole('button', { name: /^Report/ }).click();
        await expect(anna.page.getByRole('dialog')).toBeVisible();
      });
      await findings(ben, urlOf(open), async () => {
        if (width === widths[0]) await vote(ben.page, 'Tea');
      });
    }
    for (const one of [anna, ben, stranger]) onlyRefusals(one);
  });

test('every browser shows the options in an order of its own, which stays, and votes in the published order count apart', async ({
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const texts = ['Tea', 'Coffee', 'Water', 'Juice', 'Milk', 'Other'];
  const poll = await createPoll(anna, {
    options: texts.map((text, index) => ({ id: `option-${index + 1}`, text })),
    resultVisibility: 'always',
  });
  expect(poll.optionOrder).toBe('random-1');
  const apart = async () =>
    ((await (await anna.page.request.get(`/api/community-polls/${poll.id}`)).json()) as CommunityPoll).votesApart;

  const ben = await newPerson(browser, null);
  const shown = () => ben.page.locator('[data-part="choices"] label').allInnerTexts();
  await ben.page.goto(urlOf(poll));
  let order = texts;
  // By chance, a browser’s order is the published one.
  for (let seed = 1; order.join() === texts.join(); seed++) {
    await ben.page.evaluate((text) => localStorage.setItem('weathervane-order', text), String(seed));
    await ben.page.reload();
    order = await shown();
  }
  expect([order.toSorted(), order.at(-1)]).toEqual([texts.toSorted(), 'Other']);
  await ben.page.reload();
  expect(await shown()).toEqual(order);
  await ben.page.goto('/about');
  await ben.page.goBack();
  expect(await shown()).toEqual(order);
  // React keeps the order, and with the arrow keys it is the one to move in.
  await ben.page.getByRole('radio', { name: order[0]! }).focus();
  await ben.page.keyboard.press('ArrowDown');
  await expect(ben.page.getByRole('radio', { name: order[1]! })).toBeChecked();
  expect(await shown()).toEqual(order);
  await ben.page.keyboard.press('Enter');
  await expect(ben.page.getByRole('heading', { name: 'Vote Submitted - Live Results' })).toBeVisible();
  await expect(row(ben.page, order[1]!)).toContainText('Your Vote');
  expect(ben.faults).toEqual([]);
  expect(await apart()).toBeUndefined();

  const plain = await newPerson(browser, null, { javaScriptEnabled: false });
  await plain.page.goto(urlOf(poll));
  expect(await plain.page.locator('[data-part="choices"] label').allInnerTexts()).toEqual(texts);
  await plain.page.getByRole('link', { name: 'Show results without voting' }).click();
  await expect(row(plain.page, order[1]!)).toContainText('100%');
  await plain.page.getByRole('link', { name: 'Vote on this poll' }).click();
  await plain.page.getByRole('radio', { name: order[2]! }).check();
  await plain.page.getByRole('button', { name: 'Cast Vote' }).click();
  await expect(row(plain.page, order[2]!)).toContainText('50%');
  expect(await apart()).toEqual({ afterResults: 1, publishedOrder: 1 });
  await anna.page.goto(urlOf(poll));
  await expect(anna.page.getByText('1 of the votes received here was cast after seeing results')).toBeVisible();
  for (const { page } of [anna, ben, plain]) await page.context().close();
});
