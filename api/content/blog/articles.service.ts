import { indexArticles, unindexArticles } from '#api/search/search-index.service.ts';
import { articleHeadSchema, reservedSlugs, slugLength, slugPattern } from './blog.contract.ts';
import type { ArticleHead, BlogPost } from './blog.contract.ts';
import { imageAddress } from '#domain/image-address.ts';
import * as limits from '#contract/limits.ts';
import { categoriesOf, excerptOf, readingMinutes, relatedArticles } from '#domain/article.ts';
import { iso } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { errors } from '#platform/errors.ts';
import { compileSchema } from '#platform/validation.ts';
import { blogTexts } from '#texts/blog.ts';
import { contentFileTexts as texts } from '#texts/content-files.ts';
import { BlogPostModel } from './blog-post.model.ts';
import { ContentProblem, readContentFile } from './content-file.ts';
import { imagesIn, renderMarkdown } from './markdown.ts';

// Other features read and write texts through this file.
export { contentFolder, ContentProblem, plainLines, readDraft, writeContentFile } from './content-file.ts';
export { imagesIn, readingMinutes };

/** An article file with its text as HTML. Without a day of its own, it has that of its publication. */
export interface Article extends ArticleHead {
  readonly slug: string;
  readonly content: string;
  readonly excerpt: string;
  readonly category: string;
  readonly author: string;
}

const isHead = compileSchema<ArticleHead>(articleHeadSchema, 'json');
const slugShape = new RegExp(slugPattern);

/** Why an article can’t have this slug; null if it can. */
export function slugProblem(slug: string): string | null {
  if (!slugShape.test(slug)) return texts.fileName;
  if (slug.length > slugLength) return texts.longName(slugLength);
  return reservedSlugs.some((reserved) => reserved === slug) ? texts.reservedName(slug) : null;
}

/**
 * Reads and renders an article, front matter and Markdown, that may link to the articles `slugs`. Throws a
 * {@link ContentProblem}.
 */
export function renderArticle(slug: string, source: string, slugs: ReadonlySet<string>): Article {
  const file = articleFile(slug);
  const problem = slugProblem(slug);
  if (problem !== null) throw ContentProblem.at(file, null, problem);
  const article = readContentFile(file, source, isHead);
  const { head } = article;
  const { updatedAt, publishedAt } = head;
  if (updatedAt !== undefined && publishedAt !== undefined && updatedAt < publishedAt)
    throw ContentProblem.at(file, null, texts.updatedBeforePublished, 'updatedAt');
  const content = renderMarkdown(article, { file, slugs });
  const excerpt = excerptOf(content, head.title);
  return { excerpt, category: blogTexts.otherCategory, author: blogTexts.house, ...head, slug, content };
}

/** The file of an article, as error messages and changes name it. */
export const articleFile = (slug: string): string => `content/blog/${slug}.md`;

/** Writes what readers see of these articles, with the search index; rows that are the same already are left alone. */
export async function publishArticles(trx: Database, articles: readonly Article[], now: number): Promise<void> {
  const changed = (await withColumns(trx, articles, now)).flatMap(({ wanted, isUpToDate }) =>
    isUpToDate ? [] : [wanted],
  );
  for (const wanted of changed)
    await BlogPostModel.query(trx)
      .insert({ ...wanted, created_at: now })
      .onConflict('slug')
      .merge(columns);
  await indexArticles(trx, changed);
}

/** The articles among these whose rows differ from them or are missing. */
export async function outdatedArticles(db: Database, articles: readonly Article[]): Promise<Article[]> {
  // For an article that is up to date, now is not asked for.
  const all = await withColumns(db, articles, 0);
  return all.flatMap(({ article, isUpToDate }) => (isUpToDate ? [] : [article]));
}

