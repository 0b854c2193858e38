import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { newPerson, vote } from './community-people.ts';
import { accessibilityFindings, expect, test } from './fixtures.ts';
import { registerInForm } from './page-helpers.ts';

test('a club’s private poll: invited by a list and by a link, members vote and comment, and all see the result', async ({
  browser,
}) => {
  const [host, ben, stranger] = [
    await newPerson(browser, 'Host'),
    await newPerson(browser, 'Ben'),
    await newPerson(browser, 'Stranger'),
  ];
  const { page } = host;
  const question = `Where does the club of ${host.username} meet?`;
  await page.goto('/community-polls/new');
  await page.getByRole('textbox', { name: 'Question' }).fill(question);
  await page.getByRole('textbox', { name: 'Option 1' }).fill('At the harbor');
  await page.getByRole('textbox', { name: 'Option 2' }).fill('On the hill');
  await page.getByRole('form').getByText('Settings', { exact: true }).click();
  await page.getByLabel('Visibility').selectOption('Private');
  await page.getByLabel('Who sees the results').selectOption('After voting');
  await page.getByRole('button', { name: 'Create Poll', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.waitForURL(/\/community-polls\/\w{25}$/);
  await expect(page.getByRole('heading', { level: 1, name: question })).toBeVisible();
  const address = new URL(page.url()).pathname;

  const panel = page.getByRole('region', { name: 'Invite people' });
  await panel.getByLabel(/^Usernames/).fill(`${ben.username}, nobody-of-this-name`);
  await panel.getByRole('button', { name: 'Invite', exact: true }).click();
  const results = panel.getByRole('list', { name: 'Results of your list' });
  await expect(results.getByText(`${ben.username}: invited`)).toBeVisible();
  await expect(results.getByText(/^nobody-of-this-name: This person can’t be invited/)).toBeVisible();
  await panel.getByLabel('Members who can join').fill('1');
  await panel.getByRole('button', { name: 'Create Link' }).click();
  const link = await panel.getByRole('textbox', { name: 'Invitation link' }).inputValue();
  expect(await accessibilityFindings(page)).toEqual([]);

  await ben.page.goto('/profile/notifications');
  await ben.page.getByRole('main').getByRole('link', { name: question }).first().click();
  await expect(ben.page).toHaveURL(address);
  await vote(ben.page, 'At the harbor');

  // Dora has no account yet.
  const dora = await newPerson(browser, null);
  await dora.page.goto(link);
  await dora.page.getByRole('link', { name: 'Register' }).click();
  await registerInForm(dora.page, { Username: `dora-of-${host.username}`, Password: 'a windy day' });
  await dora.page.getByRole('button', { name: 'Join Poll' }).click();
  await expect(dora.page).toHaveURL(address);
  await vote(dora.page, 'On the hill');
  await dora.page.getByLabel('Your comment').fill('The harbor floods in spring.');
  await dora.page.getByRole('button', { name: 'Post Comment' }).click();
  await expect(dora.page.getByRole('article').filter({ hasText: 'The harbor floods' })).toBeVisible();

  await stranger.page.goto(link);
  await stranger.page.getByRole('button', { name: 'Join Poll' }).click();
  await expect(stranger.page.getByText(/^This link doesn’t work anymore/)).toBeVisible();
  expect((await stranger.page.goto(address))?.status()).toBe(403);

  await page.reload();
  await expect(panel.getByText('Used 1 of 1 times · used up')).toBeVisible();
  await expect(panel.getByRole('list', { name: 'Invited people' }).getByText('Has opened the poll')).toHaveCount(2);
  await expect(page.getByText('The harbor floods in spring.')).toBeVisible();
  await vote(page, 'On the hill');
  await page.getByRole('button', { name: 'Close Poll' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close Poll' }).click();
  for (const one of [page, ben.page]) {
    await one.goto(address);
    await expect(one.getByRole('heading', { name: 'Final Results' })).toBeVisible();
    await expect(one.getByText('Total: 3 votes')).toBeVisible();
  }
  const { options } = (await (await ben.page.request.get(`/api${address}`)).json()) as CommunityPoll;
  expect(options.map(({ votes }) => votes)).toEqual([1, 2]);
  // The invitation of nobody was refused.
  expect(host.faults).toEqual([expect.stringContaining('400')]);
  expect([...ben.faults, ...dora.faults]).toEqual([]);
});
