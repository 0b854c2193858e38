import type { Page } from 'playwright/test';
import type { Poll } from '#api/polls/polls.contract.ts';
import { importColumns } from '#api/polls/import/poll-import.contract.ts';
import { topicAddress, topicSlug } from '#domain/topics.ts';
import { runsSlow } from '#api/testing/slow.ts';
import { urlOf, createPoll, newPerson, postComment } from './community-people.ts';
import { expect, test } from './fixtures.ts';
import { operatorPassword } from './installation.ts';
import { undoLastImport } from './operator.ts';
import { openPolls } from './page-helpers.ts';

/** Scripts that set a property of the window if a page runs them. */
const canaries = [
  '<script>window.tripped=1</script>',
  '"><img src=x onerror="window.tripped=1">',
  "'-window.tripped=1-'",
  '</script><svg onload=window.tripped=1>',
  '{{window.tripped=1}}${window.tripped=1}',
  '--><iframe srcdoc="<script>parent.tripped=1</script>">',
];
const [script = '', image = '', quote = '', svg = '', template = '', frame = ''] = canaries;

const tripped = (page: Page) => page.evaluate(() => 'tripped' in window);
const textOf = (page: Page) => page.locator('main').innerText();

/** The directives of a page’s policy, which is in its HTML, so that every web server sends it. */
async function policyOf(page: Page, path: string): Promise<string[]> {
  const html = await (await page.request.get(path)).text();
  const [, policy = ''] = /<meta http-equiv="content-security-policy" content="([^"]*)"/i.exec(html) ?? [];
  return policy.split(';').map((one) => one.trim());
}

async function anyReport(page: Page): Promise<Poll> {
  const { polls } = (await (await page.request.get('/api/polls/historical/paginated')).json()) as { polls: Poll[] };
  return polls[0]!;
}

