import '#api/consequences.ts';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database.ts';
import { setAside } from '#api/voting/decisions.service.ts';
import { createPoll, newPerson, urlOf } from './community-people.ts';
import { accessibilityFindings, expect, test } from './fixtures.ts';
import { sites } from './sites.ts';

const hour = 3_600_000;

/** Holds all votes for an option, as the detector does. */
async function holdVotes(ballotId: string, optionId: string): Promise<void> {
  const db = openDatabase(`sqlite:${sites.main.dataDir}/weathervane.sqlite`);
  try {
    const intake = { runExclusive: <T>(work: () => Promise<T>) => work() };
    const hold = { expiresAt: Date.now() + hour };
    const found = { cluster: { optionId }, reason: 'automated-network', actor: 'detector', hold } as const;
    await setAside({ db, clock: systemClock, intake }, { ballotId, ...found });
  } finally {
    await db.destroy();
  }
}

test('held votes are disclosed, their creator sets them aside, and the page about decisions lists it', async ({
  page,
  browser,
  baseURL,
}) => {
  const creator = await newPerson(browser, 'Anna', { baseURL });
  const poll = await createPoll(creator);
  for (const [index, optionId] of ['option-1', 'option-1', 'option-1', 'option-2'].entries()) {
    const voterFingerprint = `device_${String(index).repeat(32)}${poll.id.slice(0, 8)}`;
    const vote = await fetch(`${baseURL}/api/community-polls/${poll.id}/vote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ optionId, voterFingerprint }),
    });
    expect(vote.status).toBe(200);
  }
  await holdVotes(poll.id, 'option-1');

  await page.goto(urlOf(poll));
  const figures = page.getByText(/4 votes received, 1 counted/);
  await expect(figures).toContainText('3 held for a decision (automated voting from one network)');
  await expect(page.getByRole('heading', { name: 'Flagged votes' })).toHaveCount(0);

  await creator.page.goto(urlOf(poll));
  const section = creator.page.getByRole('region', { name: 'Flagged votes' });
  await expect(section).toContainText('3 votes held: automated voting from one network.');
  await expect(section).toContainText('all for “Tea”');
  expect(await accessibilityFindings(creator.page)).toEqual([]);
  await section.getByRole('button', { name: 'Set aside' }).click();
  const dialog = creator.page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('One script.');
  expect(await accessibilityFindings(creator.page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Set aside' }).click();
  await expect(section).toContainText('3 votes set aside:');
  await expect(creator.page.getByText(/4 votes received, 1 counted/)).toContainText('3 set aside');
  expect(creator.faults).toEqual([]);

  await page.reload();
  await expect(figures).toContainText('3 set aside (automated voting from one network)');
  await page.getByRole('link', { name: 'What this means' }).first().click();
  await expect(page).toHaveURL(/\/integrity$/);
  await expect(async () => {
    await page.reload();
    const listed = page.getByRole('listitem').filter({ hasText: poll.question });
    await expect(listed).toContainText('3 votes set aside: automated voting from one network.', { timeout: 500 });
  }).toPass();
  const totals = (await (await page.request.get('/api/integrity')).json()) as { setAsideVotes: number };
  await expect(page.locator('[data-figure="setAsideVotes"]')).toHaveText(totals.setAsideVotes.toLocaleString('en-US'));
  expect(await accessibilityFindings(page)).toEqual([]);
});
