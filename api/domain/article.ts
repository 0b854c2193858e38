import { articleExcerpt } from '#api/content/blog/blog.contract.ts';
import type { BlogPost } from '#api/content/blog/blog.contract.ts';
import * as limits from '#contract/limits.ts';
import { byName } from './by-name.ts';
import { topicSlug } from './topics.ts';
import { isBlank } from './visible-text.ts';

/** Words read per minute, for the reading time. */
const readingWordsPerMinute = 220;

/** A heading of a long text. */
interface OutlineEntry {
  readonly id: string;
  /** Text without markup; characters that HTML escapes are plain. */
  readonly text: string;
  readonly level: 2 | 3;
}

/** The headings of a rendered article, in order. */
export function outlineOf(html: string): OutlineEntry[] {
  return [...html.matchAll(/<h([23])\b[^>]*\bid="([^"]+)"[^>]*>(.*?)<\/h\1>/gs)].map(([, level, id, inner]) => ({
    id: id ?? '',
    text: plainText(inner ?? ''),
    level: level === '2' ? 2 : 3,
  }));
}

/** Reading time in minutes, at least one; notes and figures don’t count. */
export function readingMinutes(html: string): number {
  const read = html.replace(/<(figure|section)\b.*?<\/\1>/gs, ' ');
  const words = plainText(read.replaceAll('<', ' <')).match(/[\p{L}\p{N}][\p{L}\p{N}’'.,-]*/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / readingWordsPerMinute));
}

/** Up to `most` other articles: featured first, then newest first. `posts` are newest first. */
export function relatedArticles(
  posts: readonly BlogPost[],
  slug: string,
  most: number = limits.relatedArticles,
): BlogPost[] {
  const others = posts.filter((post) => post.slug !== slug);
  return [...others.filter(({ featured }) => featured), ...others.filter(({ featured }) => !featured)].slice(0, most);
}

/** A category with its slug and its number of articles. */
interface ArticleCategory {
  readonly name: string;
  readonly slug: string;
  readonly count: number;
}

/** The categories of the articles, the largest first. Names with the same slug are one, as most of its articles write it. */
export function categoriesOf(posts: readonly Pick<BlogPost, 'category'>[]): ArticleCategory[] {
  return [...Map.groupBy(posts, ({ category }) => topicSlug(category))]
    .map(([slug, members]) => ({
      name: commonest(members.map(({ category }) => category)),
      slug,
      count: members.length,
    }))
    .sort((a, b) => b.count - a.count || byName(a.name, b.name));
}

/** The name that occurs most often; of several, the first in the alphabet. */
function commonest(names: readonly string[]): string {
  const counted = [...Map.groupBy(names, (name) => name)].map(([name, same]) => ({ name, count: same.length }));
  counted.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return counted[0]?.name ?? '';
}

/**
 * The excerpt of an article that has none of its own: the beginning of its first paragraph with words, or else its title.
 */
export function excerptOf(html: string, title: string): string {
  const read = html.replace(/<(figure|section|pre|table|sup)\b.*?<\/\1>/gs, ' ');
  const paragraphs = read
    .split('</p>')
    .slice(0, -1)
    .map((part) => plainText(part.slice(Math.max(0, part.lastIndexOf('<p')))));
  const text = [...paragraphs, plainText(read), title].find((one) => !isBlank(one)) ?? title;
  if (text.length <= articleExcerpt) return text;
  const cut = text.slice(0, articleExcerpt - 1).toWellFormed();
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > 0 ? end : undefined).replace(/[\s,;:.–—-]+$/u, '')}…`;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

/** The text of HTML without markup. */
function plainText(html: string): string {
  return html
    .replace(/<[^<>]*>/g, '')
    .replace(/&(#?\w+);/g, (all, name: string) => entities[name.toLowerCase()] ?? all)
    .replace(/\s+/g, ' ')
    .trim();
}
