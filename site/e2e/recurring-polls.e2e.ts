import type { Page } from 'playwright/test';
import type { EditedPoll } from '#api/polls/poll-editor.contract.ts';
import { adminApiTexts } from '#texts/admin-api.ts';
import { calendarTexts } from '#texts/admin-calendar.ts';
import { pollEditorTexts, pollStateTexts } from '#texts/poll-editor.ts';
import { accessibilityFindings, expect, test, themes } from './fixtures.ts';
import { keyboardOf } from './keyboard.ts';
import { draftSaved, newDraft, openAdmin, operatorHeaders, pollForm } from './operator.ts';
import { dialog, section, toast } from './page-helpers.ts';

const texts = pollEditorTexts.repeat;
const question = 'How is the weather?';
/** A Thursday at 9:00 in Berlin, before clocks there change, for a week. */
const first = { startsAt: '2030-03-21T08:00:00Z', endsAt: '2030-03-28T08:00:00Z' };
const april = '/admin/polls?view=calendar&month=2030-04';
const [every, unit, until, zone] = [texts.every, texts.unit, texts.until, texts.timeZone];
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const repeat = (page: Page) => page.getByText(texts.heading, { exact: true }).first();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
const opening = (page: Page) =>
  page.getByRole('link', { name: calendarTexts.event(calendarTexts.opens, '07:00', question) });

/** Deletes drafts, because other tests count the polls. */
async function discard(page: Page, ...ids: string[]): Promise<void> {
  const send = { headers: operatorHeaders };
  for (const id of ids) {
    const { version } = (await (await page.request.get(`/api/admin/polls/${id}`, send)).json()) as EditedPoll;
    expect((await page.request.delete(`/api/admin/polls/${id}/draft?version=${version}`, send)).ok()).toBe(true);
  }
}

test('a series is repeated every two weeks on Thursday at 9:00 in Berlin, and its next poll is a draft of its own', async ({
  page,
  faults,
}) => {
  const { id } = await newDraft(page, question, first);
  await openAdmin(page, `/admin/polls?poll=${id}`);
  await field(page, pollEditorTexts.fields.series).fill('Weather in Berlin');
  await draftSaved(page);
  await repeat(page).click();
  await field(page, every).fill('2');
  await field(page, unit).selectOption(texts.units.week);
  await field(page, zone).selectOption('Europe/Berlin');
  // Before it starts.
  await field(page, until).fill('2030-03-01');
  await button(page, texts.save).click();
  await expect(field(page, until)).toHaveAccessibleDescription(new RegExp(adminApiTexts.recurrence.noPoll));
  await expect(field(page, until)).toBeFocused();
  expect(faults.splice(0).join()).toContain('400');
  expect(await accessibilityFindings(page)).toEqual([]);
  await field(page, until).fill('2030-04-30');
  await button(page, texts.save).click();
  await expect(toast(page, texts.saved.title)).toBeVisible();
  await expect(page.getByText(/^Repeated every 2 weeks, at the same time in Europe\/Berlin\./)).toBeVisible();

  await page.goto(april);
  // Clocks have changed there, not in the site’s zone.
  await expect(
    page
      .getByRole('listitem')
      .filter({ has: opening(page) })
      .last(),
  ).toContainText('draft');
  await opening(page).click();
  const form = pollForm(page);
  await expect(form.getByText(pollStateTexts.draft, { exact: true })).toBeVisible();
  await expect(form.getByLabel(pollEditorTexts.fields.series, { exact: true })).toHaveValue('Weather in Berlin');
  await expect(form.getByLabel(pollEditorTexts.fields.startsAt, { exact: true })).toHaveValue('2030-04-04');
  const next = new URL(page.url()).searchParams.get('poll')!;
  await form.getByLabel(pollEditorTexts.fields.question, { exact: true }).fill('How was March?');
  await draftSaved(page);
  await button(page, texts.stop).click();
  await expect(toast(page, texts.stopped.title)).toBeVisible();
  await expect(page.getByText(/^Repeated every/)).toHaveCount(0);
  await page.goto(`/admin/polls?poll=${id}`);
  await expect(form.getByLabel(pollEditorTexts.fields.question, { exact: true })).toHaveValue(question);
  await expect(button(page, texts.stop)).toHaveCount(0);
  await discard(page, id, next);
});

for (const colorScheme of themes)
  test(`on a phone, ${colorScheme}, a series is repeated and stopped with the keyboard alone`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 390, height: 844 });
    const { id } = await newDraft(page, question, { ...first, series: `Weather, ${colorScheme}` });
    await openAdmin(page, `/admin/polls?poll=${id}`);
    const keys = keyboardOf(page);
    await expect(repeat(page)).toBeVisible();
    await pollForm(page).getByRole('textbox').last().focus();
    await keys.use(repeat(page));
    await keys.tabTo(field(page, every));
    await keys.press('ArrowUp');
    await keys.tabTo(field(page, unit));
    await keys.tabTo(field(page, until));
    await keys.type('04302030');
    await keys.tabTo(field(page, zone));
    await keys.type('Europe/Berlin');
    await keys.use(button(page, texts.save));
    await expect(toast(page, texts.saved.title)).toBeVisible();
    await keys.at(button(page, texts.save));
    await expect(field(page, zone)).toHaveValue('Europe/Berlin');
    await expect(field(page, until)).toHaveValue('2030-04-30');
    expect([await accessibilityFindings(page, colorScheme), await width(page)]).toEqual([[], 390]);
    await keys.use(button(page, texts.stop));
    await expect(toast(page, texts.stopped.title)).toBeVisible();
    await keys.at(section(page, texts.heading));
    await page.goto(april);
    await opening(page).press('Enter');
    await expect(pollForm(page)).toBeVisible();
    const next = new URL(page.url()).searchParams.get('poll')!;
    await button(page, pollEditorTexts.discardDraft).press('Enter');
    await dialog(page).getByRole('button', { name: 'Discard' }).press('Enter');
    await expect(dialog(page)).toHaveCount(0);
    expect((await page.request.get(`/api/admin/polls/${next}`, { headers: operatorHeaders })).status()).toBe(404);
    await discard(page, id);
  });
