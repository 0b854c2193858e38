import { Feed } from 'feed';
import type { FeedStart, PageData } from '#api/publishing/page-data/page-data.contract.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { feedHtml, xmlText } from '#domain/feed-text.ts';
import { categoryLabel, chartSlices, percentOneDecimal, rankOptions } from '#domain/poll-results.ts';
import { reportProse } from '#domain/report-wording.ts';
import { withFigures } from '#domain/figure-sentences.ts';
import { publicAddress, siteConfig } from '#site/site-config.ts';
import { chartDescription } from '#site/ui/charts/result-svg.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { feedTexts } from '#texts/site.ts';
import { reportTexts } from '#texts/report.ts';
import { resultTexts } from '#texts/shell.ts';
import { newest, reportChangedAt } from './sitemap.ts';

/** Entries of a feed. */
const feedEntries = 30;
/** When a feed without entries changed: the time of its rendering would make it differ each time. */
const nothingYet = new Date(0).toISOString();

/** The formats of every feed, which are also the names of their files. */
export const feedFormats = ['rss', 'atom'] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** A feed and its entries. */
export interface FeedContent {
  readonly title: string;
  readonly description: string;
  readonly id: string;
  /** Full address of the list behind the feed. */
  readonly address: string;
  readonly siteName: string;
  /** When anything in it last changed (ISO 8601). */
  readonly updatedAt: string;
  readonly entries: readonly FeedEntry[];
}

interface FeedEntry {
  readonly title: string;
  /** Never changes, not even with the site’s address: readers would show the entry again. */
  readonly id: string;
  readonly address: string;
  readonly summary: string;
  /** HTML with full addresses in its links. */
  readonly content?: string;
  readonly author: string;
  readonly category?: string;
  readonly publishedAt: string;
  readonly updatedAt: string;
}

/** Some readers show RSS titles as plain text, so ampersands stay unescaped there. */
const asTitle = { rss: (text: string) => xmlText(text).replaceAll('<', '&lt;'), atom: feedHtml };

/** The feed as RSS 2.0 or Atom. */
export function feedXml(content: FeedContent, format: FeedFormat): string {
  const { title, description, id, address, siteName, updatedAt, entries } = content;
  const feed = new Feed({
    title,
    description,
    id,
    link: address,
    language: 'en-US',
    generator: siteName,
    author: { name: siteName },
    updated: new Date(updatedAt),
    feedLinks: { [format]: `${address}/${format}.xml` },
  });
  for (const entry of entries)
    feed.addItem({
      title: asTitle[format](entry.title),
      id: entry.id,
      link: entry.address,
      description: feedHtml(entry.summary),
      ...(entry.content !== undefined && { content: xmlText(entry.content) }),
      ...(format === 'atom' && { author: [{ name: xmlText(entry.author) }] }),
      ...(entry.category !== undefined && {
        category: [{ name: xmlText(entry.category), term: xmlText(entry.category) }],
      }),
      published: new Date(entry.publishedAt),
      date: new Date(format === 'rss' ? entry.publishedAt : entry.updatedAt),
    });
  return format === 'rss' ? feed.rss2() : feed.atom1();
}

/**
 * The permanent id of an entry: a tag URI (RFC 4151), or the first address of an entry that is older than the recorded
 * start, because that has been its id.
 */
function entryId({ publicUrl, at }: FeedStart, path: string, publishedAt: string): string {
  if (publishedAt < at) return publicUrl + path;
  return `tag:${new URL(publicUrl).hostname},${at.slice(0, 10)}:${path}`;
}

/** The most recently closed polls with their results. */
export async function reportsFeed(data: PageData): Promise<FeedContent> {
  const start = await data.feedStart();
  const polls = (await data.newestReports(feedEntries)).map((poll) => ({ poll, changedAt: reportChangedAt(poll) }));
  return {
    title: feedTexts.reports.title(siteConfig.siteName),
    description: feedTexts.reports.description,
    id: start.publicUrl + feedTexts.reports.path,
    address: publicAddress(feedTexts.reports.path),
    siteName: siteConfig.siteName,
    updatedAt: newest(polls) ?? nothingYet,
    entries: polls.map(({ poll, changedAt }) => ({
      title: poll.question,
      id: entryId(start, `/poll/${poll.id}`, poll.closedAt ?? poll.endsAt),
      address: publicAddress(`/poll/${poll.id}`),
      summary: withFigures(poll, reportProse(poll, reportTexts.wording).summary),
      content: reportContent(poll),
      author: poll.author ?? siteConfig.siteName,
      ...(poll.category && { category: categoryLabel(poll.category) }),
      publishedAt: poll.closedAt ?? poll.endsAt,
      updatedAt: changedAt,
    })),
  };
}

/**
 * A report for feed readers: its finding, its chart, and every answer. The chart is a picture, because most readers remove
 * SVG elements; its address changes with the result, because they cache it.
 */
function reportContent(poll: Poll): string {
  const { options, totalVotes } = poll;
  const finding = `<p>${feedHtml(withFigures(poll, reportProse(poll, reportTexts.wording).summary))}</p>`;
  if (totalVotes === 0) return finding;
  const slices = chartSlices(options, totalVotes, resultTexts.others);
  const version = options.map(({ votes }) => votes).join('-');
  const chart = `<p><img src="${publicAddress(`/poll/${poll.id}.svg?v=${version}`)}" alt="${feedHtml(chartDescription('pie', slices)).replaceAll('"', '&quot;')}" width="840"></p>`;
  const rows = rankOptions(options).map(
    ({ text, votes }) =>
      `<tr><td dir="auto">${feedHtml(text)}</td><td>${formatPercent(percentOneDecimal(votes, totalVotes), 1)}</td><td>${reportTexts.votes(votes, formatCount(votes))}</td></tr>`,
  );
  return `${finding}${chart}<table>${rows.join('')}</table>`;
}

/** The newest articles with their full text. */
export async function articlesFeed(data: PageData): Promise<FeedContent> {
  const start = await data.feedStart();
  const posts = (await data.articles()).slice(0, feedEntries);
  return {
    title: feedTexts.blog.title(siteConfig.siteName),
    description: feedTexts.blog.description,
    id: start.publicUrl + feedTexts.blog.path,
    address: publicAddress(feedTexts.blog.path),
    siteName: siteConfig.siteName,
    updatedAt: newest(posts.map(({ updatedAt }) => ({ changedAt: updatedAt }))) ?? nothingYet,
    entries: posts.map((post) => {
      const path = `/blog/${post.slug}`;
      const address = publicAddress(path);
      return {
        title: post.title,
        id: entryId(start, path, post.publishedAt),
        address,
        summary: post.excerpt,
        content: withFullAddresses(post.content, address),
        author: post.author,
        category: post.category,
        publishedAt: post.publishedAt,
        updatedAt: post.updatedAt,
      };
    }),
  };
}

/** Turns paths and fragments in links into full addresses. */
export function withFullAddresses(html: string, address: string): string {
  const { origin } = new URL(address);
  return html.replace(/(\s(?:href|src)=")([/#][^"]*)"/g, (all, before: string, path: string) => {
    if (path.startsWith('//')) return all;
    return `${before}${path.startsWith('#') ? address : origin}${path}"`;
  });
}
