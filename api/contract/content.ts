import type { FromSchema } from 'json-schema-to-ts';
import { slugLength, slugPattern } from './blog.ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeMoment, maybeText, moment } from './scalars.ts';

/** The folders of content/ with the texts that operators edit: articles, pages such as About, and legal pages. */
export const contentFolders = ['blog', 'pages', 'legal'] as const;
export type ContentFolder = (typeof contentFolders)[number];

export const contentStates = ['draft', 'scheduled', 'published', 'unpublished'] as const;
export type ContentState = (typeof contentStates)[number];

/** How a version came about. */
export const contentEvents = ['file', 'created', 'saved', 'restored'] as const;
export type ContentEvent = (typeof contentEvents)[number];

/** Characters of a text, and of one field of its front matter, while it is a draft. */
export const contentText = 60_000;
const contentField = 1_000;

/** The name of a stored picture: a hash of its content, with its width and height in pixels. */
export const imageNamePattern = '[\\w-]{43}-[1-9][0-9]{0,3}x[1-9][0-9]{0,3}';
/** The address of a picture in published pages. */
export const imageAddress = (name: string): string => `/images/${name}.webp`;

// PostgreSQL stores no text with NUL.
const field = { type: 'string', maxLength: contentField, pattern: '^[^\\u0000]*$' } as const;

/** The front matter of a draft: fields may be missing or invalid until it is published. */
const draftHeadSchema = {
  $id: 'ContentHead',
  type: 'object',
  additionalProperties: false,
  properties: {
    title: field,
    excerpt: field,
    category: field,
    author: field,
    tags: { type: 'array', maxItems: 20, items: field },
    featured: { type: 'boolean' },
    publishedAt: field,
    updatedAt: field,
    description: field,
    lede: field,
    lastUpdated: field,
    cards: {
      type: 'array',
      maxItems: 10,
      items: {
        type: 'object',
        required: ['title', 'text'],
        additionalProperties: false,
        properties: { title: field, text: field },
      },
    },
  },
} as const;
export type ContentHead = FromSchema<typeof draftHeadSchema>;

const draft = {
  head: draftHeadSchema,
  text: { type: 'string', maxLength: contentText, pattern: '^[^\\u0000]*$', description: 'Markdown' },
} as const;
export type ContentDraft = { readonly head: ContentHead; readonly text: string };

const version = { type: 'integer', minimum: 1, maximum: 2_147_483_647 } as const;
const name = { type: 'string', pattern: slugPattern, maxLength: slugLength } as const;
const entryParams = {
  type: 'object',
  required: ['folder', 'name'],
  additionalProperties: false,
  properties: { folder: { type: 'string', enum: contentFolders }, name },
} as const;

const summary = {
  folder: { type: 'string', enum: contentFolders },
  name,
  title: { type: 'string' },
  state: { type: 'string', enum: contentStates },
  isChanged: { type: 'boolean', description: 'Whether it was saved since it was published' },
  publishAt: maybeMoment,
  updatedAt: moment,
  updatedBy: { type: 'string' },
  reviewedAt: maybeMoment,
  reviewedBy: maybeText,
  hasNewerFile: { type: 'boolean', description: 'Whether its file was changed after it was edited here' },
  isDeleted: { type: 'boolean', description: 'Deleted here; listed because its file was changed since' },
  problem: { type: 'string', description: 'Why a scheduled text can’t be published; only in the list' },
} as const;
const summaryFields = [
  ...(['folder', 'name', 'title', 'state', 'isChanged', 'publishAt', 'updatedAt', 'updatedBy'] as const),
  ...(['reviewedAt', 'reviewedBy', 'hasNewerFile', 'isDeleted'] as const),
] as const;

const contentListSchema = {
  $id: 'ContentList',
  type: 'object',
  required: ['entries', 'categories'],
  additionalProperties: false,
  properties: {
    entries: {
      type: 'array',
      items: { type: 'object', required: summaryFields, additionalProperties: false, properties: summary },
    },
    categories: { type: 'array', items: { type: 'string' }, description: 'Of the articles and their drafts' },
  },
} as const;
export type ContentList = FromSchema<typeof contentListSchema>;
export type ContentSummary = ContentList['entries'][number];

