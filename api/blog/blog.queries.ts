import type { Database } from '#platform/database.ts';
import type { BlogPostRow } from './blog.presenter.ts';

const changing = [
  ...(['title', 'excerpt', 'content', 'category', 'author', 'tags', 'featured'] as const),
  ...(['published', 'published_at', 'updated_at'] as const),
] satisfies (keyof BlogPostRow)[];

/** Articles that readers may see, newest first. */
export function publishedPosts(db: Database, filter: { readonly featured?: true } = {}): Promise<BlogPostRow[]> {
  return db<BlogPostRow>('blog_posts')
    .where({ published: true, ...filter })
    .orderBy([
      { column: 'published_at', order: 'desc' },
      { column: 'slug', order: 'asc' },
    ])
    .select('*');
}

export function findPublishedPost(db: Database, slug: string): Promise<BlogPostRow | undefined> {
  return db<BlogPostRow>('blog_posts').where({ slug, published: true }).first();
}

/** Every row, also of articles that are no longer published. */
export function allPosts(db: Database): Promise<BlogPostRow[]> {
  return db<BlogPostRow>('blog_posts').select('*');
}

/** Inserts articles or brings those of the same slug up to date; `created_at` stays that of the first time. */
export async function savePosts(trx: Database, posts: readonly Omit<BlogPostRow, 'id'>[]): Promise<void> {
  if (posts.length === 0) return;
  await trx('blog_posts')
    .insert([...posts])
    .onConflict('slug')
    .merge([...changing]);
}

export async function unpublishPosts(trx: Database, slugs: readonly string[]): Promise<void> {
  if (slugs.length > 0) await trx('blog_posts').whereIn('slug', slugs).update({ published: false });
}
