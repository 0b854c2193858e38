import { blogPostSchema } from './blog.ts';
import type { Endpoint } from './endpoint.ts';

/** Articles. */
export const blogEndpoints = {
  blogs: {
    method: 'GET',
    path: '/api/blogs',
    summary: 'Every published article, newest first',
    status: 200,
    response: { type: 'array', items: blogPostSchema },
    errors: [],
    cache: 'public',
  },
  featuredBlogs: {
    method: 'GET',
    path: '/api/blogs/featured',
    summary: 'Featured articles, newest first',
    status: 200,
    response: { type: 'array', items: blogPostSchema },
    errors: [],
    cache: 'public',
  },
  blog: {
    method: 'GET',
    path: '/api/blogs/:slug',
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
    cache: 'public',
  },
} as const satisfies Record<string, Endpoint>;
