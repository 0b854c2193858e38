import { Type } from 'typebox';
import type { BlogPost } from '#api/content/blog/blog.contract.ts';
import type { StaticPages } from '#api/content/blog/static-pages.contract.ts';
import type { QueryOf } from '#api/endpoints.contract.ts';
import type { InterventionList } from '#api/integrity/interventions/interventions.contract.ts';
import { communityCardSchema } from '#api/polls/community/community-polls.contract.ts';
import type { CommunityCard, CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import { pollSchema, relatedPollSchema, votesOverTimeSchema } from '#api/polls/polls.contract.ts';
import type { HistoricalPage, Poll, Statistics } from '#api/polls/polls.contract.ts';
import { seriesSchema } from '#api/polls/topics/series.contract.ts';
import type { SeriesPage } from '#api/polls/topics/series.contract.ts';
import type { TopicPage } from '#api/polls/topics/topics.contract.ts';
import type { SearchKind, SearchPage } from '#api/search/search.contract.ts';
import * as limits from '#contract/limits.ts';
import { named, nullable } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';
import type { TopicKind } from '#contract/vocabulary.ts';

/** One open or closed poll with the polls that its report links to; an open poll has none. */
export const reportRecordSchema = named('ReportRecord', {
  poll: pollSchema,
  related: Type.Array(relatedPollSchema, { maxItems: limits.relatedPolls }),
  overTime: nullable(votesOverTimeSchema, { description: 'Null if there are too few votes' }),
  series: nullable(seriesSchema, { description: 'Null if there is no other wave' }),
});
export type ReportRecord = Static<typeof reportRecordSchema>;

/** An operator deleted the poll: when (ISO 8601), why, and the poll that took its place. */
export interface GonePoll {
  readonly gone: { readonly at: string; readonly reason: string; readonly redirectTo: string | null };
}

/** Public community polls: featured and newest. */
export const communityListsSchema = named('CommunityLists', {
  featured: Type.Array(communityCardSchema),
  polls: Type.Array(communityCardSchema, { maxItems: limits.communityPageSize }),
  total: Type.Integer({ minimum: 0, description: 'Of all public polls' }),
});
export type CommunityLists = Static<typeof communityListsSchema>;

export type CreatedCard = CommunityCard & Pick<CommunityPoll, 'createdByName' | 'createdByUsername'>;

/** Addresses in one bucket of the sitemap: a changed poll changes a small file, and the list of buckets stays short. */
export const sitemapBucketSize = 250;

/** The pages that the sitemap lists in buckets: reports of closed polls, and public community polls. */
export const sitemapBucketKinds = ['reports', 'community'] as const;
export type SitemapBucketKind = (typeof sitemapBucketKinds)[number];

/** A page in the sitemap and when it last changed (ISO 8601). */
export interface ChangedPage {
  readonly id: string;
  readonly changedAt: string;
}

/** What the ids of feed entries are made of: the site’s first public address, and when it had that (ISO 8601). */
export interface FeedStart {
  readonly publicUrl: string;
  readonly at: string;
}

/**
 * What pages show: each reads what it needs, and no read takes longer because there are more polls. A
 * read rejects if a row violates the contract.
 */
export interface PageData {
  /** When the page is rendered (ISO 8601). */
  readonly now: string;
  statistics(): Promise<Statistics>;
  /** What became of all votes, and the newest decisions about them. */
  interventions(): Promise<InterventionList>;
  activePolls(): Promise<readonly Poll[]>;
  /** Null for a poll that has not started or never existed. */
  poll(id: string): Promise<ReportRecord | GonePoll | null>;
  /** Any poll, or draft of one, as it would be published now; null without its preview link. */
  preview(id: string): Promise<Pick<ReportRecord, 'poll' | 'related'> | null>;
  /** By default the archive’s first page. */
  archive(query?: QueryOf<'historicalPolls'>): Promise<HistoricalPage>;
  /** A page of a list of closed polls, by default the first; null if there is none. */
  topic(kind: TopicKind, slug: string, page?: number): Promise<TopicPage | null>;
  /** A page of the series with several closed polls, by default the first; null if there is none, except for the first. */
  seriesList(page?: number): Promise<SeriesPage | null>;
  /** The most recently closed polls. */
  newestReports(count: number): Promise<readonly Poll[]>;
  feedStart(): Promise<FeedStart>;
  community(): Promise<CommunityLists>;
  /** Another page of the public community polls, with the names of creators, which are never saved. */
  communityPage(
    query: QueryOf<'communityPolls'>,
  ): Promise<{ readonly polls: readonly CreatedCard[]; readonly total: number }>;
  search(view: { readonly q: string; readonly type: SearchKind | null; readonly page: number }): Promise<SearchPage>;
  /** Every published article, newest first, with its text as HTML. */
  articles(): Promise<readonly BlogPost[]>;
  /** Whether an article was published and is not any more. */
  isArticleGone(slug: string): Promise<boolean>;
  /** The WebP file of a picture in articles and pages; null if there is none. */
  contentImage(name: string): Promise<Buffer | null>;
  staticPage<Name extends keyof StaticPages>(name: Name): Promise<StaticPages[Name]>;
  /** How many buckets the sitemap has. */
  sitemapBuckets(kind: SitemapBucketKind): Promise<number>;
  /** A bucket by its number, from 1 for the oldest pages; empty for others. */
  sitemapBucket(kind: SitemapBucketKind, number: number): Promise<readonly ChangedPage[]>;
}

/** A request for a page that is not saved. */
export interface PageRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A submitted form. */
  readonly body: string | null;
  /** The visitor’s address. */
  readonly address: string;
  /** The poll whose preview link it is. */
  readonly previewOf: string | null;
}

/** A whole response. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}