test('every page has all security headers and a policy without unsafe-inline or unsafe-eval', async ({
  page,
  browser,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const community = await createPoll(anna, { visibility: 'unlisted' });
  const shared = await createPoll(anna);
  const { id } = await anyReport(page);
  const [open] = await openPolls(page);
  const [article] = (await (await page.request.get('/api/blogs')).json()) as { slug: string }[];
  const paths = [
    '/',
    '/historical',
    '/historical?page=2',
    `/poll/${id}`,
    `/poll/${open!.id}`,
    '/poll/nothing',
    '/nowhere',
  ]
    .concat(['/auth', '/admin', '/profile', '/profile/account', '/profile/activities', '/profile/badges'])
    .concat(['/profile/notifications', '/profile/moderation'])
    .concat(['/blog', `/blog/${article!.slug}`, '/blog/nothing', '/about', '/terms', '/privacy', '/disclaimer'])
    .concat([
      '/community-polls',
      '/community-polls?page=2',
      urlOf(community),
      urlOf(shared),
      '/community-polls/nothing',
    ])
    .concat([`/embed/poll/${id}`, '/embed/poll/nothing']);
  const isLinked = new RegExp(`^(/poll/[\\w-]+|${urlOf(shared)})$`);
  for (const path of paths) {
    const policy = await policyOf(page, path);
    const of = (name: string) => policy.filter((one) => one.startsWith(`${name} `)).join(' ');
    expect([path, of('script-src')]).toEqual([path, expect.stringMatching(/^script-src 'self'( 'sha256-[\w+/=]+')*$/)]);
    expect([path, of('style-src')]).toEqual([path, expect.stringMatching(/^style-src 'self'( 'sha256-[\w+/=]+')*$/)]);
    expect([path, of('object-src'), of('base-uri'), of('form-action')]).toEqual([
      path,
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ]);
    expect(policy.join(' '), path).not.toMatch(/unsafe|\*/);
    const answer = await page.request.get(path);
    expect([path, answer.headers()]).toEqual([
      path,
      expect.objectContaining({
        'content-type': 'text/html; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        // Sandboxed frames of other sites link to these, and browsers accept no other policy there.
        'cross-origin-opener-policy': isLinked.test(path) && answer.ok() ? 'unsafe-none' : 'same-origin',
        'cross-origin-resource-policy': path.startsWith('/embed/') ? 'cross-origin' : 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
      }),
    ]);
  }
});

test('text in a URL is only ever shown as text and redirects to no other site', async ({ page, baseURL, faults }) => {
  test.setTimeout(120_000);
  for (const canary of [canaries.join(' '), ...(runsSlow ? canaries : [])]) {
    const text = encodeURIComponent(canary);
    // Only all of them together wait until the page is hydrated.
    const waitUntil = canary.includes(script + ' ') ? 'networkidle' : 'load';
    for (const path of [
      `/historical?category=${text}&sort=${text}&page=${text}`,
      `/community-polls?category=${text}&page=${text}`,
      `/auth?next=${text}`,
      `/nowhere/${text}`,
      `/blog/${text}`,
      `/poll/${text}`,
      `/community-polls/${text}`,
      `/about?${text}=${text}#${text}`,
    ]) {
      await page.goto(path, { waitUntil });
      expect([path, await tripped(page)]).toEqual([path, false]);
    }
  }
  for (const next of [
    'javascript:window.tripped=1',
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/%0aevil',
  ]) {
    const response = await page.request.get(`/api/login?next=${encodeURIComponent(next)}`, { maxRedirects: 0 });
    expect(new URL(response.headers().location ?? '', baseURL).origin).toBe(baseURL);
  }
  // The browser logs responses of 400 and 404.
  expect(faults.splice(0).filter((fault) => !/status of (400|404)/.test(fault))).toEqual([]);
});

test('names and questions of members are shown as text on all their pages, to their guests, and in searches', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const [anna, ben] = [await newPerson(browser, 'Anna'), await newPerson(browser, 'Ben')];
  for (const { page } of [anna, ben]) {
    const data = { firstName: `First ${script}`, lastName: `Last ${svg}` };
    expect((await page.request.patch('/api/user', { data })).status()).toBe(200);
  }
  const options = [image, quote].map((text, place) => ({ id: `option-${place + 1}`, text }));
  const texts = { question: `Private ${frame}`, description: template, options };
  const poll = await createPoll(anna, { ...texts, visibility: 'private' });
  const invited = await anna.page.request.post(`/api/community-polls/${poll.id}/invites`, {
    data: { usernameOrEmail: ben.username },
  });
  expect(invited.status()).toBe(201);
  await postComment(ben, poll, `Guest ${image}`);
  await postComment(anna, poll, `Host ${image}`);

  const query = encodeURIComponent(canaries.join(' '));
  const pages: [page: Page, path: string, text: string][] = [
    [anna.page, urlOf(poll), `First ${script} Last ${svg}`],
    [ben.page, urlOf(poll), texts.question],
    [anna.page, '/profile', `First ${script} Last ${svg}`],
    [anna.page, '/profile', texts.question],
    [anna.page, '/profile/activities', texts.question],
    [ben.page, '/profile/activities', texts.question],
    [anna.page, `/profile/activities?q=${query}&type=${query}`, 'Anna'],
    [anna.page, '/profile/badges', 'badges'],
    [anna.page, '/community-polls?visibility=mine', 'Community'],
  ];
  for (const [page, path, text] of pages) {
    await page.goto(path, { waitUntil: 'networkidle' });
    if (text.includes('<')) await expect.poll(() => textOf(page), path).toContain(text);
    expect([path, await tripped(page)]).toEqual([path, false]);
    expect(await page.locator('main :is([onerror], [onload], iframe[srcdoc])').count(), path).toBe(0);
  }
  await anna.page.goto('/profile/account', { waitUntil: 'networkidle' });
  expect(await anna.page.getByLabel('First name', { exact: true }).inputValue()).toBe(`First ${script}`);
  expect(await tripped(anna.page)).toBe(false);
});

