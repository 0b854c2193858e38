import { archive } from './scene.ts';
import { expect, sampleOf, test } from './fixtures.ts';
import { openPolls } from './page-helpers.ts';

test('[S1.9 S2.29 S4.14] the archive is filtered, sorted, and paged, and the URL keeps this over a reload', async ({
  page,
  baseURL,
}) => {
  const all = await archive(baseURL!);
  await page.goto('/historical');
  const cards = page.getByRole('main').getByRole('article');
  await expect(cards).toHaveCount(9);
  await expect(
    page.getByText(`Showing page 1 of ${Math.ceil(all.length / 9)} (${all.length} total polls)`),
  ).toBeVisible();

  await page
    .getByRole('button', { name: 'Next' })
    .or(page.getByRole('link', { name: 'Next' }))
    .click();
  await expect(page.getByText(/Showing page 2 of/)).toBeVisible();
  await expect(page).toHaveURL(/page=2/);

  const mostVoted = [...all].sort((a, b) => b.totalVotes - a.totalVotes)[0]!;
  await page.getByLabel(/sort/i).selectOption('most-voted');
  await expect(page.getByText(/Showing page 1 of/)).toBeVisible();
  await expect(page).toHaveURL(/\?sort=most-voted$/);
  await expect(cards.first()).toContainText(mostVoted.question);

  const category = mostVoted.category!;
  const inCategory = all.filter((poll) => poll.category === category);
  await page.getByLabel(/category/i).selectOption(category);
  await expect(cards).toHaveCount(Math.min(9, inCategory.length));
  await expect(cards.filter({ hasText: category.replaceAll('-', ' ') })).toHaveCount(Math.min(9, inCategory.length));
  await page.reload();
  await expect(page.getByLabel(/category/i)).toHaveValue(category);
  await expect(page.getByLabel(/sort/i)).toHaveValue('most-voted');
  await expect(cards).toHaveCount(Math.min(9, inCategory.length));
  await expect(cards.first()).toContainText(mostVoted.question);
  await page.goBack();
  await expect(page).not.toHaveURL(/category=/);
  await expect(cards).toHaveCount(9);
});

test('[S2.30] a category without polls says so', async ({ page }) => {
  await page.goto('/historical?category=Nothing-here');
  await expect(page.getByText('No Historical Polls')).toBeVisible();
  await expect(page.getByText('Historical polls will appear here once they are completed.')).toBeVisible();
});

