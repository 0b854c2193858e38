import { Type } from 'typebox';
import { importPreviewSchema, importSettingsChars } from '#api/polls/import/import-settings.contract.ts';
import { importModes, importResultSchema } from '#api/polls/import/poll-import.contract.ts';
import { pollIdParams } from '#api/polls/polls.contract.ts';
import { publishingSchema } from '#api/publishing/publishing.contract.ts';
import { del, get, post } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { closed, defaulted, oneOf, query } from '#contract/schema.ts';

const adminErrors = ['ADMIN_REQUIRED'] as const;

/** Import options, in the query or as form fields. */
export const uploadOptionsSchema = query({
  mode: oneOf(importModes, { default: 'partial' }),
  dryRun: Type.Boolean({ default: false, description: 'Report what would happen without changing anything' }),
  settings: Type.String({
    maxLength: importSettingsChars,
    description: 'ImportSettings as JSON, for a file that is not in the specified format',
  }),
});

/** The endpoints of the operator. */
export const adminEndpoints = {
  bulkUpload: {
    ...post('/api/polls/bulk-upload'),
    client: false,
    scope: 'import',
    summary:
      'Import polls from a CSV file: multipart form with csvFile and password. A file that is refused as a whole is answered 400 with the same members and a code',
    query: uploadOptionsSchema,
    status: 200,
    response: importResultSchema,
    errors: [
      ...(['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'OVERLOADED'] as const),
      ...(['INVALID_TOKEN', 'FORBIDDEN', 'CONFIRMATION_REQUIRED'] as const),
      ...adminErrors,
    ],
  },
  importPreview: {
    ...post('/api/admin/imports/preview'),
    admin: 'editor',
    summary:
      'How a file of polls would be read: multipart form with csvFile, and settings to try them; nothing is changed',
    query: uploadOptionsSchema,
    status: 200,
    response: importPreviewSchema,
    errors: ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', ...adminErrors],
  },
  rejectedRows: {
    ...post('/api/admin/imports/rejected-rows'),
    admin: 'editor',
    summary:
      'The rows of a file of polls that an import would reject, with their errors, as CSV: multipart form with csvFile; nothing is changed',
    query: uploadOptionsSchema,
    status: 200,
    responseType: 'text/csv',
    errors: ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', ...adminErrors],
  },
  fetchSpreadsheet: {
    ...post('/api/admin/imports/spreadsheet'),
    admin: 'editor',
    summary: 'A spreadsheet that is published at an address, as its bytes; only public addresses are reached',
    body: closed({ url: Type.String({ minLength: 1, maxLength: 2_000 }) }),
    status: 200,
    responseType: 'application/octet-stream',
    errors: ['VALIDATION_FAILED', 'BAD_REQUEST', 'PAYLOAD_TOO_LARGE', ...adminErrors],
  },
  adminSession: {
    ...post('/api/admin/session'),
    client: false,
    summary: 'Check the admin password; nothing is stored',
    body: closed({ password: Type.String({ minLength: 1, maxLength: 1_000 }) }),
    status: 204,
    errors: ['VALIDATION_FAILED', ...adminErrors],
  },
  publishing: {
    ...get('/api/admin/publishing'),
    scope: 'read',
    admin: 'operator',
    summary: 'Running and finished publishes, what waits, and earlier builds',
    status: 200,
    response: publishingSchema,
    errors: adminErrors,
  },
  rebuildSite: {
    ...post('/api/admin/builds'),
    scope: 'publish',
    admin: 'editor',
    summary:
      'Request a build of the site that starts immediately, or after the current one; refused while publishing is paused',
    body: closed({ force: defaulted(Type.Boolean({ description: 'Render every page again, changed or not' }), false) }),
    status: 202,
    response: publishingSchema,
    errors: ['VALIDATION_FAILED', 'CONFLICT', ...adminErrors],
  },
  pausePublishing: {
    ...post('/api/admin/publishing/pause'),
    admin: 'editor',
    confirm: true,
    summary: 'Pause publishing: only removals are published until it is resumed',
    status: 200,
    response: publishingSchema,
    errors: adminErrors,
  },
  resumePublishing: {
    ...del('/api/admin/publishing/pause'),
    scope: 'publish',
    admin: 'editor',
    summary: 'Resume publishing, and publish everything since; does nothing unless it is paused',
    status: 200,
    response: publishingSchema,
    errors: adminErrors,
  },
  featureCommunityPoll: {
    ...post('/api/admin/community-polls/:id/featured'),
    admin: 'moderator',
    summary: 'Feature or unfeature a public community poll',
    params: pollIdParams,
    body: closed({ featured: Type.Boolean() }),
    status: 204,
    errors: ['POLL_NOT_FOUND', 'BAD_REQUEST', 'VALIDATION_FAILED', ...adminErrors],
  },
} as const satisfies Record<string, Endpoint>;