test('texts from imports, comments, and reports are shown as text to readers and the operator', async ({
  page,
  browser,
  faults,
}) => {
  test.setTimeout(120_000);
  const hostile: Readonly<Record<string, string>> = {
    id: 'hostile-report',
    question: `Question ${script}`,
    description: `Description ${image}`,
    options: JSON.stringify([
      { id: script, text: `First ${svg}`, votes: 30 },
      { id: 'b', text: `Second ${quote}`, votes: 20 },
    ]),
    is_active: 'false',
    created_at: '2019-01-01',
    starts_at: '2019-01-01',
    ends_at: '2019-02-01',
    closed_at: '2019-02-01',
    category: `category-${template}`,
    tags: JSON.stringify([frame, image]),
    author: `Author ${svg}`,
    summary: `Summary ${script}`,
    analysis: `<p>Analysis</p>${canaries.join('')}<a href="javascript:window.tripped=1">link</a>`,
    methodology_notes: `Notes ${svg}`,
    country_breakdown: JSON.stringify([{ name: `Land ${image}`, percentage: 50 }]),
  };
  const columns = importColumns.filter((column) => column in hostile);
  const cells = columns.map((column) => `"${hostile[column]!.replaceAll('"', '""')}"`);
  const buffer = Buffer.from(
    `${columns.join(',')}\n${cells.join(',')}\n${cells.map(() => `"${image.replaceAll('"', '""')}"`).join(',')}\n`,
  );

  await page.goto('/admin');
  await page.getByLabel('Admin password').fill(operatorPassword);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'x"><img src=x onerror=window.tripped=1>.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  await expect(page.getByText(/^Imported 1 poll/)).toBeVisible();
  expect(await textOf(page)).toContain(image.slice(0, 20));

  const anna = await newPerson(browser, 'Anna');
  const ben = await newPerson(browser, 'Ben');
  const poll = await createPoll(anna, { visibility: 'unlisted' });
  await postComment(anna, poll, `Comment ${script}`);
  const [comment] = (await (await ben.page.request.get(`/api/community-polls/${poll.id}/comments`)).json()) as {
    id: string;
  }[];
  const report = await ben.page.request.post(`/api/community-polls/${poll.id}/comments/${comment!.id}/report`, {
    data: { reason: `Reason ${image}` },
  });
  expect(report.status()).toBe(204);
  await page.goto('/admin/moderation');
  await expect(page.getByText(`Reason ${image}`)).toBeVisible();
  await expect(page.getByText(`Comment ${script}`)).toBeVisible();
  expect(await tripped(page)).toBe(false);
  await page.goto('/admin/polls');
  for (const query of [canaries.join(' ').slice(0, 100), 'hostile-report']) {
    await page.getByRole('searchbox').fill(query);
    await page.getByRole('searchbox').press('Enter');
    await page.waitForLoadState('networkidle');
  }
  await expect(page.getByText(`Question ${script}`).first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(await tripped(page)).toBe(false);

  for (const path of [
    '/poll/hostile-report',
    '/embed/poll/hostile-report',
    `/historical?sort=oldest`,
    `/historical?category=${encodeURIComponent(hostile.category!)}`,
    topicAddress('category', topicSlug(hostile.category!)),
  ]) {
    await page.goto(path, { waitUntil: 'networkidle' });
    expect(await textOf(page), path).toContain(script);
    expect([path, await tripped(page)]).toEqual([path, false]);
  }
  await page.goto('/poll/hostile-report');
  await page.locator('main details').evaluateAll((folds) => folds.forEach((fold) => fold.setAttribute('open', '')));
  const text = await textOf(page);
  for (const part of [
    hostile.summary!,
    hostile.methodology_notes!,
    `#${frame}`,
    `First ${svg}`,
    `Land ${image}`,
    'Analysis',
  ])
    expect(text).toContain(part);
  expect(await page.locator('main a[href^="javascript:"], main [onerror], main [onload], main iframe').count()).toBe(0);
  await page.setViewportSize({ width: 320, height: 700 });
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((element) => element.getBoundingClientRect().right > 321)
      .map((element) => element.outerHTML.slice(0, 200)),
  );
  expect([await page.evaluate(() => document.documentElement.scrollWidth), wide]).toEqual([320, []]);
  for (const ending of ['csv', 'json']) {
    const file = await page.request.get(`/poll/hostile-report.${ending}`);
    expect(file.headers()['content-type']).toMatch(ending === 'csv' ? /^text\/csv/ : /^application\/json/);
    expect(file.headers()['x-content-type-options']).toBe('nosniff');
  }
  // The missing picture that an analysis may contain.
  expect(faults.splice(0).filter((fault) => !fault.includes('status of 404'))).toEqual([]);
  // Other tests must not see it.
  await undoLastImport(page);
});
