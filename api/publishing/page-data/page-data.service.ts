import { setImmediate as nextTurn } from 'node:timers/promises';
import { blogPostSchema } from '#api/content/blog/blog.contract.ts';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { interventionListSchema } from '#api/integrity/interventions/interventions.contract.ts';
import * as limits from '#contract/limits.ts';
import { communityListsSchema, reportRecordSchema, sitemapBucketSize } from './page-data.contract.ts';
import type { PageData, SitemapBucketKind } from './page-data.contract.ts';
import { historicalPageSchema, pollSchema, statisticsSchema } from '#api/polls/polls.contract.ts';
import { seriesPageSchema } from '#api/polls/topics/series.contract.ts';
import { topicPageSchema } from '#api/polls/topics/topics.contract.ts';
import { communityCard } from '#domain/community-card.ts';
import { HttpError } from '#platform/errors.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { compileSchema } from '#platform/validation.ts';
import { fieldErrors } from '#texts/field-errors.ts';
import {
  articleAddresses,
  isArticleGone,
  pagesOfArticle,
  publishedArticles,
} from '#api/content/blog/articles.service.ts';
import type { PageSettings } from '#api/content/blog/static-pages.service.ts';
import { imageWith } from '#api/content/images.service.ts';
import { pagePictures, publishedPage } from '#api/content/publication.service.ts';
import { interventionList } from '#api/integrity/interventions/interventions.service.ts';
import {
  featuredList,
  listCount,
  listPage,
  publicListPage,
  publicPollChanges,
  publicPollCount,
} from '#api/polls/community/community-polls.service.ts';
import {
  activePollsFor,
  archivePage,
  archiveTotal,
  newestReports,
  pagedPollIds,
  pollPages,
  reportTimes,
} from '#api/polls/polls.service.ts';
import { deletedPoll, previewedPoll } from '#api/polls/drafts.service.ts';
import type { PollsContext } from '#api/polls/polls.service.ts';
import { allTopicAddresses, seriesPage, topicPage } from '#api/polls/topic-lists.service.ts';
import { searchPage } from '#api/search/search.service.ts';
import { statisticsNow } from '#api/voting/statistics.service.ts';
import { readFeedStart } from './feed-start.service.ts';

interface PageSource {
  readonly db: Database;
  readonly clock: Clock;
  /** For tests. */
  readonly bucketSize?: number;
}

interface PageDataOptions extends PageSource {
  /** The settings that static pages name. */
  readonly settings: PageSettings;
  readonly readPolls?: PollsContext['readPolls'];
  /** Whether the reader has the preview link of a poll. */
  readonly mayPreview?: (id: string) => boolean;
}

/** Reads what a page shows from the database, as an anonymous reader sees it. */
export function pageData({
  db,
  clock,
  settings,
  readPolls,
  bucketSize = sitemapBucketSize,
  mayPreview = () => false,
}: PageDataOptions): PageData {
  const context = { db, clock, readPolls };
  const report = together((ids) => pollPages(context, ids));
  return {
    now: iso(clock.now()),
    statistics: async () => checked(statisticsSchema, await statisticsNow(db, clock.now()), 'The headline figures'),
    interventions: async () =>
      checked(interventionListSchema, await interventionList(db, clock.now()), 'The decisions about votes'),
    activePolls: async () => checked(pollsSchema, await activePollsFor(context, null), 'The open polls'),
    async poll(id) {
      const page = await report(id);
      if (page) return checked(reportRecordSchema, page, `The page of poll “${id}”`);
      const gone = await deletedPoll(db, id);
      return gone && { gone };
    },
    async preview(id) {
      if (!mayPreview(id)) return null;
      const poll = await previewedPoll(context, id).catch((error: unknown) => {
        if (error instanceof HttpError) return null;
        throw error;
      });
      return poll && { poll, related: (await report(id))?.related ?? [] };
    },
    async archive(query = { page: 1, limit: limits.historicalPageSize, sort: 'newest' }) {
      return checked(historicalPageSchema, await archivePage(context, query), 'A page of the archive');
    },
    async topic(kind, slug, number = 1) {
      const page = await topicPage(context, kind, slug, number);
      return page && checked(topicPageSchema, page, `The list of the ${kind} “${slug}”`);
    },
    async seriesList(number = 1) {
      const page = await seriesPage(context, number);
      return page && checked(seriesPageSchema, page, 'The list of series');
    },
    newestReports: async (count) =>
      checked(pollsSchema, await newestReports(context, count), 'The most recently closed polls'),
    feedStart: async () => (await readFeedStart(db)) ?? { publicUrl: settings.publicUrl, at: iso(clock.now()) },
    async community() {
      const first = { limit: limits.communityPageSize, offset: 0 };
      const lists = {
        featured: (await featuredList(context, null)).map(communityCard),
        polls: (await publicListPage(context, first)).map(communityCard),
        total: await publicPollCount(db),
      };
      return checked(communityListsSchema, lists, 'The lists of community polls');
    },
    async communityPage({ limit = limits.communityPageSize, offset = 0, sort, category, state }) {
      const filter = { category, state, of: { visibility: 'public' } } as const;
      const [polls, total] = await Promise.all([
        listPage(context, filter, { limit, offset }, sort, null),
        listCount(context, filter, sort, null),
      ]);
      const card = (poll: CommunityPoll) => {
        const { createdByName, createdByUsername } = poll;
        return { ...communityCard(poll), createdByName, createdByUsername };
      };
      return { polls: polls.map(card), total };
    },
    search: (view) => searchPage({ db, clock }, view),
    articles: async () => checked(articlesSchema, await publishedArticles(db), 'The articles'),
    isArticleGone: (slug) => isArticleGone(db, slug),
    contentImage: (name) => imageWith(db, name),
    staticPage: (name) => publishedPage(db, name, settings),
    async sitemapBuckets(kind) {
      const pages = kind === 'reports' ? await archiveTotal(db) : await publicPollCount(db);
      return Math.ceil(pages / bucketSize);
    },
    async sitemapBucket(kind, number) {
      const limit = bucketSize;
      if (kind === 'reports') return reportTimes(db, { page: number, limit });
      return publicPollChanges(db, { limit, offset: (number - 1) * limit });
    },
  };
}

