import type { BlogPost } from '#contract/blog.ts';
import { iso } from '#platform/clock.ts';

/** A row of `blog_posts`. `content` is HTML, `tags` is JSON, times are milliseconds since 1970. */
export interface BlogPostRow {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly content: string;
  readonly category: string;
  readonly author: string;
  readonly tags: string;
  readonly featured: boolean | 0 | 1;
  readonly published: boolean | 0 | 1;
  readonly published_at: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** An article as everybody sees it. */
export function presentPost(row: BlogPostRow): BlogPost {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    excerpt: row.excerpt,
    content: row.content,
    category: row.category,
    author: row.author,
    tags: JSON.parse(row.tags) as string[],
    featured: Boolean(row.featured),
    published: Boolean(row.published),
    publishedAt: iso(row.published_at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  };
}
