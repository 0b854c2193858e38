import { createPoll, newPerson, postComment, urlOf } from './community-people.ts';
import { openPolls, toast } from './page-helpers.ts';
import { archive } from './scene.ts';
import { expect, test } from './fixtures.ts';

/** Enabled controls that need JavaScript, except buttons whose first click is repeated after hydration (site/client/hydrate). */
const pressable = [
  'astro-island button:not(:disabled, [aria-disabled=true])',
  'astro-island input:is([type=checkbox], [type=file], [type=submit]):not(:disabled)',
  'astro-island select:not(:disabled)',
].join(', ');

test('before hydration, no control that would do nothing is enabled', async ({ browser, page, baseURL, faults }) => {
  test.setTimeout(60_000);
  const [report] = await archive(baseURL!);
  const [open] = await openPolls(page);
  const anna = await newPerson(browser, 'Anna');
  const privatePath = urlOf(await createPoll(anna, { visibility: 'private' }));
  const discussed = await createPoll(anna);
  await postComment(anna, discussed, 'First.');
  const publicPaths = [
    ...['/', '/historical', '/historical?page=1', `/poll/${open!.id}`, `/poll/${report!.id}`, urlOf(discussed)],
    ...['/community-polls', '/community-polls/new', '/community-polls/join', '/auth', '/auth/recover', '/auth/email'],
  ];
  const enabled: string[] = [];
  const memberPaths = [
    '/',
    privatePath,
    urlOf(discussed),
    '/community-polls',
    '/community-polls/new',
    '/profile',
    '/profile/account',
    '/profile/activities',
    '/profile/badges',
    '/profile/notifications',
    '/profile/moderation',
  ];
  for (const [visitor, paths] of [
    [page, [...publicPaths, '/admin', '/blog']],
    [anna.page, memberPaths],
  ] as const) {
    await visitor.route('**/_astro/**/*.js', (route) => route.abort());
    for (const path of paths) {
      await visitor.goto(path);
      const found = await visitor.locator(pressable).evaluateAll((elements) =>
        elements
          .filter((element) => element.checkVisibility() && element.closest('form[action]') === null)
          .filter(
            (element) =>
              !element.matches(
                '[client=hydrate] [data-touch] button, [client=hydrate]:not(:has([data-touch])) button[type=button]',
              ),
          )
          .map((element) => element.outerHTML.slice(0, 120)),
      );
      enabled.push(...found.map((element) => `${path}: ${element}`));
    }
  }
  faults.splice(0);
  expect(enabled).toEqual([]);
});

test('signed out, the first press of Report on a comment opens the dialog, however slow the script is, and the report is sent', async ({
  browser,
  page,
}) => {
  const anna = await newPerson(browser, 'Anna');
  const poll = await createPoll(anna);
  await postComment(anna, poll, 'Buy my watches.');
  await page.route('**/_astro/**/*.js', async (route) => {
    await new Promise((later) => setTimeout(later, 400));
    await route.continue();
  });
  await page.goto(urlOf(poll));
  const report = page.getByRole('button', { name: `Report comment by ${anna.name}` });
  await report.click();
  const dialog = page.getByRole('dialog', { name: 'Report this comment?' });
  await dialog.getByLabel('What’s wrong?').selectOption('Spam or advertising');
  await dialog.getByLabel('Reason (optional)').fill('Advertising');
  await dialog.getByRole('button', { name: 'Send Report' }).click();
  await expect(toast(page, 'Thank you')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Reported', exact: true })).toBeVisible();
});
