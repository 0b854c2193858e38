import { runsSlow } from '#api/testing/slow.ts';
import { filesWith } from '#api/testing/test-builds.ts';
import type { ResponseOf } from '#api/endpoints.contract.ts';
import { createPoll, newPerson, postComment, urlOf } from './community-people.ts';
import type { Person } from './community-people.ts';
import { expect, test } from './fixtures.ts';
import { operatorHeaders, signInAsOperator } from './operator.ts';
import { toast } from './page-helpers.ts';
import { sites } from './sites.ts';

/** Sends a request that must succeed. */
async function post({ page }: Pick<Person, 'page'>, path: string, data: object): Promise<void> {
  const answer = await page.request.post(path, { data, headers: operatorHeaders });
  expect([path, answer.ok()]).toEqual([path, true]);
}

/** A whole page of the queue with the slow tests. */
const reported = runsSlow ? 50 : 10;

test('a moderator decides about many reports and a spam wave in one step each, and grants an appeal', async ({
  browser,
  page,
}) => {
  const earlier = await page.request.get('/api/admin/reports', { headers: operatorHeaders });
  for (const { kind, id } of ((await earlier.json()) as ResponseOf<'reportQueue'>).reported)
    await post({ page }, '/api/admin/moderation', { action: 'dismiss', kind, ids: [id], reason: 'Of another test' });

  const [host, author] = [await newPerson(browser, 'Host'), await newPerson(browser, 'Author')];
  const discussed = await createPoll(host);
  const texts = Array.from({ length: reported }, (_, n) => `Remark ${n + 1} by ${author.username}`);
  await Promise.all(texts.map((text) => postComment(author, discussed, text)));
  const comments = `/api/community-polls/${discussed.id}/comments`;
  const shown = async () => (await (await host.page.request.get(`${comments}?limit=50`)).json()) as { id: string }[];
  const reports = (await shown()).map(({ id }) => post(host, `${comments}/${id}/report`, { category: 'abuse' }));
  await Promise.all(reports);

  await signInAsOperator(page, '/admin/moderation');
  const queue = page.getByRole('region', { name: 'Reports and appeals' });
  const decide = async (reason: string) => {
    await queue.getByLabel('Reason, sent to the members concerned').fill(reason);
    await queue.getByRole('button', { name: /^Decide about/ }).click();
  };
  await queue.getByLabel('Select all on this page').check();
  await expect(queue.getByRole('button', { name: `Decide about ${reported} entries` })).toBeVisible();
  await decide('Insults');
  await expect(toast(page, `${reported} changes made`)).toBeVisible();
  await expect(queue.getByText(texts[0]!)).toHaveCount(0);
  expect(await shown()).toEqual([]);

  const spammers: Person[] = [];
  for (const name of ['Ada', 'Bob', 'Cy'])
    spammers.push(await newPerson(browser, name, { extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.7' } }));
  const wave = [];
  for (const spammer of [...spammers, ...spammers])
    wave.push(await createPoll(spammer, { question: `Cheap watches ${wave.length + 1} by ${spammer.username}?` }));
  await post(host, `/api/community-polls/${wave[0]!.id}/report`, { category: 'spam' });
  await page.reload();
  await queue.getByLabel(`Select: poll ${wave[0]!.question}`).check();
  await queue.getByLabel('Action').selectOption('Suspend the member');
  await queue.getByLabel('Applies to').selectOption('Everything by the same members and networks');
  await queue.getByRole('button', { name: 'How much is that?' }).click();
  await expect(queue.getByText('Same networks: 3 members, 6 polls, 0 comments still shown')).toBeVisible();
  await decide('Advertising');
  await expect(toast(page, '3 changes made')).toBeVisible();
  for (const { id } of wave) expect((await host.page.request.get(`/api/community-polls/${id}`)).status()).toBe(404);

  const suspended = spammers[1]!;
  await suspended.page.goto('/profile/moderation');
  await expect(suspended.page.getByText(/^Your account is suspended until/)).toBeVisible();
  await suspended.page.getByRole('button', { name: 'Appeal' }).click();
  await suspended.page.getByLabel('Why should this be decided differently?').fill('We share one network.');
  await suspended.page.getByRole('button', { name: 'Send Appeal' }).click();
  await expect(suspended.page.getByText('Your appeal is being reviewed.')).toBeVisible();

  await page.reload();
  const appeal = queue.getByRole('listitem').filter({ hasText: 'We share one network.' });
  await appeal.getByLabel('Answer, sent to the member').fill('You are right.');
  await appeal.getByRole('button', { name: /^Grant/ }).click();
  await expect(appeal).toHaveCount(0);
  await suspended.page.reload();
  await expect(suspended.page.getByText('Your appeal was granted: You are right.')).toBeVisible();
  await expect(suspended.page.getByText(/^Your account is suspended until/)).toHaveCount(0);
  await suspended.page.goto(urlOf(wave[1]!));
  await expect(suspended.page.getByRole('heading', { name: wave[1]!.question })).toBeVisible();
});

test('a poll that was taken down is gone from every page, feed, and picture', async ({ browser, page }) => {
  test.setTimeout(120_000);
  const [creator, reader] = [await newPerson(browser, 'Cora'), await newPerson(browser, 'Reader')];
  const key = Date.now().toString(36);
  // A page of results repeats what was searched for.
  const [word, sought] = [`zephyr${key}`, `gale${key}`];
  const poll = await createPoll(creator, { question: `Is ${word} a ${sought}?` });
  await postComment(reader, poll, `Buy ${word}`);
  await post(reader, `/api/community-polls/${poll.id}/vote`, {
    optionId: 'option-1',
    voterFingerprint: `device_${word.padEnd(32, 'x')}`,
  });
  await post({ page }, `/api/admin/community-polls/${poll.id}/featured`, { featured: true });
  const showing = [
    ...['/community-polls', '/community-polls?state=open', urlOf(poll), `${urlOf(poll)}/history`],
    ...[`/search?q=${sought}`, '/api/community-polls?limit=50', '/api/community-polls/featured'],
    ...[`/api/community-polls/${poll.id}`, `/api/community-polls/${poll.id}/comments`],
    ...[`/api/search?q=${sought}`, `/api/search/suggestions?q=${sought}`, '/api/user/activities?limit=20'],
  ];
  const others = [
    ...['/', '/sitemap.xml', '/sitemap-pages.xml', '/historical/rss.xml', '/historical/atom.xml', '/integrity'],
    ...[`/embed/poll/${poll.id}`, `/poll/${poll.id}`, `/poll/${poll.id}.png`, `/poll/${poll.id}.csv`],
    ...[`${urlOf(poll)}/vote`, `${urlOf(poll)}/voted`, `/api/community-polls/${poll.id}/results.csv`],
    ...[`/api/community-polls/${poll.id}/edits`, '/api/user/notifications', '/api/user/profile', '/api/integrity'],
  ];
  const sitemap = '/sitemap-community-1.xml';
  const text = async (path: string) => (await reader.page.request.get(path)).text();
  /** The places that show the poll, and the files of the site. */
  const places = async () => {
    const found = [];
    for (const path of [...showing, ...others]) if ((await text(path)).includes(word)) found.push(path);
    if ((await text(sitemap)).includes(poll.id)) found.push(sitemap);
    return [...found, ...[word, poll.id].flatMap((one) => filesWith(sites.main.dataDir, one))];
  };
  await expect.poll(() => text(sitemap), { timeout: 30_000 }).toContain(poll.id);
  const before = await places();
  expect(before).toEqual(expect.arrayContaining([...showing, sitemap]));
  expect(before.length).toBeGreaterThan(showing.length + 2);

  const started = performance.now();
  await post({ page }, '/api/admin/moderation', {
    ...{ action: 'hide', kind: 'poll', ids: [poll.id], reason: 'Advertising', scope: 'each' },
  });
  const answered = performance.now();
  // What is rendered on demand is gone with the answer.
  for (const path of showing.slice(2)) expect([path, (await text(path)).includes(word)]).toEqual([path, false]);
  await expect.poll(places, { timeout: 30_000, intervals: [50] }).toEqual([]);
  const [all, request] = [performance.now() - started, answered - started].map((ms) => `${Math.round(ms)} ms`);
  console.log(`Taken down everywhere after ${all}, of which the request took ${request}.`);
});
