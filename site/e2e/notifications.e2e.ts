import { createPoll, newPerson, postComment, urlOf } from './community-people.ts';
import { accessibilityFindings, expect, test, themes } from './fixtures.ts';

const path = '/profile/notifications';

test('a member sees a comment in the bell, opens it, and it is read in every tab; a feed reader gets it, too', async ({
  browser,
  playwright,
  baseURL,
}) => {
  const [anna, ben] = [await newPerson(browser, 'Anna'), await newPerson(browser, 'Ben')];
  const poll = await createPoll(anna);
  await postComment(ben, poll, 'Tea, of course.');
  const text = `${ben.name} (@${ben.username}) commented on your poll “${poll.question}”`;

  const { page } = anna;
  await page.goto(path);
  const list = page.getByRole('main');
  await list.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(list.getByText('You’re all caught up.')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Notifications', exact: true })).toBeVisible();
  await postComment(ben, poll, 'Or coffee.');
  await page.goto('/about');
  const bell = page.getByRole('banner').getByRole('link', { name: 'Notifications, 1 unread' });
  await expect(bell).toBeVisible();

  const other = await page.context().newPage();
  await other.goto('/about');
  await expect(other.getByRole('banner').getByRole('link', { name: 'Notifications, 1 unread' })).toBeVisible();
  await page.bringToFront();
  await bell.click();
  await list.getByRole('link', { name: text }).first().click();
  await expect(page).toHaveURL(urlOf(poll));
  await expect(other.getByRole('banner').getByRole('link', { name: 'Notifications', exact: true })).toBeVisible();

  await page.goto(path);
  await expect(list.getByText('You’re all caught up.')).toBeVisible();
  await list.getByRole('button', { name: 'Create feed address' }).click();
  const address = await list.getByRole('textbox', { name: 'Address of your feed' }).inputValue();
  const reader = await playwright.request.newContext({ baseURL: baseURL! });
  const feed = await reader.get(address);
  expect(feed.headers()['content-type']).toContain('application/atom+xml');
  expect(await feed.text()).toContain(text);
  await list.getByRole('button', { name: 'Delete the address' }).click();
  await expect(list.getByRole('textbox')).toHaveCount(0);
  expect((await reader.get(address)).status()).toBe(404);
  expect(anna.faults).toEqual([]);
});

for (const theme of themes)
  test(`the notifications are accessible in the ${theme} theme`, async ({ browser }) => {
    const { page } = await newPerson(browser, 'Anna', { colorScheme: theme });
    await page.goto(path);
    await expect(page.getByRole('checkbox', { name: 'I earn a badge' })).toBeVisible();
    expect(await accessibilityFindings(page, theme)).toEqual([]);
  });
