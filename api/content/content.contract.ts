import { Type } from 'typebox';
import { slugLength, slugPattern } from '#api/content/blog/blog.contract.ts';
import { del, get, patch, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import {
  adjusted,
  closed,
  count,
  described,
  maybeMoment,
  maybeText,
  moment,
  named,
  nullable,
  oneOf,
} from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

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

// PostgreSQL stores no text with NUL.
const field = Type.String({ maxLength: contentField, pattern: '^[^\\u0000]*$' });

/** The front matter of a draft: fields may be missing or invalid until it is published. */
const draftHeadSchema = named('ContentHead', {
  title: Type.Optional(field),
  excerpt: Type.Optional(field),
  category: Type.Optional(field),
  author: Type.Optional(field),
  tags: Type.Optional(Type.Array(field, { maxItems: 20 })),
  featured: Type.Optional(Type.Boolean()),
  publishedAt: Type.Optional(field),
  updatedAt: Type.Optional(field),
  description: Type.Optional(field),
  lede: Type.Optional(field),
  lastUpdated: Type.Optional(field),
  cards: Type.Optional(Type.Array(closed({ title: field, text: field }), { maxItems: 10 })),
});
export type ContentHead = Static<typeof draftHeadSchema>;

const draft = {
  head: draftHeadSchema,
  text: Type.String({ maxLength: contentText, pattern: '^[^\\u0000]*$', description: 'Markdown' }),
};
export type ContentDraft = { readonly head: ContentHead; readonly text: string };

const version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const name = Type.String({ pattern: slugPattern, maxLength: slugLength });
const entryParams = closed({ folder: oneOf(contentFolders), name });

const summary = {
  folder: oneOf(contentFolders),
  name,
  title: Type.String(),
  state: oneOf(contentStates),
  isChanged: Type.Boolean({ description: 'Whether it was saved since it was published' }),
  publishAt: maybeMoment,
  updatedAt: moment,
  updatedBy: Type.String(),
  reviewedAt: maybeMoment,
  reviewedBy: maybeText,
  hasNewerFile: Type.Boolean({ description: 'Whether its file was changed after it was edited here' }),
  isDeleted: Type.Boolean({ description: 'Deleted here; listed because its file was changed since' }),
  problem: Type.Optional(Type.String({ description: 'Why a scheduled text can’t be published; only in the list' })),
};

const contentListSchema = named('ContentList', {
  entries: Type.Array(closed(summary)),
  categories: Type.Array(Type.String(), { description: 'Of the articles and their drafts' }),
});
export type ContentList = Static<typeof contentListSchema>;
export type ContentSummary = ContentList['entries'][number];

const contentEntrySchema = named('ContentEntry', {
  ...summary,
  version,
  ...draft,
  source: Type.String({ description: 'What was saved last, as a file' }),
  canRename: Type.Boolean({ description: 'An article that was never published can get another address' }),
  published: described(maybeText, 'What is published, as a file'),
  newerFile: maybeText,
});
export type ContentEntry = Static<typeof contentEntrySchema>;

const contentVersionsSchema = Type.Array(
  closed({ version, event: oneOf(contentEvents), actor: Type.String(), createdAt: moment, publishedAt: maybeMoment }),
  { $id: 'ContentVersions' },
);
export type ContentVersion = Static<typeof contentVersionsSchema>[number];

const previewSchema = named('ContentPreview', {
  html: described(maybeText, 'null: the text has an error'),
  minutes: described(count, 'Reading time'),
  problems: Type.Array(
    closed({
      message: Type.String(),
      line: nullable(count, { description: 'Of the text, from 1' }),
      field: described(maybeText, 'Of the front matter, such as title or cards.2.text'),
    }),
    { description: 'Why this can’t be published: all wrong fields, and the first error of the text' },
  ),
  unknown: Type.Array(Type.String(), {
    description:
      'Names in braces in the text that stand for nothing, such as {votesPerYear}; it can be published all the same',
  }),
});
export type ContentPreview = Static<typeof previewSchema>;
export type ContentProblems = ContentPreview['problems'];

const versionBody = closed({ version: described(version, 'That was read; another one since is a conflict') });
const entryAnswer = { status: 200, response: contentEntrySchema } as const;
const adminErrors = ['ADMIN_REQUIRED'] as const;
const changeErrors = ['NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT', ...adminErrors] as const;

/** Endpoints of the operator for articles, About, and the legal pages, and their pictures. */
export const contentEndpoints = {
  contentList: {
    ...get('/api/admin/content'),
    admin: 'editor',
    scope: 'content',
    summary: 'Articles and pages with their states, the last saved first',
    status: 200,
    response: contentListSchema,
    errors: adminErrors,
  },
  createArticle: {
    ...post('/api/admin/content'),
    admin: 'editor',
    scope: 'content',
    summary: 'Create the draft of an article',
    body: closed({
      name: Type.Optional(described(name, 'The end of its address; from the title if missing')),
      title: adjusted(field, { minLength: 1 }),
    }),
    status: 201,
    response: contentEntrySchema,
    errors: ['VALIDATION_FAILED', 'CONFLICT', ...adminErrors],
  },
  contentEntry: {
    ...get('/api/admin/content/:folder/:name'),
    admin: 'editor',
    scope: 'content',
    summary: 'An article or page as it was saved last',
    params: entryParams,
    ...entryAnswer,
    errors: ['NOT_FOUND', ...adminErrors],
  },
  saveContent: {
    ...patch('/api/admin/content/:folder/:name'),
    longBody: true,
    admin: 'editor',
    scope: 'content',
    summary: 'Save a text without publishing it; a name moves an article that was never published',
    params: entryParams,
    body: closed({ ...versionBody.properties, ...draft, name: Type.Optional(name) }),
    ...entryAnswer,
    errors: changeErrors,
  },
  deleteContent: {
    ...del('/api/admin/content/:folder/:name'),
    admin: 'editor',
    confirm: true,
    summary: 'Delete an article with its history; its address answers 410 if it was ever published',
    params: entryParams,
    body: versionBody,
    status: 204,
    errors: changeErrors,
  },
  previewContent: {
    ...post('/api/admin/content/:folder/:name/preview'),
    longBody: true,
    admin: 'editor',
    scope: 'content',
    summary: 'A text as it would be published; nothing is stored',
    params: entryParams,
    body: closed(draft),
    status: 200,
    response: previewSchema,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', ...adminErrors],
  },
  publishContent: {
    ...post('/api/admin/content/:folder/:name/publish'),
    admin: 'editor',
    scope: 'content',
    summary: 'Publish what was saved last, now or at a time',
    params: entryParams,
    body: closed({ ...versionBody.properties, at: Type.Optional(described(moment, 'At least a minute ahead')) }),
    ...entryAnswer,
    errors: changeErrors,
  },
  unpublishContent: {
    ...post('/api/admin/content/:folder/:name/unpublish'),
    admin: 'editor',
    scope: 'content',
    summary: 'Cancel the schedule if there is one; otherwise take a published article off the site',
    params: entryParams,
    body: versionBody,
    ...entryAnswer,
    errors: changeErrors,
  },
  reviewContent: {
    ...post('/api/admin/content/:folder/:name/review'),
    admin: 'editor',
    summary: 'Record that the text was reviewed and is right for this site',
    params: entryParams,
    body: versionBody,
    ...entryAnswer,
    errors: changeErrors,
  },
  contentVersions: {
    ...get('/api/admin/content/:folder/:name/versions'),
    admin: 'editor',
    scope: 'content',
    summary: 'The versions of a text, newest first',
    params: entryParams,
    status: 200,
    response: contentVersionsSchema,
    errors: ['NOT_FOUND', ...adminErrors],
  },
  contentVersion: {
    ...get('/api/admin/content/:folder/:name/versions/:version'),
    admin: 'editor',
    scope: 'content',
    summary: 'One version of a text, as a file',
    params: closed({ ...entryParams.properties, version: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }) }),
    status: 200,
    response: closed({ source: Type.String() }),
    errors: ['NOT_FOUND', ...adminErrors],
  },
  restoreContent: {
    ...post('/api/admin/content/:folder/:name/restore'),
    admin: 'editor',
    summary: 'Save an earlier version again; publishing it is a step of its own',
    params: entryParams,
    body: closed({ ...versionBody.properties, from: version }),
    ...entryAnswer,
    errors: changeErrors,
  },
  answerNewerFile: {
    ...post('/api/admin/content/:folder/:name/newer-file'),
    admin: 'editor',
    summary: 'Save the newer file in place of the text, or keep the text and forget the file',
    params: entryParams,
    body: closed({ ...versionBody.properties, use: Type.Boolean() }),
    ...entryAnswer,
    errors: changeErrors,
  },
  uploadContentImage: {
    ...post('/api/admin/content-images'),
    admin: 'editor',
    scope: 'content',
    summary: 'Upload a JPEG, PNG, WebP, or GIF file for use in articles and pages',
    bodyType: 'image/*',
    status: 201,
    response: closed({ address: Type.String({ description: 'For Markdown: ![What it shows](address)' }) }),
    errors: ['BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'OVERLOADED', ...adminErrors],
  },
  contentImage: {
    ...get('/api/content-images/:name'),
    client: false,
    cache: 'immutable',
    summary: 'A picture of an article or page, for previews; published pages have it at /images',
    params: closed({ name: Type.String({ pattern: `^${imageNamePattern}$` }) }),
    status: 200,
    responseType: 'image/webp',
    errors: ['NOT_FOUND'],
  },
} as const satisfies Record<string, Endpoint>;
