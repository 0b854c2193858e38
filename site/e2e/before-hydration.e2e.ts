import { createPoll, urlOf, newPerson } from './community-people.ts';
import { archive } from './scene.ts';
import { expect, test } from './fixtures.ts';

/** Enabled controls that need JavaScript, except buttons whose first click is repeated after hydration (`client:touch`). */
const pressable = [
  'astro-island button:not(:disabled, [aria-disabled=true])',
  'astro-island input:is([type=checkbox], [type=file], [type=submit]):not(:disabled)',
  'astro-island select:not(:disabled)',
].join(', ');

test('before hydration, no control that would do nothing is enabled', async ({ browser, page, baseURL, faults }) => {
  test.setTimeout(60_000);
  const [report] = await archive(baseURL!);
  const [open] = (await (await page.request.get('/api/polls/active')).json()) as { id: string }[];
  const anna = await newPerson(browser, 'Anna');
  const privatePath = urlOf(await createPoll(anna, { visibility: 'private' }));
  const publicPaths = ['/', '/historical', `/poll/${open!.id}`, `/poll/${report!.id}`, '/community-polls', '/auth'];
  const enabled: string[] = [];
  const memberPaths = [
    '/',
    privatePath,
    '/community-polls',
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
          .filter((element) => !element.matches('astro-island[client=touch] [data-touch] button'))
          .map((element) => element.outerHTML.slice(0, 120)),
      );
      enabled.push(...found.map((element) => `${path}: ${element}`));
    }
  }
  await anna.page.context().close();
  faults.splice(0);
  expect(enabled).toEqual([]);
});
