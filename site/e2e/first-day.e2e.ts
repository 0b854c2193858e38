import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { createPoll, newPerson, postComment, urlOf } from './community-people.ts';
import { expect, slow, test } from './fixtures.ts';
import { originOf, runCommand, runInstallation } from './installation.ts';
import type { RunningSite } from './installation.ts';
import { draftSaved, pollForm as form, submitPassword } from './operator.ts';
import { dialog, pollNow, section, toast, registerInForm } from './page-helpers.ts';
import { sites } from './sites.ts';

/*
 * The first day of an operator, from an empty data folder to a restored backup, in a browser and with the real commands.
 */

const installation = sites.firstDay;
const backups = `${installation.dataDir}-backups`;
const discarded = `${installation.dataDir}-discarded`;
/** No admin password: the first start makes one. */
const settings = { ADMIN_PASSWORD: '', DEMO_DATA: 'on', SUPPORT_EMAIL: 'desk@harbor-gazette.test' };

test.use({ baseURL: originOf(installation) });

let site: RunningSite | undefined;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  for (const folder of [installation.dataDir, backups, discarded]) await rm(folder, { recursive: true, force: true });
  site = await runInstallation(installation, settings);
});
test.afterAll(() => site?.stop());

/** For what the publisher has to render first. */
const published = { timeout: 30_000 };

const printedPassword = () => /^ +Admin +(\S+)$/m.exec(site?.output() ?? '')?.[1] ?? '';
const statusOf = async (page: Page, path: string) => (await page.request.get(path)).status();
const textOf = async (page: Page, path: string) => (await page.request.get(path)).text();
/** The value of a date field, this many days from now. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Writes a poll with the form; returns its id. The draft is saved, and not published. */
async function writePoll(page: Page, question: string, options: readonly string[], start: string): Promise<string> {
  await page.goto('/admin/polls');
  await page.getByRole('button', { name: 'New poll' }).click();
  await form(page).getByLabel('Question', { exact: true }).fill(question);
  for (const [place, text] of options.entries())
    await form(page)
      .getByLabel(`Option ${place + 1}`, { exact: true })
      .fill(text);
  await form(page).getByLabel('Description').fill('Asked by the Harbor Gazette.');
  await form(page).getByLabel('Start', { exact: true }).fill(start);
  await form(page).getByLabel('End', { exact: true }).fill(inDays(60));
  await draftSaved(page);
  return new URL(page.url()).searchParams.get('poll') ?? '';
}

async function publishNow(page: Page, id: string): Promise<void> {
  await form(page).getByRole('button', { name: 'Publish now' }).click();
  await expect(toast(page, 'Poll Published')).toBeVisible();
  await expect.poll(() => statusOf(page, `/poll/${id}`), published).toBe(200);
}

/** As exported from a spreadsheet: semicolons, other names, months first, a column of no use, and a row with an error. */
const spreadsheet = [
  '\uFEFFHeadline;Intro;option_1;option_2;option_3;option_4;Opens;Last day;Notes',
  'Should the library open later?;"Asked at the market; answered here.";Yes;No;On Fridays;;01/05/2026;11/22/2036;front page',
  'Which bridge needs repair first?;;North bridge;South bridge;;;1/5/2026;11/22/2036;',
  'Does this row lack an option?;;Yes;;;;01/05/2026;11/22/2036;ask Tom',
].join('\r\n');
const imported = 'should-the-library-open-later-2026-01-05';

