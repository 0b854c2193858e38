import { categoryLabel } from '#domain/poll-results.ts';
import { reportProse } from '#domain/report-wording.ts';
import { articles, reportPage, siteSnapshot } from '#site/snapshot/read-snapshot.ts';
import { publicAddress, siteConfig } from '#site/site-config.ts';
import { feedTexts } from '#texts/feeds.ts';
import { reportTexts } from '#texts/report.ts';
import { closedPolls } from './closed-polls.ts';
import type { FeedContent } from './feed.ts';
import { newest } from './sitemap.ts';

/** Entries of a feed. */
const feedEntries = 30;

const nothingYet = () => siteSnapshot().createdAt;

/** The last polls to close, each with its result. */
export function reportsFeed(): FeedContent {
  const polls = closedPolls().slice(0, feedEntries);
  return {
    title: feedTexts.reports.title(siteConfig.siteName),
    description: feedTexts.reports.description,
    address: publicAddress(feedTexts.reports.path),
    siteName: siteConfig.siteName,
    updatedAt: newest(polls) ?? nothingYet(),
    entries: polls.map(({ id, closedAt, changedAt }) => {
      const { poll } = reportPage(id);
      return {
        title: poll.question,
        address: publicAddress(`/poll/${id}`),
        summary: reportProse(poll, reportTexts.wording).summary,
        author: poll.author ?? siteConfig.siteName,
        ...(poll.category && { category: categoryLabel(poll.category) }),
        publishedAt: closedAt,
        updatedAt: changedAt,
      };
    }),
  };
}

/** The newest articles in full. */
export function articlesFeed(): FeedContent {
  const posts = articles().slice(0, feedEntries);
  return {
    title: feedTexts.blog.title(siteConfig.siteName),
    description: feedTexts.blog.description,
    address: publicAddress(feedTexts.blog.path),
    siteName: siteConfig.siteName,
    updatedAt: newest(posts.map(({ updatedAt }) => ({ changedAt: updatedAt }))) ?? nothingYet(),
    entries: posts.map((post) => {
      const address = publicAddress(`/blog/${post.slug}`);
      return {
        title: post.title,
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

/** Links of a text that is read elsewhere: paths and places within the page become full addresses. */
export function withFullAddresses(html: string, address: string): string {
  const { origin } = new URL(address);
  return html.replace(/(\s(?:href|src)=")([/#][^"]*)"/g, (all, before: string, path: string) => {
    if (path.startsWith('//')) return all;
    return `${before}${path.startsWith('#') ? address : origin}${path}"`;
  });
}