/** The columns that articles are to have if they are published now, and whether they have them. */
async function withColumns(db: Database, articles: readonly Article[], now: number) {
  const rows = await BlogPostModel.query(db);
  const stored = new Map(rows.map((row) => [row.slug, row]));
  return articles.map((article) => {
    const row = stored.get(article.slug);
    const since = row?.published ? row.published_at : now;
    const wanted = columnsOf(article, iso(since).slice(0, 10));
    return { article, wanted, isUpToDate: isSame(wanted, row) };
  });
}

/** Slugs of published articles. */
export async function publishedSlugs(db: Database): Promise<string[]> {
  return db('blog_posts').where({ published: true }).pluck('slug');
}

/**
 * Takes articles off the site. `gone`: their addresses answer 410 instead of 404; `forget` also deletes their texts.
 */
export async function withdrawArticles(
  trx: Database,
  slugs: readonly string[],
  { gone = false, forget = false }: { readonly gone?: boolean; readonly forget?: boolean } = {},
): Promise<void> {
  const nothing = forget ? { title: '', excerpt: '', content: '', author: '', tags: [] } : {};
  await BlogPostModel.query(trx)
    .whereIn('slug', slugs)
    .patch({ published: false, gone, ...nothing });
  await unindexArticles(trx, slugs);
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

/** One published article; throws BLOG_POST_NOT_FOUND, and BLOG_POST_GONE for one that was published. */
export async function publishedArticle(db: Database, slug: string): Promise<BlogPost> {
  const post = await BlogPostModel.query(db).findOne({ slug });
  if (post?.published) return presentPost(post);
  throw post?.gone ? errors.blogPostGone() : errors.blogPostNotFound();
}

/** Whether an article was published and is not any more. */
export async function isArticleGone(db: Database, slug: string): Promise<boolean> {
  const post = await BlogPostModel.query(db).findOne({ slug });
  return post !== undefined && !post.published && Boolean(post.gone);
}

/** The addresses of the pages, pictures, and category lists of articles. */
export async function articleAddresses(db: Database): Promise<string[]> {
  const articles = await publishedArticles(db);
  return [
    ...articles.flatMap(({ slug }) => [`/blog/${slug}`, `/blog/${slug}.png`]),
    ...categoriesOf(articles).map(({ slug }) => `/blog/category/${slug}`),
    ...imageAddresses(articles),
  ];
}

/**
 * The addresses that may show an article as it is published now: its own, the lists by category, which all link to each
 * other, and, if it is among those that others recommend, the pages of all.
 */
export async function pagesOfArticle(db: Database, slug: string): Promise<string[]> {
  const articles = await publishedArticles(db);
  const own = articles.filter((article) => article.slug === slug);
  const isRecommended = relatedArticles(articles, '', limits.relatedArticles + 1).some((one) => one.slug === slug);
  return [
    ...[`/blog/${slug}`, `/blog/${slug}.png`],
    ...(isRecommended ? articles.map((one) => `/blog/${one.slug}`) : []),
    ...categoriesOf(articles).map((category) => `/blog/category/${category.slug}`),
    ...imageAddresses(own),
  ];
}

const imageAddresses = (articles: readonly BlogPost[]) =>
  articles.flatMap(({ content }) => imagesIn(content).map(imageAddress));

type PostColumns = Pick<BlogPostModel, (typeof columns)[number]>;

/** The columns that a text determines. */
const columns = [
  ...(['slug', 'title', 'excerpt', 'content', 'category', 'author', 'tags', 'featured'] as const),
  ...(['published', 'gone', 'published_at', 'updated_at'] as const),
];

/** `today`: the day of an article that has none. */
function columnsOf({ publishedAt, updatedAt, ...article }: Article, today: string): PostColumns {
  const day = publishedAt ?? today;
  return {
    ...article,
    tags: [...article.tags],
    published: true,
    gone: false,
    published_at: Date.parse(day),
    updated_at: Date.parse(updatedAt ?? day),
  };
}

/** Whether a row matches its text. */
function isSame(wanted: PostColumns, row: BlogPostModel | undefined): boolean {
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