test(
  'an operator’s first day: installing, the checklist, three polls, a spreadsheet, taking down, a report, and a restored backup',
  slow,
  async ({ browser, page, faults }) => {
    test.setTimeout(240_000);

    await test.step('the printed password opens the admin pages, and makes the operator the owner', async () => {
      await expect.poll(printedPassword).not.toBe('');
      await submitPassword(page, printedPassword(), '/admin/settings');
      await expect(toast(page, 'Access Granted')).toBeVisible();
      await section(page, 'People').getByRole('link', { name: 'Sign in as yourself' }).click();
      await page.getByRole('tab', { name: 'Register' }).click();
      await registerInForm(page, { Username: 'ines', Password: 'a windy day' });
      await expect(page).toHaveURL('/admin/settings');
      await section(page, 'People').getByRole('button', { name: 'Make yourself the owner' }).click();
      await expect(section(page, 'People').getByLabel('Role of ines')).toHaveValue('owner');
      await expect(page.getByText('ines, owner')).toBeVisible();
    });

    await test.step('the checklist leaves only what needs a public address', async () => {
      await page.goto('/admin');
      const setup = section(page, 'Set up your site');
      await expect(setup.getByText('2 of 9 steps done')).toBeVisible();
      for (const name of ['Keep this name', 'I have reviewed them', 'This site sends no mail', 'Test the backup'])
        await setup.getByRole('button', { name, exact: true }).click();
      await expect(setup.getByText(/^The backup was complete and readable/)).toBeVisible(published);
      await setup.getByRole('link', { name: 'Remove them on the page Polls' }).click();
      await page.getByRole('button', { name: 'Remove demo polls' }).click();
      await dialog(page).getByRole('button', { name: 'Remove them' }).click();
      await expect(toast(page, 'Demo Polls Removed')).toBeVisible(published);
      await expect(page.getByText('There are no polls yet. Write one, or import a file.')).toBeVisible();
      await page.goto('/admin');
      await expect(setup.getByText('7 of 9 steps done')).toBeVisible();
      await expect(setup.getByRole('heading', { name: /^To do/ })).toHaveText([/Public address/, /Proxy and HTTPS/]);
    });

    const market = await writePoll(page, 'Should the market open on Sundays?', ['Yes', 'No', 'Not sure'], inDays(-1));
    await publishNow(page, market);

    const ferry = await writePoll(page, 'Where should the new ferry stop?', ['Harbor', 'Island', 'Both'], inDays(40));
    await test.step('a scheduled poll is previewed and on the calendar, and nobody else sees it', async () => {
      await form(page).getByRole('button', { name: 'Schedule' }).click();
      await expect(toast(page, 'Poll Scheduled')).toBeVisible();
      const [preview] = await Promise.all([
        page.waitForEvent('popup'),
        form(page).getByRole('link', { name: 'Preview (new tab)' }).click(),
      ]);
      await expect(preview.getByRole('heading', { level: 1, name: 'Where should the new ferry stop?' })).toBeVisible();
      await preview.close();
      await page.goto(`/admin/polls?view=calendar&month=${inDays(40).slice(0, 7)}`);
      await expect(page.getByRole('link', { name: /^Opens .*Where should the new ferry stop\?$/ })).toBeVisible();
      expect(await statusOf(page, `/poll/${ferry}`)).toBe(404);
    });

    const light = await writePoll(page, 'Is the harbor light too bright?', ['Yes', 'No', 'At night'], inDays(-1));

    await test.step('a spreadsheet is imported once the operator has said how to read it', async () => {
      await page.goto('/admin/imports');
      const file = { name: 'autumn.csv', mimeType: 'text/csv', buffer: Buffer.from(spreadsheet) };
      await page.locator('input[type=file]').setInputFiles(file);
      const mapping = section(page, 'How the file is read');
      await expect(mapping.getByLabel('Fields are separated by')).toHaveValue(';');
      await expect(mapping.getByText('Choose the columns for: End.')).toBeVisible();
      // The browser logs the refusal.
      expect(faults.splice(0).join()).toContain('400');
      await mapping.getByLabel('Read “Last day” as').selectOption('End');
      await expect(mapping.getByLabel('Dates')).toHaveValue('month-first');
      await expect(mapping.getByLabel('Read “Notes” as')).toHaveValue('');
      const rows = mapping
        .getByRole('list', { name: 'The first rows, as they would be imported' })
        .getByRole('listitem');
      await expect(rows).toHaveText([
        /Opens Jan 5, 2026.*closes Nov 22, 2036/,
        /North bridge · South bridge/,
        /Rejected/,
      ]);
      await page.getByRole('button', { name: 'Check all rows' }).click();
      await expect(page.getByText(/An import would add 2 polls, update 0/)).toBeVisible();
      await page.getByRole('button', { name: 'Upload CSV' }).click();
      await expect(toast(page, 'Upload Successful')).toBeVisible();
      await expect(page.getByText(/A poll needs at least two/).first()).toBeVisible();
      await expect.poll(() => statusOf(page, `/poll/${imported}`), published).toBe(200);
      await expect.poll(() => textOf(page, '/'), published).toContain('Which bridge needs repair first?');
    });

    await test.step('a draft is published, and a published poll is edited', async () => {
      await page.goto(`/admin/polls?poll=${light}`);
      await publishNow(page, light);
      await page.goto(`/admin/polls?poll=${market}`);
      await form(page).getByLabel('Description').fill('The council decides in spring.');
      await draftSaved(page);
      await form(page).getByRole('button', { name: 'Publish changes' }).click();
      await expect(toast(page, 'Poll Published')).toBeVisible();
      const decides = 'The council decides in spring.';
      await expect.poll(() => textOf(page, `/poll/${market}`), published).toContain(decides);
    });

    const [author, member] = [await newPerson(browser, 'Ada'), await newPerson(browser, 'Ben')];
    const discussed = await createPoll(author);
    const comments = `/api${urlOf(discussed)}/comments`;
    await test.step('readers vote, and a member reports a comment', async () => {
      const optionId = (await pollNow(member.page, light)).options[0]!.id;
      const vote = { data: { optionId }, headers: { 'x-device-id': 'device_bensfirstdayonthesite' } };
      expect((await member.page.request.post(`/api/polls/${light}/vote`, vote)).ok()).toBe(true);
      await postComment(author, discussed, 'Buy cheap umbrellas!');
      await member.page.goto(urlOf(discussed));
      await member.page.getByRole('button', { name: 'Report comment by Ada Vane' }).click();
      await dialog(member.page).getByRole('button', { name: 'Send Report' }).click();
      await expect(member.page.getByText('Thank you', { exact: true })).toBeVisible();
    });

    expect(await runCommand(installation, 'backup', backups)).toContain('3 members');

    await test.step('on the next day, a poll is taken down', async () => {
      await page.goto(`/admin/polls?poll=${light}`);
      await form(page).getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog(page).getByLabel('Reason').fill('The light was replaced.');
      await dialog(page).getByRole('button', { name: 'Delete the poll' }).click();
      await expect(toast(page, 'Poll Deleted')).toBeVisible();
      await expect.poll(() => statusOf(page, `/poll/${light}`), published).toBe(410);
      expect(await textOf(page, `/poll/${light}`)).toContain('The light was replaced.');
      await expect.poll(() => textOf(page, '/'), published).not.toContain(light);
    });

    await test.step('the report is answered, and its member is told', async () => {
      await page.goto('/admin');
      await page.getByRole('link', { name: 'Decide: 1 report waits for a decision.' }).click();
      const queue = section(page, 'Reports and appeals');
      await queue.getByLabel(/^Select: comment/).check();
      await queue.getByLabel('Reason, sent to the members concerned').fill('Advertising');
      await queue.getByRole('button', { name: 'Decide about 1 entry' }).click();
      await expect(toast(page, '1 change made')).toBeVisible();
      expect(await textOf(page, comments)).not.toContain('umbrellas');
      await member.page.goto('/profile/notifications');
      await expect(member.page.getByText(/^We acted on your report of a comment/).first()).toBeVisible();
      await author.page.goto('/profile/moderation');
      await expect(author.page.getByText('Advertising').first()).toBeVisible();
    });

    expect([author.faults, member.faults, faults]).toEqual([[], [], []]);

    await test.step('the restored backup brings back the day before', async () => {
      await page.goto('about:blank');
      await site?.stop();
      await rename(installation.dataDir, discarded);
      const [file = '', ...more] = await readdir(backups);
      expect(more).toEqual([]);
      expect(await runCommand(installation, 'restore', join(backups, file))).toContain('Restored the site as of');
      site = await runInstallation(installation, settings);
      // The backup has the old one.
      expect(printedPassword()).toBe('');

      expect([await statusOf(page, `/poll/${light}`), (await pollNow(page, light)).totalVotes]).toEqual([200, 1]);
      expect(await textOf(page, `/poll/${market}`)).toContain('The council decides in spring.');
      expect(await textOf(page, '/')).toContain('Should the library open later?');
      expect(await statusOf(page, `/poll/${ferry}`)).toBe(404);
      expect(await textOf(page, comments)).toContain('umbrellas');
      // The session is in the backup, too.
      await page.goto('/admin');
      await expect(page.getByRole('link', { name: 'Decide: 1 report waits for a decision.' })).toBeVisible();
      await page.goto('/admin/polls?state=scheduled');
      await expect(
        section(page, 'Polls').getByRole('link', { name: 'Edit: Where should the new ferry stop?' }),
      ).toBeVisible();
    });
  },
);
