import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { indexArticles, unindexArticles } from '#api/search/search-index.service.ts';
import { articleHeadSchema, reservedSlugs, slugPattern } from '#contract/blog.ts';
import type { ArticleHead, BlogPost } from '#contract/blog.ts';
import { iso } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { compileSchema } from '#platform/validation.ts';
import { contentFileTexts as texts } from '#texts/content-files.ts';
import { BlogPostModel } from './blog-post.model.ts';
import { contentFolder, ContentProblem, readContentFile } from './content-file.ts';
import { renderMarkdown } from './markdown.ts';

/** An article file with its text as HTML. */
export interface Article extends ArticleHead {
  readonly slug: string;
  readonly content: string;
}

const isHead = compileSchema<ArticleHead>(articleHeadSchema, 'json');
const slugShape = new RegExp(slugPattern);

/** Reads and renders every article in `folder`; throws a {@link ContentProblem} for an invalid one. */
export async function readArticles(folder = join(contentFolder, 'blog')): Promise<Article[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  const slugs = new Set(files.map((name) => name.slice(0, -'.md'.length)));
  return await Promise.all(
    files.map(async (name) => {
      const file = `content/blog/${name}`;
      const slug = name.slice(0, -'.md'.length);
      if (!slugShape.test(slug)) throw new ContentProblem(file, null, texts.fileName);
      if (reservedSlugs.some((reserved) => reserved === slug))
        throw new ContentProblem(file, null, texts.reservedName(slug));
      const article = readContentFile(file, await readFile(join(folder, name), 'utf8'), isHead);
      const { head } = article;
      if (head.updatedAt !== undefined && head.updatedAt < head.publishedAt)
        throw new ContentProblem(file, null, texts.updatedBeforePublished);
      return { ...head, slug, content: renderMarkdown(article, { file, slugs }) };
    }),
  );
}

/**
 * Brings `blog_posts` up to date with the files of content/blog: writes new and changed articles and unpublishes those
 * without a file. Throws before anything is written when a file is invalid; the message names file, line, and reason.
 */
export async function publishArticles(options: {
  readonly db: Database;
  readonly clock: Clock;
  /** For tests. */
  readonly folder?: string;
}): Promise<void> {
  const { db, clock, folder } = options;
  const wanted = (await readArticles(folder)).map(columnsOf);
  const rows = await BlogPostModel.query(db);
  const stored = new Map(rows.map((row) => [row.slug, row]));
  const changed = wanted.filter((post) => !isUpToDate(post, stored.get(post.slug)));
  const slugs = new Set(wanted.map(({ slug }) => slug));
  const removed = rows.filter(({ slug, published }) => Boolean(published) && !slugs.has(slug)).map(({ slug }) => slug);
  if (changed.length === 0 && removed.length === 0) return;
  await db.transaction(async (trx) => {
    for (const post of changed)
      await BlogPostModel.query(trx)
        .insert({ ...post, created_at: clock.now() })
        .onConflict('slug')
        .merge(columns);
    await BlogPostModel.query(trx).whereIn('slug', removed).patch({ published: false });
    await indexArticles(trx, changed);
    await unindexArticles(trx, removed);
  });
}

/** Published articles, newest first. */
export async function publishedArticles(db: Database, filter: { readonly featured?: true } = {}): Promise<BlogPost[]> {
  const posts = await BlogPostModel.query(db)
    .where({ published: true, ...filter })
    .orderBy([
      { column: 'published_at', order: 'desc' },
      { column: 'slug', order: 'asc' },
    ]);
  return posts.map(presentPost);
}

/** One published article; throws BLOG_POST_NOT_FOUND. */
export async function publishedArticle(db: Database, slug: string): Promise<BlogPost> {
  const post = await BlogPostModel.query(db).findOne({ slug, published: true });
  if (!post) throw errors.blogPostNotFound();
  return presentPost(post);
}

type PostColumns = Pick<BlogPostModel, (typeof columns)[number]>;

/** The columns that a file determines. */
const columns = [
  ...(['slug', 'title', 'excerpt', 'content', 'category', 'author', 'tags', 'featured'] as const),
  ...(['published', 'published_at', 'updated_at'] as const),
];

function columnsOf({ publishedAt, updatedAt, ...article }: Article): PostColumns {
  return {
    ...article,
    tags: [...article.tags],
    published: true,
    published_at: Date.parse(publishedAt),
    updated_at: Date.parse(updatedAt ?? publishedAt),
  };
}

/** Whether a row matches its file. */
function isUpToDate(wanted: PostColumns, row: BlogPostModel | undefined): boolean {
  if (!row) return false;
  const values = (post: PostColumns) =>
    JSON.stringify(
      columns.map((column) => (typeof wanted[column] === 'boolean' ? Boolean(post[column]) : post[column])),
    );
  return values(row) === values(wanted);
}

/** An article as readers get it. */
function presentPost(post: BlogPostModel): BlogPost {
  return {
    id: post.id,
    slug: post.slug,
    title: post.title,
    excerpt: post.excerpt,
    content: post.content,
    category: post.category,
    author: post.author,
    tags: post.tags,
    featured: Boolean(post.featured),
    published: Boolean(post.published),
    publishedAt: iso(post.published_at),
    createdAt: iso(post.created_at),
    updatedAt: iso(post.updated_at),
  };
}
