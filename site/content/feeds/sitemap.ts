import { sitemapBucketKinds } from '#api/publishing/page-data/page-data.contract.ts';
import type { PageData, SitemapBucketKind } from '#api/publishing/page-data/page-data.contract.ts';
import type { PollCard } from '#api/polls/polls.contract.ts';
import { allCategories } from '#contract/vocabulary.ts';
import { categoriesOf } from '#domain/article.ts';
import { seriesListAddress, topicAddress, topicSlug } from '#domain/topics.ts';
import { publicAddress } from '#site/site-config.ts';

/** The sitemap files that always exist; each name as in /sitemap-{name}.xml. Others are buckets, such as reports-1. */
export const sitemapNames = ['pages', 'blog'] as const;

const folders: Readonly<Record<SitemapBucketKind, string>> = { reports: '/poll', community: '/community-polls' };

/**
 * The pages that one sitemap file lists; null if it does not exist. Open polls are among `pages`. Only indexable pages: no legal pages, no member pages,
 * and only public community polls.
 */
export async function sitemapEntries(name: string, data: PageData): Promise<SitemapEntry[] | null> {
  switch (name) {
    case 'pages':
      return pages(data);
    case 'blog': {
      const posts = await data.articles();
      return [
        ...posts.map(({ slug, updatedAt }) => entry(`/blog/${slug}`, updatedAt)),
        ...categoriesOf(posts).map(({ slug }) => entry(`/blog/category/${slug}`)),
      ];
    }
  }
  const [, kind, number] = /^(reports|community)-([1-9]\d*)$/.exec(name) ?? [];
  if (kind === undefined) return null;
  const bucket = await data.sitemapBucket(kind as SitemapBucketKind, Number(number));
  if (bucket.length === 0) return null;
  return bucket.map(({ id, changedAt }) => entry(`${folders[kind as SitemapBucketKind]}/${id}`, changedAt));
}

async function pages(data: PageData): Promise<SitemapEntry[]> {
  const [open, posts, community] = await Promise.all([data.activePolls(), data.articles(), data.community()]);
  const { polls, categories, years } = await data.archive();
  const topics = [
    ...categories.filter((name) => name !== allCategories).map((name) => topicAddress('category', topicSlug(name))),
    ...years.map((year) => topicAddress('year', String(year))),
  ];
  const created = [...community.polls, ...community.featured].map(({ createdAt }) => ({ changedAt: createdAt }));
  return [
    entry('/', newest(changes(open))),
    entry('/historical', newest(polls.map((poll) => ({ changedAt: reportChangedAt(poll) })))),
    ...[...new Set(topics), seriesListAddress].map((address) => entry(address)),
    entry('/community-polls', newest(created)),
    entry('/blog', newest(changes(posts))),
    entry('/about'),
    entry('/integrity'),
    ...open.map(({ id, updatedAt }) => entry(`/poll/${id}`, updatedAt)),
  ];
}

/** The files of the sitemap. Buckets have no date: finding the newest of a thousand changes would read them all. */
export async function sitemapFiles(data: PageData): Promise<SitemapEntry[]> {
  const fixed = await Promise.all(
    sitemapNames.map(async (name) => entry(`/sitemap-${name}.xml`, newest((await sitemapEntries(name, data)) ?? []))),
  );
  const buckets = await Promise.all(
    sitemapBucketKinds.map(async (kind) =>
      Array.from({ length: await data.sitemapBuckets(kind) }, (_, index) => entry(`/sitemap-${kind}-${index + 1}.xml`)),
    ),
  );
  return [...fixed, ...buckets.flat()];
}

const changes = (pages: readonly { readonly updatedAt: string }[]) =>
  pages.map(({ updatedAt }) => ({ changedAt: updatedAt }));

const entry = (path: string, changedAt?: string): SitemapEntry => ({
  address: publicAddress(path),
  ...(changedAt !== undefined && { changedAt }),
});

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

/** When the report of a closed poll last changed: closing a poll changes its page. */
export const reportChangedAt = ({ updatedAt, closedAt }: Pick<PollCard, 'updatedAt' | 'closedAt'>): string =>
  closedAt !== null && closedAt > updatedAt ? closedAt : updatedAt;