const contentEntrySchema = {
  $id: 'ContentEntry',
  type: 'object',
  required: [...summaryFields, 'version', 'head', 'text', 'source', 'canRename', 'published', 'newerFile'],
  additionalProperties: false,
  properties: {
    ...summary,
    version,
    ...draft,
    source: { type: 'string', description: 'What was saved last, as a file' },
    canRename: { type: 'boolean', description: 'An article that was never published can get another address' },
    published: { ...maybeText, description: 'What is published, as a file' },
    newerFile: maybeText,
  },
} as const;
export type ContentEntry = FromSchema<typeof contentEntrySchema>;

const contentVersionsSchema = {
  $id: 'ContentVersions',
  type: 'array',
  items: {
    type: 'object',
    required: ['version', 'event', 'actor', 'createdAt', 'publishedAt'],
    additionalProperties: false,
    properties: {
      version,
      event: { type: 'string', enum: contentEvents },
      actor: { type: 'string' },
      createdAt: moment,
      publishedAt: maybeMoment,
    },
  },
} as const;
export type ContentVersion = FromSchema<typeof contentVersionsSchema>[number];

const previewSchema = {
  $id: 'ContentPreview',
  type: 'object',
  required: ['html', 'minutes', 'problems', 'unknown'],
  additionalProperties: false,
  properties: {
    html: { ...maybeText, description: 'null: the text has an error' },
    minutes: { ...count, description: 'Reading time' },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        required: ['message', 'line', 'field'],
        additionalProperties: false,
        properties: {
          message: { type: 'string' },
          line: { anyOf: [count, { type: 'null' }], description: 'Of the text, from 1' },
          field: { ...maybeText, description: 'Of the front matter, such as title or cards.2.text' },
        },
      },
      description: 'Why this can’t be published: all wrong fields, and the first error of the text',
    },
    unknown: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Names in braces in the text that stand for nothing, such as {votesPerYear}; it can be published all the same',
    },
  },
} as const;
export type ContentPreview = FromSchema<typeof previewSchema>;
export type ContentProblems = ContentPreview['problems'];

const versionBody = {
  type: 'object',
  required: ['version'],
  additionalProperties: false,
  properties: { version: { ...version, description: 'That was read; another one since is a conflict' } },
} as const;
const entryAnswer = { status: 200, response: contentEntrySchema } as const;
const adminErrors = ['ADMIN_REQUIRED'] as const;
const changeErrors = ['NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', ...adminErrors] as const;

