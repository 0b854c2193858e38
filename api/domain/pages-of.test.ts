import { expect, test } from 'vitest';
import { sitemapBucketSize } from '#contract/page-data.ts';
import type { ChangeEvent } from '#contract/publishing.ts';
import { pagesOf, publishOrder } from './pages-of.ts';

const of = (kind: 'poll' | 'report' | 'community', place: number | null, total: number) =>
  pagesOf({ kind, key: 'tea' }, { place, total });

test('a poll that closes changes its page, the home page, the archive, the feeds, and the last part of the sitemap', () => {
  expect(of('poll', 2_500, 2_500)).toEqual([
    '/poll/tea',
    '/poll/tea.png',
    '/',
    '/historical',
    '/integrity',
    '/historical/rss.xml',
    '/historical/atom.xml',
    '/sitemap-reports-3.xml',
    '/sitemap-polls.xml',
    '/sitemap-pages.xml',
    '/sitemap.xml',
  ]);
});

test('a poll that enters in the middle of the archive, or leaves it, moves all later ones by a place', () => {
  const parts = (place: number | null) => of('poll', place, 3_000).filter((page) => page.includes('reports-'));
  expect(parts(1_001)).toEqual(['/sitemap-reports-2.xml', '/sitemap-reports-3.xml']);
  // The last part may have lost its only entry.
  expect(parts(null)).toEqual([1, 2, 3, 4].map((number) => `/sitemap-reports-${number}.xml`));
});

test('a poll that opens, or is edited while it is open, leaves the sitemap of reports alone', () => {
  const parts = (event: ChangeEvent) =>
    pagesOf({ kind: 'poll', key: 'tea', event }, { place: null, total: 3_000 }).filter((page) =>
      page.includes('reports-'),
    );
  for (const event of ['created', 'opened', 'edited', 'imported'] as const) expect(parts(event)).toEqual([]);
  for (const event of ['removed', 'reopened', 'restored'] as const) expect(parts(event)).toHaveLength(4);
});

test('an old report that is edited changes its page and one part of the sitemap, at any size of the archive', () => {
  expect(of('report', 7, 100)).toEqual(['/poll/tea', '/integrity', '/sitemap-reports-1.xml']);
  expect(of('report', 7, 100_000)).toEqual(of('report', 7, 100));
  expect(of('report', 2 * sitemapBucketSize, 100_000)).toEqual(['/poll/tea', '/integrity', '/sitemap-reports-2.xml']);
});

test('a recent report that is edited also changes the archive’s first page and the feeds', () => {
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
  expect(of('community', 1_001, 1_001)).toEqual([
    '/community-polls',
    '/integrity',
    '/sitemap-community-2.xml',
    '/sitemap-pages.xml',
    '/sitemap.xml',
  ]);
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
