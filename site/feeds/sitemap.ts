import { categoriesOf } from '#domain/article.ts';
import { articles, communityAddresses, siteSnapshot, reportIndex, reportPage } from '#site/snapshot/read-snapshot.ts';
import { publicAddress } from '#site/site-config.ts';

/** Addresses in one file of the sitemap: search engines accept 50,000. */
const sitemapAddresses = 25_000;

/** One sitemap file; `name` as in /sitemap-{name}.xml. */
interface SitemapPart {
  readonly name: string;
  readonly entries: readonly SitemapEntry[];
}

/**
 * The sitemap files by type of page. They list only indexable pages: no legal pages, no member pages, and only public
 * community polls.
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

/** One file, or several if there are too many addresses for one: polls, polls-2, polls-3. */
export function inFiles(
  name: string,
  entries: readonly SitemapEntry[],
  size: number = sitemapAddresses,
): SitemapPart[] {
  const count = Math.ceil(entries.length / size);
  return Array.from({ length: count }, (_, index) => ({
    name: index === 0 ? name : `${name}-${index + 1}`,
    entries: entries.slice(index * size, (index + 1) * size),
  }));
}

/** A page in the sitemap. */
export interface SitemapEntry {
  /** Full address. */
  readonly address: string;
  /** When the page last changed (ISO 8601); omitted if unknown. */
  readonly changedAt?: string;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (one) => escapes[one] ?? one);

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function list(root: string, item: string, entries: readonly SitemapEntry[]): string {
  const lines = entries.map(({ address, changedAt }) => {
    const changed = changedAt === undefined ? '' : `<lastmod>${changedAt}</lastmod>`;
    return `<${item}><loc>${escaped(address)}</loc>${changed}</${item}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${namespace}">\n${lines.join('')}</${root}>\n`;
}

/** One sitemap file. */
export const sitemapXml = (entries: readonly SitemapEntry[]) => list('urlset', 'url', entries);

/** The sitemap index; each file has the date of its newest page. */
export const sitemapIndexXml = (entries: readonly SitemapEntry[]) => list('sitemapindex', 'sitemap', entries);

/** The latest change of some pages; undefined if unknown. */
export function newest(entries: readonly { readonly changedAt?: string }[]): string | undefined {
  return entries.reduce<string | undefined>(
    (last, { changedAt }) => (changedAt !== undefined && (last === undefined || changedAt > last) ? changedAt : last),
    undefined,
  );
}

/** A closed poll in feeds and sitemap. */
interface ClosedPoll {
  readonly id: string;
  /** When it closed, and when its report last changed (ISO 8601). */
  readonly closedAt: string;
  readonly changedAt: string;
}

let cache: readonly ClosedPoll[] | undefined;

/** Every closed poll, most recently closed first. Read once per build: 10,000 records take a third of a second. */
export function closedPolls(): readonly ClosedPoll[] {
  cache ??= reportIndex()
    .map(({ id }) => {
      const { closedAt, endsAt, updatedAt } = reportPage(id).poll;
      const closed = closedAt ?? endsAt;
      // Closing a poll changes its page.
      return { id, closedAt: closed, changedAt: updatedAt > closed ? updatedAt : closed };
    })
    .sort((a, b) => (a.closedAt === b.closedAt ? (a.id < b.id ? 1 : -1) : a.closedAt < b.closedAt ? 1 : -1));
  return cache;
}
