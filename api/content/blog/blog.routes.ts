import type { Database } from '#platform/database.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { publishedArticle, publishedArticles } from './articles.service.ts';

/** The endpoints of the blog. */
export function mountBlog(router: EndpointRouter, db: Database): void {
  router
    .mount('blogs', () => publishedArticles(db))
    .mount('featuredBlogs', () => publishedArticles(db, { featured: true }))
    .mount('blog', ({ params }) => publishedArticle(db, params.slug));
}
