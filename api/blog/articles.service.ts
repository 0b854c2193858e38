import type { BlogPost } from '#contract/blog.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { readArticles } from './article-files.ts';
import type { Article } from './article-files.ts';
import { presentPost } from './blog.presenter.ts';
import type { BlogPostRow } from './blog.presenter.ts';
import { allPosts, publishedPosts, savePosts, unpublishPosts } from './blog.queries.ts';

/**
 * Makes `blog_posts` say what the files of content/blog say: new and changed articles are written, those whose file is
 * gone are no longer published. Writes nothing when nothing has changed. Throws, before anything is written, when an
 * article is wrong; the message names file, line and reason.
 */
export async function publishArticles(options: {
  readonly db: Database;
  readonly clock: Clock;
  /** For tests. */
  readonly folder?: string;
}): Promise<void> {
  const { db, clock, folder } = options;
  const wanted = (await readArticles(folder)).map((article) => rowOf(article, clock.now()));
  const rows = await allPosts(db);
  const known = new Map(rows.map((row) => [row.slug, row]));
  const changed = wanted.filter((row) => !isSame(row, known.get(row.slug)));
  const slugs = new Set(wanted.map(({ slug }) => slug));
  const gone = rows.filter(({ slug, published }) => Boolean(published) && !slugs.has(slug)).map(({ slug }) => slug);
  if (changed.length === 0 && gone.length === 0) return;
  await db.transaction(async (trx) => {
    await savePosts(trx, changed);
    await unpublishPosts(trx, gone);
  });
}

/** Every published article, newest first, for other rooms. */
export async function publishedArticles(db: Database): Promise<BlogPost[]> {
  return (await publishedPosts(db)).map(presentPost);
}

function rowOf(article: Article, now: number): Omit<BlogPostRow, 'id'> {
  const { slug, title, excerpt, content, category, author, tags, featured, publishedAt, updatedAt } = article;
  return {
    slug,
    title,
    excerpt,
    content,
    category,
    author,
    tags: JSON.stringify(tags),
    featured,
    published: true,
    published_at: Date.parse(publishedAt),
    created_at: now,
    updated_at: Date.parse(updatedAt ?? publishedAt),
  };
}

/** Whether the row already says what the file says. */
function isSame(wanted: Omit<BlogPostRow, 'id'>, row: BlogPostRow | undefined): boolean {
  if (!row) return false;
  const said = (post: BlogPostRow) => JSON.stringify({ ...presentPost(post), id: 0, createdAt: '' });
  return said(row) === said({ ...wanted, id: 0 });
}