/** The same data with each list read once, however many pages show it. Each poll and bucket is on one page. */
export function listsReadOnce(data: PageData): PageData {
  const results = new Map<string, unknown>();
  const once =
    <Args extends readonly unknown[], T>(name: keyof PageData, read: (...args: Args) => T) =>
    (...args: Args): T => {
      const key = JSON.stringify([name, ...args]);
      if (!results.has(key)) results.set(key, read(...args));
      return results.get(key) as T;
    };
  return {
    ...data,
    statistics: once('statistics', () => data.statistics()),
    activePolls: once('activePolls', () => data.activePolls()),
    archive: once('archive', (query?: Parameters<PageData['archive']>[0]) => data.archive(query)),
    newestReports: once('newestReports', (count: number) => data.newestReports(count)),
    community: once('community', () => data.community()),
    articles: once('articles', () => data.articles()),
  };
}

/**
 * The address of every pre-rendered page, `fixed` ones of the code build first. Reads one batch of polls at a time. A poll
 * that starts, ends, or is deleted meanwhile may be missing or listed although it has no page.
 */
export async function* addresses(
  { db, clock, bucketSize = sitemapBucketSize }: PageSource,
  fixed: readonly string[],
): AsyncGenerator<string> {
  yield* fixed;
  yield* await articleAddresses(db);
  yield* await pagePictures(db);
  for (const { id } of await activePollsFor({ db, clock }, null)) yield `/poll/${id}.png`;
  for await (const id of pagedPollIds({ db, clock })) yield `/poll/${id}`;
  yield* allTopicAddresses(db);
  const buckets: Record<SitemapBucketKind, number> = {
    reports: await archiveTotal(db),
    community: await publicPollCount(db),
  };
  for (const [kind, pages] of Object.entries(buckets))
    for (let number = 1; (number - 1) * bucketSize < pages; number++) yield `/sitemap-${kind}-${number}.xml`;
}

/** The pages that list articles. */
const articleLists = [
  '/blog',
  '/blog/rss.xml',
  '/blog/atom.xml',
  '/sitemap-blog.xml',
  '/sitemap-pages.xml',
  '/sitemap.xml',
];

/** The addresses that may show a change of a text, named by its file such as `content/blog/a-tie.md`. */
export async function contentPages({ db }: PageSource, file: string): Promise<string[]> {
  const [, page] = /^content\/(?:legal|pages)\/([\w-]+)\.md$/.exec(file) ?? [];
  if (page !== undefined) return [`/${page}`, ...(await pagePictures(db))];
  const [, slug] = /^content\/blog\/([\w-]+)\.md$/.exec(file) ?? [];
  return slug === undefined ? [] : [...(await pagesOfArticle(db, slug)), ...articleLists];
}

/** Those of these addresses of polls, articles, and pictures that don’t exist any more. */
export async function goneAddresses({ db }: PageSource, wanted: readonly string[]): Promise<string[]> {
  const pollOf = (address: string) => /^\/poll\/([^/.]+)(?:\.png)?$/.exec(address)?.[1];
  const ids = wanted.flatMap((address) => pollOf(address) ?? []);
  const polls = new Set(await db('ballots').whereIn('id', ids).pluck('id'));
  const texts = new Set([...articleLists, ...(await articleAddresses(db)), ...(await pagePictures(db))]);
  return wanted.filter((address) => {
    const id = pollOf(address);
    return id === undefined ? /^\/(blog|images)\//.test(address) && !texts.has(address) : !polls.has(id);
  });
}

/** Batches all calls in one turn of the event loop into one call of `read`; null for what it doesn’t return. */
function together<T>(read: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
  let next: { readonly keys: string[]; readonly read: Promise<ReadonlyMap<string, T>> } | null = null;
  return async (key: string): Promise<T | null> => {
    if (next === null) {
      const keys: string[] = [];
      const all = nextTurn().then(() => {
        next = null;
        return read(keys);
      });
      next = { keys, read: all };
    }
    next.keys.push(key);
    return (await next.read).get(key) ?? null;
  };
}

const pollsSchema = { type: 'array', items: pollSchema };
const articlesSchema = { type: 'array', items: blogPostSchema };

/** The value, if it matches the contract. Schemas are compiled when first needed, so that a renderer starts sooner. */
function checked<T>(schema: object, value: T, what: string): T {
  const validate = compileSchema<T>(schema, 'json');
  if (validate(value)) return value;
  const reasons = fieldErrors(validate.errors).map(({ message }) => message.replace(/\.?$/, '.'));
  throw new Error(`${what} doesn’t match the contract: ${reasons.join(' ')} Correct the row in the database.`);
}
