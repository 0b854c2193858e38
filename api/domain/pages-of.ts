import * as limits from '#contract/limits.ts';
import { sitemapBucketSize } from '#api/publishing/page-data/page-data.contract.ts';
import type { ChangeEvent, changeKinds } from '#api/publishing/publishing.contract.ts';
import { seriesListAddress, topicOf } from './topics.ts';

/**
 * What can change on pages.
 *
 * - `poll`: a poll opened, closed, was added, reopened, or deleted, or an open one was edited.
 * - `report`: the report of a closed poll changed, or which of its votes are counted, but not its place in the archive.
 * - `community`: a public community poll was created, closed, featured, or deleted.
 * - `related`: the most voted polls of a category changed, so the related polls of its reports did.
 * - `page`: one page; the key is its address.
 * - `content`: an article, a static page, or a legal page changed; the key is its file.
 * - `site`: everything; the key is the reason.
 */
export type ChangeKind = (typeof changeKinds)[number];

/** A change; `key` is the id of the poll, or the category. */
export interface Change {
  readonly kind: ChangeKind;
  readonly key: string;
  /** What happened, for the operator. */
  readonly event?: ChangeEvent | null;
}

/** Where the changed thing is now. */
export interface ChangeFacts {
  /**
   * The place among closed polls by their ends, or among public community polls by their creation, from 1 for the oldest;
   * null if it is not among them (any more).
   */
  readonly place: number | null;
  /** How many there are. */
  readonly total: number;
  /**
   * The addresses of the lists by category, tag, series, and year that show the change of a closed poll: of a report, those
   * that have it on their first page.
   */
  readonly topics?: readonly string[];
  /** Whether there were decisions about its votes. */
  readonly isDecided?: boolean;
}

/** Events after which a poll may have been at another place among the closed ones; null: unknown. */
const moving: ReadonlySet<ChangeEvent | null> = new Set(['removed', 'reopened', 'restored', 'rescheduled', null]);

/** Entries of the feeds of reports. */
const feedEntries = 30;

const sitemap = (name: string) => `/sitemap-${name}.xml`;
const feeds = ['/historical/rss.xml', '/historical/atom.xml'];
/** The page with all totals, and the questions of polls with a decision about their votes. */
const integrity = '/integrity';

/**
 * The addresses that may show a change of a poll, pages before the lists that link to them. Some may not exist, before or
 * after. Changes of many pages (`related`, `content`, `site`) are not a poll’s.
 */
export function pagesOf(
  { kind, key, event = null }: Change,
  { place, total, topics = [], isDecided = false }: ChangeFacts,
): string[] {
  // The headline figures.
  const home = event === 'recounted' ? ['/'] : [];
  switch (kind) {
    case 'poll':
      return [
        `/poll/${key}`,
        `/poll/${key}.png`,
        ...['/', '/historical', integrity, ...feeds, ...withSeriesList(topics)],
        ...(moving.has(event)
          ? bucketsFrom('reports', null, total)
          : place === null
            ? []
            : event === 'edited'
              ? [bucket('reports', place)]
              : bucketsFrom('reports', place, total)),
        ...[sitemap('pages'), '/sitemap.xml'],
      ];
    case 'report': {
      const isOnFirstPage = place !== null && total - place < limits.historicalPageSize;
      const isInFeeds = place !== null && total - place < feedEntries;
      return [
        `/poll/${key}`,
        // It may have the latest result.
        ...(isOnFirstPage ? ['/'] : home),
        ...(isDecided || event === 'recounted' ? [integrity] : []),
        ...withSeriesList(topics),
        ...(isOnFirstPage ? ['/historical'] : []),
        ...(isInFeeds ? feeds : []),
        ...(place === null ? [] : [bucket('reports', place)]),
        ...(isOnFirstPage ? [sitemap('pages'), '/sitemap.xml'] : []),
      ];
    }
    case 'page':
      return withSeriesList([key]);
    case 'community':
      return [
        '/community-polls',
        ...home,
        integrity,
        ...bucketsFrom('community', place, total),
        sitemap('pages'),
        '/sitemap.xml',
      ];
    default:
      return [];
  }
}

/** These addresses, and that of the list of all series if they have one. */
const withSeriesList = (addresses: readonly string[]): string[] => [
  ...addresses,
  ...(addresses.some((address) => topicOf(address)?.kind === 'series') ? [seriesListAddress] : []),
];

const bucketNumber = (place: number) => Math.ceil(place / sitemapBucketSize);
const bucket = (name: string, place: number) => sitemap(`${name}-${bucketNumber(place)}`);

/**
 * The files of the sitemap that change when something enters or leaves at a place: its own and, because all later ones
 * move by one place, those after it. One more, because the last may be empty now.
 */
function bucketsFrom(name: string, place: number | null, total: number): string[] {
  const first = bucketNumber(place ?? 1);
  const last = Math.max(1, bucketNumber(total)) + (place === null ? 1 : 0);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => sitemap(`${name}-${first + index}`));
}

/** Whether this is a file of the sitemap, of which a change of many polls, or of an old one, may change very many. */
export const isOfSitemap = (address: string): boolean => /^\/sitemap(-[\w-]+)?\.xml$/.test(address);

/** Lists that are rendered after an import, each batch of which may change all of them. */
export const isLateList = (address: string): boolean =>
  isOfSitemap(address) || topicOf(address) !== null || address === seriesListAddress;

/** The order in which a publish moves names: pages, then the lists that link to them, then what is gone. */
export function publishOrder(address: string, isGone: boolean): number {
  if (isGone) return 3;
  if (/^\/sitemap|\/(rss|atom)\.xml$/.test(address)) return 2;
  return /^\/($|historical(\/|$)|integrity$|community-polls$|blog$|blog\/category\/)/.test(address) ? 1 : 0;
}
