import { expect, test } from 'vitest';
import { loadContent } from '#api/content/files.service.ts';
import { pollsReadOnce } from '#api/polls/polls.service.ts';
import { waitingPages } from '#api/testing/changes.ts';
import { castVote, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { registered, visitor } from '#api/testing/people.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { PageData } from './page-data.contract.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { recordFeedStart } from './feed-start.service.ts';
import { addresses, contentPages, listsReadOnce, pageData } from './page-data.service.ts';

const settings = { siteName: 'The Cock & Arrow', supportEmail: 'a_b@example.org', publicUrl: 'https://polls.example' };
const clock = fixedClock(testNow);
const dataOf = (db: Database) => pageData({ db, clock, settings });
const addressesOf = (db: Database) => Array.fromAsync(addresses({ db, clock }, ['/about']));

const closedAt = testNow - 86_400_000;
const minute = 60_000;

const reportOf = async (data: PageData, id: string) => {
  const page = await data.poll(id);
  return page !== null && 'poll' in page ? page : null;
};

oneDatabase((open) => {
  test('ids of feed entries are made of the first public address, whatever the address is later', async () => {
    const { db } = await open();
    const startOf = (publicUrl: string) => pageData({ db, clock, settings: { ...settings, publicUrl } }).feedStart();
    const at = new Date(testNow).toISOString();
    // This machine’s own address is for trying the site out.
    for (const local of ['http://localhost:3000', 'http://127.0.0.1:8080']) {
      await recordFeedStart(db, local, testNow - minute);
      expect(await startOf(local)).toEqual({ publicUrl: local, at });
    }
    await Promise.all([1, 2].map(() => recordFeedStart(db, 'https://first.example', testNow)));
    await recordFeedStart(db, 'https://second.example', testNow + minute);
    expect(await startOf('https://second.example')).toEqual({ publicUrl: 'https://first.example', at });
  });

  test('[D4.5 D4.9] pages show the open polls, the first page of the archive, and every closed poll', async () => {
    const { db } = await open();
    await seedPolls(db, [
      { id: 'open-one' },
      { id: 'upcoming', startsAt: testNow + 1_000 },
      ...Array.from({ length: 11 }, (_, i) => ({
        id: `closed-${i}`,
        closedAt: closedAt + i,
        question: `Grüße №${i}?`,
      })),
    ]);
    const data = dataOf(db);
    expect((await data.activePolls()).map(({ id }) => id)).toEqual(['open-one']);
    const archive = await data.archive();
    expect(archive).toMatchObject({ total: 11, categories: ['all', 'General'] });
    const newest = Array.from({ length: 11 }, (_, i) => `closed-${10 - i}`);
    expect(archive.polls.map(({ id }) => id)).toEqual(newest.slice(0, 9));
    expect((await data.newestReports(10)).map(({ id }) => id)).toEqual(newest.slice(0, 10));
    expect((await data.statistics()).totalPolls).toBe(12);
    const polls = (await addressesOf(db)).filter((address) => address.startsWith('/poll/'));
    expect(polls.sort()).toEqual(['/poll/open-one.png', ...['open-one', ...newest].map((id) => `/poll/${id}`)].sort());
    for (const id of newest) expect((await reportOf(data, id))?.poll).toMatchObject({ id, hasVoted: false });
    expect((await reportOf(data, 'closed-3'))?.poll.question).toBe('Grüße №3?');
    for (const id of ['upcoming', 'none']) expect(await data.poll(id)).toBeNull();
  });

  test('a poll that has ended shows its report, even before the sweep closes it', async () => {
    const { db } = await open();
    await seedPolls(db, [
      { id: 'ended', endsAt: testNow - 1 },
      { id: 'paused', isActive: false },
    ]);
    expect((await reportOf(dataOf(db), 'ended'))?.poll).toMatchObject({
      isActive: false,
      closedAt: expect.any(String),
    });
    expect(await addressesOf(db)).toContain('/poll/ended');
    expect(await dataOf(db).poll('paused')).toBeNull();
  });

  test('[D4.7] a report links to the six most voted others of its category, like the endpoint for related polls', async () => {
    const { db } = await open();
    await seedPolls(db, [
      ...Array.from({ length: 8 }, (_, i) => ({ id: `p${i}`, closedAt, votes: [10 * i] })),
      { id: 'still-open', votes: [1_000] },
      { id: 'elsewhere', closedAt, votes: [1_000], category: 'Science' },
      { id: 'nowhere', closedAt, votes: [1_000], category: null },
    ]);
    const related = async (id: string) => (await reportOf(dataOf(db), id))?.related;
    const idsOf = async (id: string) => (await related(id))?.map((poll) => poll.id);
    expect(await idsOf('p7')).toEqual(['p6', 'p5', 'p4', 'p3', 'p2', 'p1']);
    expect(await idsOf('p0')).toEqual(['p7', 'p6', 'p5', 'p4', 'p3', 'p2']);
    for (const id of ['elsewhere', 'nowhere', 'still-open']) expect(await idsOf(id)).toEqual([]);
    const app = await startTestApp(db);
    for (const id of ['p7', 'p0'])
      expect(await (await app.fetch(`/api/polls/related/General/${id}`)).json()).toEqual(await related(id));
    await app.close();
  });

  test('a poll or article that was removed is gone, with the reason and what took its place', async () => {
    const { db } = await open();
    await db('deleted_polls').insert({ id: 'old', deleted_at: testNow, reason: 'Asked twice.', redirect_to: 'tea' });
    const gone = { at: new Date(testNow).toISOString(), reason: 'Asked twice.', redirectTo: 'tea' };
    expect([await dataOf(db).poll('old'), await dataOf(db).poll('never')]).toEqual([{ gone }, null]);
    await loadContent({ db, clock });
    await db('blog_posts').where({ slug: 'what-a-tie-means' }).update({ published: false, gone: true });
    const isGone = (slug: string) => dataOf(db).isArticleGone(slug);
    expect(await Promise.all(['what-a-tie-means', 'first-on-the-list', 'never'].map(isGone))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('an unpublished poll is read by who has its preview link only', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'soon', startsAt: testNow + 86_400_000 }]);
    const allowed = pageData({ db, clock, settings, mayPreview: (id) => id !== 'other' });
    expect((await allowed.preview('soon'))?.poll.id).toBe('soon');
    expect([await dataOf(db).preview('soon'), await allowed.preview('never'), await allowed.poll('soon')]).toEqual([
      ...[null, null, null],
    ]);
  });

  test('pages that are rendered together take as many queries as one of them', async () => {
    const { db } = await open();
    const ids = ['a', 'b', 'c', 'd'];
    await seedPolls(
      db,
      ids.map((id) => ({ id, closedAt })),
    );
    const queriesFor = async (some: readonly string[]) => {
      let count = 0;
      const counted = () => (count += 1);
      db.on('query', counted);
      const data = dataOf(db);
      const pages = await Promise.all(some.map((id) => reportOf(data, id)));
      db.off('query', counted);
      expect(pages.map((page) => page?.poll.id)).toEqual(some);
      return count;
    };
    expect(await queriesFor(ids)).toBe(await queriesFor(['a']));
  });

  test('lists that several pages of a publish show are read once, each with its own length', async () => {
    const { db } = await open();
    await seedPolls(
      db,
      [0, 1, 2].map((i) => ({ id: `p${i}`, closedAt: closedAt + i })),
    );
    const data = listsReadOnce(dataOf(db));
    const [first, again] = [await data.newestReports(2), await data.newestReports(2)];
    expect(first.map(({ id }) => id)).toEqual(['p2', 'p1']);
    expect([again, await data.newestReports(3)]).toEqual([first, await dataOf(db).newestReports(3)]);
    const before = [await data.archive(), await data.statistics(), await data.activePolls()];
    await seedPolls(db, [{ id: 'open' }, { id: 'p3', closedAt: closedAt + 3 }]);
    expect([await data.archive(), await data.statistics(), await data.activePolls()]).toEqual(before);
  });

  test('a poll that several lists of a publish show is read once', async () => {
    const { db } = await open();
    await seedPolls(
      db,
      [0, 1, 2].map((i) => ({ id: `p${i}`, closedAt: closedAt + i, category: 'Health' })),
    );
    const read: string[] = [];
    db.on('query', ({ sql, bindings }: { sql: string; bindings: string[] }) => {
      if (/from .ballot_options/.test(sql)) read.push(...bindings);
    });
    const listsOf = async (data: PageData) => [
      await data.newestReports(2),
      await data.archive(),
      await data.topic('category', 'health'),
      await data.poll('p1'),
    ];
    const lists = await listsOf(pageData({ db, clock, settings, readPolls: pollsReadOnce(db) }));
    expect(read.toSorted()).toEqual(['p0', 'p1', 'p2']);
    expect(lists).toEqual(await listsOf(dataOf(db)));
  });

  test('[D6.4] pages show the newest public community polls and the featured ones, without data about members', async () => {
    const { db } = await open();
    const app = await startTestApp(db);
    const anna = await registered(app, 'anna', { firstName: 'Anna', lastName: 'Petrova' });
    for (let i = 0; i < 8; i++) {
      app.clock.set(testNow + i * 1_000);
      await made(anna, { question: `Public ${i}?`, description: 'long '.repeat(400) });
    }
    const hidden = [
      await made(anna, { question: 'Unlisted?', visibility: 'unlisted' }),
      await made(anna, { question: 'Private?', visibility: 'private' }),
    ].map(({ id }) => id);
    const oldest = await db('community_polls').where({ question: 'Public 0?' }).first<{ id: string }>('id');
    await db('community_polls').where({ id: oldest.id }).update({ featured: true });
    // A manual database change can't publish a non-public poll.
    await db('community_polls').whereIn('id', hidden).update({ featured: true });
    await castVote(visitor(app), oldest.id);
    await app.close();
    const data = dataOf(db);
    const community = await data.community();
    expect(community.polls.map(({ question }) => question)).toEqual([7, 6, 5, 4, 3, 2].map((i) => `Public ${i}?`));
    expect(community.featured).toMatchObject([{ question: 'Public 0?', totalVotes: 1, visibility: 'public' }]);
    for (const { description } of community.polls) expect(description.length).toBeLessThan(410);
    for (const secret of ['anna', 'Anna', 'Petrova', 'Unlisted?', 'Private?'])
      expect(JSON.stringify(community)).not.toContain(secret);
    const listed = await data.sitemapBucket('community', 1);
    expect(listed.map(({ changedAt }) => changedAt)).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((i) => new Date(testNow + i * 1_000).toISOString()),
    );
    for (const id of hidden) expect(JSON.stringify([listed, await addressesOf(db)])).not.toContain(id);
  });

  test('the sitemap lists so many reports per file, oldest first, that a closing poll changes the last file only', async () => {
    const { db } = await open();
    const bucketSize = 3;
    const closed = (i: number) => ({ id: `p${i}`, startsAt: closedAt - minute, closedAt: closedAt + i });
    await seedPolls(db, [0, 1, 2, 3].map(closed));
    await db('polls').where({ id: 'p0' }).update({ updated_at: testNow });
    const data = pageData({ db, clock, settings, bucketSize });
    const first = await data.sitemapBucket('reports', 1);
    expect(first).toEqual([
      { id: 'p0', changedAt: new Date(testNow).toISOString() },
      { id: 'p1', changedAt: new Date(closedAt + 1).toISOString() },
      { id: 'p2', changedAt: new Date(closedAt + 2).toISOString() },
    ]);
    const idsIn = async (number: number) => (await data.sitemapBucket('reports', number)).map(({ id }) => id);
    expect([await idsIn(2), await idsIn(3), await data.sitemapBuckets('reports')]).toEqual([['p3'], [], 2]);
    const all = await Array.fromAsync(addresses({ db, clock, bucketSize }, []));
    expect(all.filter((address) => address.startsWith('/sitemap'))).toEqual([
      '/sitemap-reports-1.xml',
      '/sitemap-reports-2.xml',
    ]);
    await seedPolls(db, [closed(4)]);
    expect([await data.sitemapBucket('reports', 1), await idsIn(2)]).toEqual([first, ['p3', 'p4']]);
  });

  test('[D8.1 D8.2 D8.3] pages show every article as its file has it, and the static pages with the settings filled in', async () => {
    const { db } = await open();
    await loadContent({ db, clock });
    const data = dataOf(db);
    const articles = await data.articles();
    const app = await startTestApp(db);
    expect(articles).toEqual(await (await app.fetch('/api/blogs')).json());
    await app.close();
    expect(articles.length).toBeGreaterThanOrEqual(14);
    const { slug } = articles[0]!;
    expect(await addressesOf(db)).toEqual(
      expect.arrayContaining(['/about', `/blog/${slug}`, `/blog/${slug}.png`, '/blog/category/samples']),
    );
    await db('blog_posts').where({ slug }).update({ category: 'Old ones', title: 'Changed by hand' });
    await loadContent({ db, clock });
    const pages = await contentPages({ db, clock }, `content/blog/${slug}.md`);
    expect(pages).toEqual(
      expect.arrayContaining([`/blog/${slug}`, '/blog/category/samples', '/blog', '/blog/rss.xml']),
    );
    expect(pages.filter((one) => one.endsWith('.png'))).toEqual([`/blog/${slug}.png`]);
    const left = await waitingPages(db).where('kind', 'page').pluck<string[]>('key');
    expect(left).toContain('/blog/category/old-ones');
    expect((await data.articles())[0]).toEqual(articles[0]);
    expect(await contentPages({ db, clock }, 'content/legal/terms.md')).toEqual(['/terms']);
    expect((await data.staticPage('terms')).content).toContain('The Cock &amp; Arrow');
    expect((await data.staticPage('about')).content).toContain('mailto:a_b@example.org');
  });

  test('a page is refused when a row violates the contract, with the poll and the reason', async () => {
    const { db } = await open();
    await seedPolls(db, [{ id: 'odd', closedAt }]);
    await db('polls').where({ id: 'odd' }).update({ country_breakdown: '[{"name":"France","percentage":140}]' });
    await expect(dataOf(db).poll('odd')).rejects.toThrow(/page of poll “odd” doesn’t match the contract: Percentage/);
  });
});
