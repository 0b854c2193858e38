import { expect, test } from 'vitest';
import { sitemapBucketSize } from '#api/publishing/page-data/page-data.contract.ts';
import type { ChangeEvent } from '#api/publishing/publishing.contract.ts';
import { isOfSitemap, pagesOf, publishOrder } from './pages-of.ts';

const size = sitemapBucketSize;

const of = (kind: 'poll' | 'report' | 'community', place: number | null, total: number, event?: ChangeEvent) =>
  pagesOf({ kind, key: 'tea', ...(event && { event }) }, { place, total });
const parts = (place: number | null, total: number, event?: ChangeEvent) =>
  of('poll', place, total, event).filter((page) => page.includes('reports-'));
const sitemapLists = ['/sitemap-pages.xml', '/sitemap.xml'];
const partsOf = (...numbers: number[]) => numbers.map((number) => `/sitemap-reports-${number}.xml`);

test('a poll that closes changes its page, the home page, the archive, the feeds, and the last part of the sitemap', () => {
  expect(of('poll', 2.5 * size, 2.5 * size, 'closed')).toEqual([
    '/poll/tea',
    '/poll/tea.png',
    '/',
    '/historical',
    '/integrity',
    '/historical/rss.xml',
    '/historical/atom.xml',
    '/sitemap-reports-3.xml',
    '/sitemap-pages.xml',
    '/sitemap.xml',
  ]);
});

test('a poll that enters in the middle of the archive, or leaves it, moves all later ones by a place', () => {
  expect(parts(size + 1, 3 * size, 'imported')).toEqual(partsOf(2, 3));
  // The last part may have lost its only entry.
  for (const event of ['removed', 'reopened', 'restored'] as const)
    expect(parts(null, 3 * size, event)).toEqual(partsOf(1, 2, 3, 4));
});

test('a closed poll whose end is moved by an import may have been in any part of the sitemap', () => {
  for (const event of ['rescheduled', 'restored'] as const)
    expect(parts(2 * size + 1, 3 * size, event)).toEqual(partsOf(1, 2, 3, 4));
  expect(parts(size + 1, 3 * size, 'edited')).toEqual(partsOf(2));
});

test('a poll that opens, or is edited while it is open, leaves the sitemap of reports alone', () => {
  for (const event of ['created', 'opened', 'edited', 'imported'] as const)
    expect(parts(null, 3 * size, event)).toEqual([]);
});

test('what changes a series changes the list of all series, too', () => {
  const list = '/historical/series';
  const facts = { place: 7, total: 100, topics: [`${list}/tea`] };
  expect(pagesOf({ kind: 'poll', key: 'a', event: 'closed' }, facts)).toContain(list);
  expect(pagesOf({ kind: 'report', key: 'a' }, facts)).toContain(list);
  expect(pagesOf({ kind: 'page', key: `${list}/tea` }, facts)).toEqual([`${list}/tea`, list]);
  expect(pagesOf({ kind: 'page', key: '/historical/tag/tea' }, facts)).toEqual(['/historical/tag/tea']);
});

test('an old report that is edited changes its page and one part of the sitemap, at any size of the archive', () => {
  expect(of('report', 7, 100)).toEqual(['/poll/tea', '/sitemap-reports-1.xml']);
  expect(of('report', 7, 100_000)).toEqual(of('report', 7, 100));
  expect(of('report', 2 * size, 100_000)).toEqual(['/poll/tea', '/sitemap-reports-2.xml']);
});

test('a report with a decision about its votes is also named on the page about integrity', () => {
  const facts = { place: 7, total: 100, isDecided: true };
  expect(pagesOf({ kind: 'report', key: 'tea', event: 'edited' }, facts)).toContain('/integrity');
});

test('a recent report that is edited also changes the home page, the archive’s first page, and the feeds', () => {
  expect(of('report', 100, 100).filter((page) => page === '/')).toHaveLength(1);
  expect(of('report', 7, 100)).not.toContain('/');
  expect(of('report', 100, 100)).toContain('/historical');
  expect(of('report', 100, 100)).toContain('/historical/rss.xml');
  expect(of('report', 100, 129)).toContain('/historical/rss.xml');
  expect(of('report', 100, 130)).not.toContain('/historical/rss.xml');
});

test('a decision about votes also changes the headline figures of the home page', () => {
  for (const kind of ['report', 'community'] as const)
    expect(pagesOf({ kind, key: 'tea', event: 'recounted' }, { place: 1, total: 100 })).toEqual(
      expect.arrayContaining(['/', '/integrity']),
    );
});

test('a community poll changes its list and the part of the sitemap that has it', () => {
  expect(of('community', size + 1, size + 1)).toEqual([
    '/community-polls',
    '/integrity',
    '/sitemap-community-2.xml',
    '/sitemap-pages.xml',
    '/sitemap.xml',
  ]);
});

test('files of the sitemap are known by their addresses', () => {
  const addresses = of('poll', 1, 1);
  expect(addresses.filter(isOfSitemap)).toEqual([...partsOf(1, 2), ...sitemapLists]);
});

test('pages are published before the lists that link to them, and removed after them', () => {
  const order = [
    ['/poll/tea', false],
    ['/blog/x', false],
    ['/historical', false],
    ['/blog/category/numbers', false],
    ['/sitemap-reports-1.xml', false],
    ['/poll/gone', true],
  ] as const;
  const places = order.map(([address, isGone]) => publishOrder(address, isGone));
  expect(places).toEqual([0, 0, 1, 1, 2, 3]);
});
