import type { FromSchema } from 'json-schema-to-ts';
import { moment } from './scalars.ts';

/** An article; `content` is HTML. */
export const blogPostSchema = {
  $id: 'BlogPost',
  type: 'object',
  required: [
    'id',
    'slug',
    'title',
    'excerpt',
    'content',
    'category',
    'author',
    'tags',
    'featured',
    'published',
    'publishedAt',
    'createdAt',
    'updatedAt',
  ],
  additionalProperties: false,
  properties: {
    id: { type: 'integer' },
    slug: { type: 'string', pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 120 },
    title: { type: 'string' },
    excerpt: { type: 'string' },
    content: { type: 'string' },
    category: { type: 'string' },
    author: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    featured: { type: 'boolean' },
    published: { type: 'boolean' },
    publishedAt: moment,
    createdAt: moment,
    updatedAt: moment,
  },
} as const;
export type BlogPost = FromSchema<typeof blogPostSchema>;
