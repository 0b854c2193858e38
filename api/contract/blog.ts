import type { FromSchema } from 'json-schema-to-ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { day, moment } from './scalars.ts';

const articleTitle = 120;
export const articleExcerpt = 200;
const articleCategory = 60;
const articleTagsMax = 10;
/** Rows, lines and points of one chart: more would not be readable. */
export const chartRows = 12;
/** Characters of a title, a label, or a source of a chart. */
export const chartWords = 300;
const chartSeries = 3;
const chartPoints = 60;

/** Path segments under /blog and /api/blogs that are not slugs of articles. */
export const reservedSlugs = ['featured', 'category'] as const;

/** Characters of the slug of an article. */
export const slugLength = 120;
export const slugPattern = '^[a-z0-9]+(-[a-z0-9]+)*$';

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
    slug: { type: 'string', pattern: slugPattern, maxLength: slugLength },
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

/** The front matter of a file in content/blog; what is missing is derived when it is rendered and published. */
export const articleHeadSchema = {
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: {
    title: { type: 'string', minLength: 1, maxLength: articleTitle },
    excerpt: { type: 'string', minLength: 1, maxLength: articleExcerpt },
    category: { type: 'string', minLength: 1, maxLength: articleCategory },
    author: { type: 'string', minLength: 1, maxLength: 200 },
    tags: {
      type: 'array',
      maxItems: articleTagsMax,
      uniqueItems: true,
      items: { type: 'string', minLength: 1, maxLength: 40 },
      default: [],
    },
    featured: { type: 'boolean', default: false },
    publishedAt: day,
    updatedAt: day,
  },
} as const;
export type ArticleHead = FromSchema<typeof articleHeadSchema>;

const words = { type: 'string', minLength: 1, maxLength: chartWords } as const;
const chartFrame = { title: words, unit: { ...words, maxLength: 30 }, source: words, note: words } as const;

/** A chart that compares values: shares and counts as bars, values on one scale as dots. */
export const rowsChartSchema = {
  type: 'object',
  required: ['type', 'title', 'unit', 'source', 'data'],
  additionalProperties: false,
  properties: {
    ...chartFrame,
    type: { type: 'string', enum: ['bars', 'dots'] },
    data: {
      type: 'array',
      minItems: 2,
      maxItems: chartRows,
      items: {
        type: 'array',
        minItems: 2,
        prefixItems: [words, { type: 'number', minimum: 0 }],
        items: false,
      },
    },
  },
} as const;

/** A line chart. */
export const lineChartSchema = {
  type: 'object',
  required: ['type', 'title', 'unit', 'source', 'xLabel', 'series'],
  additionalProperties: false,
  properties: {
    ...chartFrame,
    type: { type: 'string', enum: ['line'] },
    xLabel: words,
    series: {
      type: 'array',
      minItems: 1,
      maxItems: chartSeries,
      items: {
        type: 'object',
        required: ['name', 'data'],
        additionalProperties: false,
        properties: {
          name: words,
          data: {
            type: 'array',
            minItems: 2,
            maxItems: chartPoints,
            items: {
              type: 'array',
              minItems: 2,
              prefixItems: [{ type: 'number' }, { type: 'number' }],
              items: false,
            },
          },
        },
      },
    },
  },
} as const;

type ChartFrame = { readonly title: string; readonly unit: string; readonly source: string; readonly note?: string };

/** A chart as the author of an article wrote it. */
export type RowsChart = ChartFrame & {
  readonly type: 'bars' | 'dots';
  readonly data: readonly (readonly [label: string, value: number])[];
};
export type LineChart = ChartFrame & {
  readonly type: 'line';
  readonly xLabel: string;
  readonly series: readonly {
    readonly name: string;
    readonly data: readonly (readonly [x: number, y: number])[];
  }[];
};
export type Chart = RowsChart | LineChart;

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
    errors: ['BLOG_POST_NOT_FOUND', 'BLOG_POST_GONE'],
  },
} as const satisfies Record<string, Endpoint>;