/** Endpoints of the operator for articles, About, and the legal pages, and their pictures. */
export const contentEndpoints = {
  contentList: {
    ...routes.contentList,
    admin: 'editor',
    scope: 'content',
    summary: 'Articles and pages with their states, the last saved first',
    status: 200,
    response: contentListSchema,
    errors: adminErrors,
  },
  createArticle: {
    ...routes.createArticle,
    admin: 'editor',
    scope: 'content',
    summary: 'Create the draft of an article',
    body: {
      type: 'object',
      required: ['title'],
      additionalProperties: false,
      properties: {
        name: { ...name, description: 'The end of its address; from the title if missing' },
        title: { ...field, minLength: 1 },
      },
    },
    status: 201,
    response: contentEntrySchema,
    errors: ['VALIDATION_FAILED', 'CONFLICT', ...adminErrors],
  },
  contentEntry: {
    ...routes.contentEntry,
    admin: 'editor',
    scope: 'content',
    summary: 'An article or page as it was saved last',
    params: entryParams,
    ...entryAnswer,
    errors: ['NOT_FOUND', ...adminErrors],
  },
  saveContent: {
    ...routes.saveContent,
    longBody: true,
    admin: 'editor',
    scope: 'content',
    summary: 'Save a text without publishing it; a name moves an article that was never published',
    params: entryParams,
    body: {
      type: 'object',
      required: ['version', 'head', 'text'],
      additionalProperties: false,
      properties: { ...versionBody.properties, ...draft, name },
    },
    ...entryAnswer,
    errors: changeErrors,
  },
  deleteContent: {
    ...routes.deleteContent,
    admin: 'editor',
    confirm: true,
    summary: 'Delete an article with its history; its address answers 410 if it was ever published',
    params: entryParams,
    body: versionBody,
    status: 204,
    errors: changeErrors,
  },
  previewContent: {
    ...routes.previewContent,
    longBody: true,
    admin: 'editor',
    scope: 'content',
    summary: 'A text as it would be published; nothing is stored',
    params: entryParams,
    body: { type: 'object', required: ['head', 'text'], additionalProperties: false, properties: draft },
    status: 200,
    response: previewSchema,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', ...adminErrors],
  },
  publishContent: {
    ...routes.publishContent,
    admin: 'editor',
    scope: 'content',
    summary: 'Publish what was saved last, now or at a time',
    params: entryParams,
    body: {
      ...versionBody,
      properties: { ...versionBody.properties, at: { ...moment, description: 'At least a minute ahead' } },
    },
    ...entryAnswer,
    errors: changeErrors,
  },
  unpublishContent: {
    ...routes.unpublishContent,
    admin: 'editor',
    scope: 'content',
    summary: 'Cancel the schedule if there is one; otherwise take a published article off the site',
    params: entryParams,
    body: versionBody,
    ...entryAnswer,
    errors: changeErrors,
  },
  reviewContent: {
    ...routes.reviewContent,
    admin: 'editor',
    summary: 'Record that the text was reviewed and is right for this site',
    params: entryParams,
    body: versionBody,
    ...entryAnswer,
    errors: changeErrors,
  },
  contentVersions: {
    ...routes.contentVersions,
    admin: 'editor',
    scope: 'content',
    summary: 'The versions of a text, newest first',
    params: entryParams,
    status: 200,
    response: contentVersionsSchema,
    errors: ['NOT_FOUND', ...adminErrors],
  },
  contentVersion: {
    ...routes.contentVersion,
    admin: 'editor',
    scope: 'content',
    summary: 'One version of a text, as a file',
    params: {
      ...entryParams,
      required: [...entryParams.required, 'version'],
      properties: { ...entryParams.properties, version: { type: 'string', pattern: '^[1-9][0-9]{0,8}$' } },
    },
    status: 200,
    response: {
      type: 'object',
      required: ['source'],
      additionalProperties: false,
      properties: { source: { type: 'string' } },
    },
    errors: ['NOT_FOUND', ...adminErrors],
  },
  restoreContent: {
    ...routes.restoreContent,
    admin: 'editor',
    summary: 'Save an earlier version again; publishing it is a step of its own',
    params: entryParams,
    body: {
      type: 'object',
      required: ['version', 'from'],
      additionalProperties: false,
      properties: { ...versionBody.properties, from: version },
    },
    ...entryAnswer,
    errors: changeErrors,
  },
  answerNewerFile: {
    ...routes.answerNewerFile,
    admin: 'editor',
    summary: 'Save the newer file in place of the text, or keep the text and forget the file',
    params: entryParams,
    body: {
      type: 'object',
      required: ['version', 'use'],
      additionalProperties: false,
      properties: { ...versionBody.properties, use: { type: 'boolean' } },
    },
    ...entryAnswer,
    errors: changeErrors,
  },
  uploadContentImage: {
    ...routes.uploadContentImage,
    admin: 'editor',
    scope: 'content',
    summary: 'Upload a JPEG, PNG, WebP, or GIF file for use in articles and pages',
    bodyType: 'image/*',
    status: 201,
    response: {
      type: 'object',
      required: ['address'],
      additionalProperties: false,
      properties: { address: { type: 'string', description: 'For Markdown: ![What it shows](address)' } },
    },
    errors: ['BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'OVERLOADED', ...adminErrors],
  },
  contentImage: {
    ...routes.contentImage,
    summary: 'A picture of an article or page, for previews; published pages have it at /images',
    params: {
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: { name: { type: 'string', pattern: `^${imageNamePattern}$` } },
    },
    status: 200,
    responseType: 'image/webp',
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
