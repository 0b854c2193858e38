import { blogPostSchema } from './blog.ts';
import type { Endpoint } from './endpoint.ts';
import { routes } from './routes.ts';

/** Articles. */
export const blogEndpoints = {
  blogs: {
    ...routes.blogs,
    summary: 'Every published article, newest first',
    status: 200,
    response: { type: 'array', items: blogPostSchema },
    errors: [],
  },
  featuredBlogs: {
    ...routes.featuredBlogs,
    summary: 'Featured articles, newest first',
    status: 200,
    response: { type: 'array', items: blogPostSchema },
    errors: [],
  },
  blog: {
    ...routes.blog,
    summary: 'One article',
    params: {
      type: 'object',
      required: ['slug'],
      additionalProperties: false,
      properties: { slug: { type: 'string', pattern: '^[a-z0-9-]{1,120}$' } },
    },
    status: 200,
    response: blogPostSchema,
    errors: ['BLOG_POST_NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
