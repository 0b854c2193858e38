import type { FromSchema } from 'json-schema-to-ts';
import { routes } from './routes.ts';
import type { Endpoint } from './routes.ts';
import { count, maybeText, moment, soughtText } from './scalars.ts';

/** What operators do, as the audit log names it. */
export const auditActions = [
  'draft.create',
  'draft.discard',
  'draft.edit',
  'poll.close',
  'poll.delete',
  'poll.edit',
  'poll.publish',
  'poll.reopen',
  'poll.restore',
  'poll.feature',
  'poll.unpublish',
  'import.run',
  'import.undo',
  'site.publish',
  'publishing.pause',
  'publishing.use',
  'publishing.resume',
  // Of earlier versions, in entries that stay.
  'release.return',
  'release.unpin',
  'demonstration.remove',
  'setup.confirm',
  'setup.dismiss',
  'setup.test-mail',
  'setup.test-backup',
  'moderation.decide',
  'moderation.appeal',
  'votes.challenge',
  'votes.protection',
  'votes.set-aside',
  'votes.decide',
  'member.reset-link',
  'member.remove-picture',
  'member.remove-passkeys',
  'operator.invite',
  'operator.revoke-invitation',
  'operator.accept',
  'operator.become-owner',
  'operator.change-role',
  'operator.remove',
  'token.create',
  'token.revoke',
  'setting.change',
  'content.create',
  'content.save',
  'content.publish',
  'content.schedule',
  'content.unschedule',
  'content.unpublish',
  'content.delete',
  'content.restore',
  'content.review',
  'content.use-file',
  'content.keep-text',
  'content.upload',
  'webhook.create',
  'webhook.change',
  'webhook.delete',
  'webhook.rotate',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** An entry of the audit log. */
const auditRecordSchema = {
  $id: 'AuditRecord',
  type: 'object',
  required: ['id', 'at', 'actor', 'actorId', 'action', 'kind', 'subject', 'before', 'after'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer' },
    at: moment,
    actor: { type: 'string', description: 'Name at the time; “operator”: the shared password, “terminal”: a command' },
    actorId: { ...maybeText, description: 'The member; null for others' },
    action: { type: 'string' },
    kind: { type: 'string', description: 'Kind of what was changed, such as “poll”' },
    subject: { type: 'string', description: 'Its id' },
    before: { description: 'The changed fields before; null: nothing' },
    after: { description: 'The changed fields after; null: nothing' },
    title: { ...maybeText, description: 'Name of what was changed; null: it has none. Not in exports' },
    path: { ...maybeText, description: 'Path of a page that shows what was changed; null: none. Not in exports' },
  },
} as const;
export type AuditRecord = FromSchema<typeof auditRecordSchema>;

/** One page of the audit log. */
const auditLogSchema = {
  $id: 'AuditLog',
  type: 'object',
  required: ['entries', 'total'],
  additionalProperties: false,
  properties: {
    entries: { type: 'array', items: auditRecordSchema, description: 'Newest first' },
    total: count,
    actors: {
      type: 'array',
      items: { type: 'string' },
      description: 'Everyone in the whole log, on the first page without filters',
    },
  },
} as const;
export type AuditLog = FromSchema<typeof auditLogSchema>;

const filters = {
  search: {
    ...soughtText,
    maxLength: 100,
    description: 'Words, each somewhere in an entry or in the text of its action',
  },
  actor: { ...soughtText, maxLength: 80 },
  action: { type: 'string', enum: auditActions },
  from: { ...moment, description: 'Not before this moment' },
  to: { ...moment, description: 'Before this moment' },
} as const;
const auditQuerySchema = {
  type: 'object',
  additionalProperties: false,
  properties: { ...filters, page: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 } },
} as const;
const auditExportQuerySchema = {
  type: 'object',
  additionalProperties: false,
  properties: { ...filters, format: { type: 'string', enum: ['csv', 'json'], default: 'csv' } },
} as const;
export type AuditFilters = Partial<Omit<FromSchema<typeof auditQuerySchema>, 'page'>>;

const errors = ['VALIDATION_FAILED', 'ADMIN_REQUIRED', 'FORBIDDEN', 'CONFIRMATION_REQUIRED'] as const;

/** Reading the audit log. */
export const auditEndpoints = {
  auditLog: {
    ...routes.auditLog,
    admin: 'owner',
    summary: 'Changes by operators, newest first',
    query: auditQuerySchema,
    status: 200,
    response: auditLogSchema,
    errors,
  },
  exportAuditLog: {
    ...routes.exportAuditLog,
    admin: 'owner',
    summary: 'All matching entries of the audit log, newest first, as CSV or as a JSON array',
    query: auditExportQuerySchema,
    status: 200,
    responseType: 'text/csv',
    errors,
  },
} as const satisfies Record<string, Endpoint>;