test('[S1.9 S2.2 S2.40 S2.42 S2.49 S2.51 S2.52] a report has every part of a report', async ({ page, baseURL }) => {
  const poll = (await archive(baseURL!)).find(({ options, totalVotes }) => options.length >= 3 && totalVotes > 30)!;
  await page.goto(`/poll/${poll.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(poll.question);
  for (const text of ['Poll Closed', 'Total Participants', 'Leading Response', 'Days Active', 'Response Options'])
    await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
  for (const name of [/Poll Background/, /Results & Analysis/, /Expert Analysis/, /Methodology & Limitations/])
    await expect(page.getByRole('heading', { name })).toBeVisible();
  for (const option of poll.options) await expect(page.getByText(option.text).first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Poll Archive' })).toHaveAttribute('href', '/historical');
  const article = JSON.parse(
    (await page.locator('script[type="application/ld+json"]').first().textContent()) ?? '',
  ) as object;
  expect(article).toMatchObject({ '@type': 'Article', headline: poll.question, datePublished: poll.closedAt });
  await expect(page.locator('meta[name=robots]')).toHaveCount(0);
});

test('a report without votes and its embed show no percentage, no rank, and a neutral vane', async ({
  page,
  baseURL,
}) => {
  const poll = (await archive(baseURL!)).find(({ totalVotes }) => totalVotes === 0)!;
  await page.goto(`/poll/${poll.id}`);
  const leading = page.locator('.tiles > div', { hasText: 'Leading Response' });
  await expect(leading.locator('dd')).toHaveText('No votes');
  await expect(page.locator('.breakdown .rank')).toHaveText(poll.options.map(() => '–'));
  const vane = page.getByRole('img', { name: 'No votes' });
  await expect(vane.locator('.vane__arrow')).toHaveAttribute('transform', 'rotate(-28)');
  await expect(vane.locator('.vane__dial')).toHaveCount(0);
  await expect(page.getByRole('img', { name: /chart/ })).toHaveCount(0);
  await page.goto(`/embed/poll/${poll.id}`);
  await expect(page.locator('.vane__dial')).toHaveCount(0);
  await expect(page.locator('.results')).toHaveCount(0);
  await expect(page.getByRole('img', { name: /chart/ })).toHaveCount(0);
});

test('[S2.45 S9.2] one press turns the bars of a report into a pie with the table as its legend', async ({
  page,
  baseURL,
}) => {
  const poll = (await archive(baseURL!)).find(({ options, totalVotes }) => options.length >= 3 && totalVotes > 30)!;
  await page.goto(`/poll/${poll.id}`);
  const pie = page.getByRole('img', { name: /^Pie chart: .* \d+\.\d%/ });
  const bars = page.locator('.breakdown .bar');
  await expect(bars).toHaveCount(poll.options.length);
  await expect(bars.first()).toBeVisible();
  await expect(pie).toHaveCount(0);
  await page.getByRole('radio', { name: 'Pie' }).check();
  await expect(pie).toBeVisible();
  await expect(bars.first()).toBeHidden();
  for (const swatch of await page.locator('.breakdown .swatch').all()) await expect(swatch).toBeVisible();
  await expect(page.getByRole('link', { name: 'SVG' })).toHaveAttribute('href', `/poll/${poll.id}.svg`);
  await page.getByRole('radio', { name: 'Bar' }).check();
  await expect(bars.first()).toBeVisible();
  await expect(pie).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'SVG' })).toHaveAttribute('href', `/poll/${poll.id}.svg?chart=bar`);
});

test('two answers are halves of one bar, and many answers are compared with the first, with the last ones folded', async ({
  page,
  baseURL,
}) => {
  const all = await archive(baseURL!);
  const two = all.find(({ options, totalVotes }) => options.length === 2 && totalVotes > 0)!;
  await page.goto(`/poll/${two.id}`);
  await expect(page.getByRole('img', { name: /^Bar chart: .* \d+\.\d%/ })).toBeVisible();
  const many = all.find(({ options, totalVotes }) => options.length > 8 && totalVotes > 0)!;
  await page.goto(`/poll/${many.id}`);
  const rows = page.locator('.breakdown tbody tr');
  await expect(rows.filter({ visible: true })).toHaveCount(6);
  await expect(rows.first().locator('rect.fill')).toHaveAttribute('width', '100');
  const fills = await page
    .locator('.breakdown rect.fill')
    .evaluateAll((bars) => bars.map((bar) => getComputedStyle(bar).fill));
  expect([fills[0] === fills[1], new Set(fills.slice(1)).size]).toEqual([false, 1]);
  await page.getByRole('checkbox', { name: /^Show the other \d+ answers/ }).check();
  await expect(rows.filter({ visible: true })).toHaveCount(many.options.length);
});

test('on a phone, question, finding, base, dates, and answers of a report are visible without scrolling', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const poll of sampleOf(await archive(baseURL!))) {
    await page.goto(`/poll/${poll.id}`);
    const base = page.locator('.base', { hasText: /[\d,]+ answers?\s·/ });
    const closed = page.locator('.byline', { hasText: 'Closed' }).locator('time').first();
    const last = page.getByRole('table', { name: 'Every answer, most votes first' }).getByRole('row').last();
    for (const part of [base, closed, last]) {
      const { y, height } = (await part.boundingBox())!;
      expect([poll.id, y + height <= 844, y + height]).toEqual([poll.id, true, y + height]);
    }
  }
});

test('[D4.13] the breakdown has the margin of each answer to the next, and a tie instead of a margin of zero', async ({
  page,
  baseURL,
}) => {
  const ranked = ({ options }: { options: readonly { votes: number }[] }) =>
    options.map(({ votes }) => votes).sort((a, b) => b - a);
  const tie = (await archive(baseURL!)).find((poll) => poll.totalVotes > 0 && ranked(poll)[0] === ranked(poll)[1])!;
  await page.goto(`/poll/${tie.id}`);
  const votes = ranked(tie);
  const margins = votes.slice(0, -1).map((count, index) => {
    const points = ((count - votes[index + 1]!) * 100) / tie.totalVotes;
    return points === 0 ? 'tied' : `+${points.toFixed(1)} points`;
  });
  await expect(page.locator('.breakdown .margin')).toHaveText([...margins, '']);
});

test('[S2.7 S2.34 S8.20] a poll that does not exist is a 404 page that says so', async ({ page, faults }) => {
  const response = await page.goto('/poll/there-is-no-such-poll');
  expect(response?.status()).toBe(404);
  await expect(page.getByText('Poll Not Found')).toBeVisible();
  await expect(page.getByText("This poll may have been removed or doesn't exist.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/);
  expect(faults.splice(0).every((fault) => fault.includes('404'))).toBe(true);
});

test('[S2.3 S8.20] any other path is the 404 page', async ({ page, faults }) => {
  const response = await page.goto('/nothing/here');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  expect(faults.splice(0).every((fault) => fault.includes('404'))).toBe(true);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('[S2.20 S2.33 D4.9 D4.11] every pre-rendered text, number, and bar is shown', async ({ page, baseURL }) => {
    const all = await archive(baseURL!);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: /Today’s Polls/ })).toBeVisible();
    const open = await openPolls(baseURL!);
    await expect(page.getByText(`${open.length} active polls`, { exact: true })).toBeVisible();
    const figures = page.getByRole('main').locator('dl').locator('dd');
    expect(await figures.count()).toBeGreaterThanOrEqual(5);
    for (const figure of await figures.all()) await expect(figure).toHaveText(/^\s*\d[\d,]*/);
    for (const { question, options } of open) {
      const card = page
        .getByRole('article')
        .filter({ has: page.getByRole('heading', { name: question, exact: true }) });
      const rows = card.locator('ol > li');
      await expect(rows).toHaveCount(Math.min(3, options.length));
      for (const [place, { text }] of options.slice(0, 3).entries()) {
        // There may be new votes since the page was published.
        await expect(rows.nth(place)).toHaveText(/^.+\d+%[\d,]+ votes?$/);
        await expect(rows.nth(place).getByText(text, { exact: true })).toHaveCount(1);
        await expect(card.getByRole('radio', { name: text, exact: true })).toBeVisible();
        await expect(rows.nth(place).locator('rect').last()).toHaveAttribute('width', /^\d+$/);
      }
    }

    await page.goto('/historical');
    const cards = page.getByRole('main').getByRole('article');
    await expect(cards).toHaveCount(9);
    for (const card of await cards.all()) {
      const address = await card.getByRole('heading').getByRole('link').getAttribute('href');
      const shown = all.find(({ id }) => address === `/poll/${id}`)!;
      const [top] = shown.options.toSorted((one, other) => other.votes - one.votes);
      await expect(card.getByRole('heading')).toHaveText(shown.question);
      await expect(card).toContainText(`${shown.totalVotes.toLocaleString('en-US')} vote`);
      const leader = card.getByRole('listitem').first();
      await expect(leader).toContainText(top!.text);
      const percent = shown.totalVotes === 0 ? 0 : Math.round((top!.votes * 100) / shown.totalVotes);
      await expect(leader).toContainText(`${percent}%`);
      await expect(leader.locator('rect').last()).toHaveAttribute('width', String(percent));
    }
    await page.getByRole('link', { name: 'Next' }).click();
    await expect(page.getByText(/Showing page 2 of/)).toBeVisible();
    const poll = all.find(({ options, totalVotes }) => options.length > 3 && totalVotes > 30)!;
    await page.goto(`/poll/${poll.id}`);
    const rows = page.getByRole('table', { name: 'Every answer, most votes first' }).getByRole('row');
    for (const { text, votes } of poll.options) {
      const row = rows.filter({ has: page.getByRole('rowheader', { name: text, exact: true }) });
      const percent = Math.round((votes * 1_000) / poll.totalVotes) / 10;
      await expect(row.getByRole('rowheader')).toBeVisible();
      await expect(row.getByRole('cell').nth(1)).toHaveText(votes.toLocaleString('en-US'));
      await expect(row.getByRole('cell').nth(2)).toHaveText(`${percent.toFixed(1)}%`);
      await expect(row.locator('rect + rect')).toHaveAttribute('width', String(percent));
      await expect(page.locator('figure title', { hasText: `${text}: ${votes.toLocaleString('en-US')}` })).toHaveCount(
        1,
      );
    }
    await page.getByRole('radio', { name: 'Pie' }).check();
    await expect(page.getByRole('img', { name: /^Pie chart/ })).toBeVisible();
  });
});
