import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { get } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { adjusted, closed, day, defaulted, moment, named, oneOf } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

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
export const blogPostSchema = named('BlogPost', {
  id: Type.Integer(),
  slug: Type.String({ pattern: slugPattern, maxLength: slugLength }),
  title: Type.String(),
  excerpt: Type.String(),
  content: Type.String(),
  category: Type.String(),
  author: Type.String(),
  tags: Type.Array(Type.String()),
  featured: Type.Boolean(),
  published: Type.Boolean(),
  publishedAt: moment,
  createdAt: moment,
  updatedAt: moment,
});
export type BlogPost = Static<typeof blogPostSchema>;

/** The front matter of a file in content/blog; what is missing is derived when it is rendered and published. */
export const articleHeadSchema = closed({
  title: Type.String({ minLength: 1, maxLength: articleTitle }),
  excerpt: Type.Optional(Type.String({ minLength: 1, maxLength: articleExcerpt })),
  category: Type.Optional(Type.String({ minLength: 1, maxLength: articleCategory })),
  author: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  tags: defaulted(
    Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { maxItems: articleTagsMax, uniqueItems: true }),
    [],
  ),
  featured: defaulted(Type.Boolean(), false),
  publishedAt: Type.Optional(day),
  updatedAt: Type.Optional(day),
});
export type ArticleHead = Static<typeof articleHeadSchema>;

const words = Type.String({ minLength: 1, maxLength: chartWords });
/** Two values of a chart. */
const pair = <A, B>(first: TSchema, second: TSchema) =>
  Type.Unsafe<readonly [A, B]>({ type: 'array', minItems: 2, prefixItems: [first, second], items: false });
const chartFrame = {
  title: words,
  unit: adjusted(words, { maxLength: 30 }),
  source: words,
  note: Type.Optional(words),
};

/** A chart that compares values: shares and counts as bars, values on one scale as dots. */
export const rowsChartSchema = closed({
  ...chartFrame,
  type: oneOf(['bars', 'dots']),
  data: Type.Array(pair<string, number>(words, Type.Number({ minimum: 0 })), { minItems: 2, maxItems: chartRows }),
});

/** A line chart. */
export const lineChartSchema = closed({
  ...chartFrame,
  type: oneOf(['line']),
  xLabel: words,
  series: Type.Array(
    closed({
      name: words,
      data: Type.Array(pair<number, number>(Type.Number(), Type.Number()), { minItems: 2, maxItems: chartPoints }),
    }),
    { minItems: 1, maxItems: chartSeries },
  ),
});

/** A chart as the author of an article wrote it. */
export type RowsChart = Static<typeof rowsChartSchema>;
export type LineChart = Static<typeof lineChartSchema>;
export type Chart = RowsChart | LineChart;

/** Articles. */
export const blogEndpoints = {
  blogs: {
    ...get('/api/blogs'),
    client: false,
    cache: 'public',
    summary: 'Every published article, newest first',
    status: 200,
    response: Type.Array(blogPostSchema),
    errors: [],
  },
  featuredBlogs: {
    ...get('/api/blogs/featured'),
    client: false,
    cache: 'public',
    summary: 'Featured articles, newest first',
    status: 200,
    response: Type.Array(blogPostSchema),
    errors: [],
  },
  blog: {
    ...get('/api/blogs/:slug'),
    client: false,
    cache: 'public',
    summary: 'One article',
    params: closed({ slug: Type.String({ pattern: '^[a-z0-9-]{1,120}$' }) }),
    status: 200,
    response: blogPostSchema,
    errors: ['BLOG_POST_NOT_FOUND', 'BLOG_POST_GONE'],
  },
} as const satisfies Record<string, Endpoint>;
