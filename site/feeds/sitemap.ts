import * as limits from '#contract/limits.ts';
import { categoriesOf } from '#domain/article.ts';
import { articles, communityAddresses, siteSnapshot, reportIndex, reportPage } from '#site/snapshot/read-snapshot.ts';
import { publicAddress } from '#site/site-config.ts';

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
  size: number = limits.sitemapAddresses,
): SitemapPart[] {
  const count = Math.ceil(entries.length / size);
  return Array.from({ length: count }, (_, place) => ({
    name: place === 0 ? name : `${name}-${place + 1}`,
    entries: entries.slice(place * size, (place + 1) * size),
  }));
}

/** A page in the sitemap. */
export interface SitemapEntry {
  /** Full address. */
  readonly address: string;
  /** When what it shows last changed (ISO 8601); left out where nobody can tell. */
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

/** One file of the sitemap. */
export const sitemapXml = (entries: readonly SitemapEntry[]) => list('urlset', 'url', entries);

/** The list of the sitemap's files; each is as new as the newest page in it. */
export const sitemapIndexXml = (entries: readonly SitemapEntry[]) => list('sitemapindex', 'sitemap', entries);

/** The newest moment of some pages; undefined where none is known. */
export function newest(entries: readonly { readonly changedAt?: string }[]): string | undefined {
  return entries.reduce<string | undefined>(
    (last, { changedAt }) => (changedAt !== undefined && (last === undefined || changedAt > last) ? changedAt : last),
    undefined,
  );
}

/** A closed poll as lists of all of them need it. */
export interface ClosedPoll {
  readonly id: string;
  /** When it closed, and when its report last changed (ISO 8601). */
  readonly closedAt: string;
  readonly changedAt: string;
}

let known: readonly ClosedPoll[] | undefined;

/** Every closed poll, the last to close first. Read once for a build: 10,000 records take a third of a second. */
export function closedPolls(): readonly ClosedPoll[] {
  known ??= reportIndex()
    .map(({ id }) => {
      const { closedAt, endsAt, updatedAt } = reportPage(id).poll;
      const closed = closedAt ?? endsAt;
      // A poll that closed after it was last edited has a new page since then.
      return { id, closedAt: closed, changedAt: updatedAt > closed ? updatedAt : closed };
    })
    .sort((a, b) => (a.closedAt === b.closedAt ? (a.id < b.id ? 1 : -1) : a.closedAt < b.closedAt ? 1 : -1));
  return known;
}
