import type { FromSchema } from 'json-schema-to-ts';
import { blogPostSchema } from './blog.ts';
import { communityListsSchema } from './page-data.ts';
import { historicalPageSchema, pollIdSchema, pollSchema, statisticsSchema } from './poll.ts';
import { moment } from './scalars.ts';
import { staticPagesSchema } from './static-page.ts';

/** Names of the files in a snapshot folder. Reports are lines of one file, with byte offsets in the index. */
export const snapshotFiles = {
  site: 'site.json',
  texts: 'texts.json',
  communityAddresses: 'community-addresses.json',
  reports: 'reports.ndjson',
  reportIndex: 'reports.index.json',
  /** Ids of the reports that the build renders; the others are reused from the previous release. */
  reportsToRender: 'reports.render.json',
} as const;

/** The file of a report's page below the release's `client` folder. */
export const reportFile = (id: string) => `poll/${id}.html`;

/** The picture for links to an open poll, below the same folder. */
export const pollPictureFile = (id: string) => `poll/${id}.png`;

/** Data of all pages except reports: headline figures, open polls, first pages of the archive and of community polls. */
export const siteSnapshotSchema = {
  $id: 'SiteSnapshot',
  type: 'object',
  required: ['createdAt', 'statistics', 'activePolls', 'archive', 'community'],
  additionalProperties: false,
  properties: {
    createdAt: { type: 'string', format: 'date-time' },
    statistics: statisticsSchema,
    activePolls: { type: 'array', items: pollSchema },
    archive: historicalPageSchema,
    community: communityListsSchema,
  },
} as const;
export type SiteSnapshot = FromSchema<typeof siteSnapshotSchema>;

/** Articles, newest first, and static pages. */
export const textsSnapshotSchema = {
  $id: 'TextsSnapshot',
  type: 'object',
  required: ['articles', 'pages'],
  additionalProperties: false,
  properties: {
    articles: { type: 'array', items: blogPostSchema },
    pages: staticPagesSchema,
  },
} as const;
export type TextsSnapshot = FromSchema<typeof textsSnapshotSchema>;

/** Public community polls for the sitemap, newest first. */
export const communityAddressesSchema = {
  $id: 'CommunityAddresses',
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'changedAt'],
    additionalProperties: false,
    properties: { id: pollIdSchema, changedAt: moment },
  },
} as const;
export type CommunityAddresses = FromSchema<typeof communityAddressesSchema>;

/** The byte offset of each report in the file of reports, and the digest of its data. */
export const reportIndexSchema = {
  $id: 'ReportIndex',
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'digest', 'offset', 'length'],
    additionalProperties: false,
    properties: {
      id: pollIdSchema,
      digest: {
        type: 'string',
        description:
          'Digest of the record, the code, and the settings that pages use; changes whenever the page may change',
      },
      offset: { type: 'integer', minimum: 0, description: 'First byte of the record' },
      length: { type: 'integer', minimum: 1, description: 'Bytes of the record, without the line ending' },
    },
  },
} as const;
export type ReportIndex = FromSchema<typeof reportIndexSchema>;
