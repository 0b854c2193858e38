import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { errors } from '#platform/errors.ts';
import { presentPost } from './blog.presenter.ts';
import { findPublishedPost, publishedPosts } from './blog.queries.ts';

/** The reading calls of the blog. */
export function mountBlog(router: EndpointRouter, db: Database): void {
  router
    .mount('blogs', async () => (await publishedPosts(db)).map(presentPost))
    .mount('featuredBlogs', async () => (await publishedPosts(db, { featured: true })).map(presentPost))
    .mount('blog', async ({ params }) => {
      const post = await findPublishedPost(db, params.slug);
      if (!post) throw errors.blogPostNotFound();
      return presentPost(post);
    });
}
