import { categoriesOf } from '#domain/article.ts';
import { articles, communityAddresses, siteSnapshot } from '#site/snapshot/read-snapshot.ts';
import { publicAddress } from '#site/site-config.ts';
import { closedPolls } from './closed-polls.ts';
import { newest } from './sitemap.ts';
import type { SitemapEntry } from './sitemap.ts';

/** Addresses in one file of the sitemap: search engines accept 50,000. */
const sitemapAddresses = 25_000;

/** A file of the sitemap: `name` as in /sitemap-{name}.xml. */
export interface SitemapPart {
  readonly name: string;
  readonly entries: readonly SitemapEntry[];
}

/**
 * The sitemap by kinds of pages, as far as there are any: only pages that may be found, so no legal texts, no pages of
 * members, no shells, and of community polls the public ones.
 */
export function sitemapParts(): SitemapPart[] {
  const { activePolls, community } = siteSnapshot();
  const posts = articles().map(({ slug, updatedAt }) => entry(`/blog/${slug}`, updatedAt));
  const categories = categoriesOf(articles()).map(({ slug }) => entry(`/blog/category/${slug}`));
  const reports = closedPolls().map(({ id, changedAt }) => entry(`/poll/${id}`, changedAt));
  const open = activePolls.map(({ id, updatedAt }) => entry(`/poll/${id}`, updatedAt));
  const communityPolls = communityAddresses().map(({ id, changedAt }) => entry(`/community-polls/${id}`, changedAt));
  const pages = [
    entry('/', newest([...open, ...reports])),
    entry('/historical', newest(reports)),
    entry(
      '/community-polls',
      newest([...communityPolls, ...community.polls.map(({ createdAt }) => ({ changedAt: createdAt }))]),
    ),
    entry('/blog', newest(posts)),
    entry('/about'),
  ];
  return [
    { name: 'pages', entries: pages },
    ...inFiles('polls', [...open, ...reports]),
    ...inFiles('blog', [...posts, ...categories]),
    ...inFiles('community', communityPolls),
  ];
}

const entry = (path: string, changedAt?: string): SitemapEntry => ({
  address: publicAddress(path),
  ...(changedAt !== undefined && { changedAt }),
});

/** One file, or several where there are more addresses than one may have: polls, polls-2, polls-3. */
export function inFiles(
  name: string,
  entries: readonly SitemapEntry[],
  size: number = sitemapAddresses,
): SitemapPart[] {
  const count = Math.ceil(entries.length / size);
  return Array.from({ length: count }, (_, place) => ({
    name: place === 0 ? name : `${name}-${place + 1}`,
    entries: entries.slice(place * size, (place + 1) * size),
  }));
}
