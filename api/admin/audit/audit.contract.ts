import { Type } from 'typebox';
import { get } from '#contract/route.ts';
import type { Endpoint } from '#contract/route.ts';
import { adjusted, count, described, maybeText, moment, named, oneOf, query, soughtText } from '#contract/schema.ts';
import type { Static } from '#contract/schema.ts';

/** What operators do, as the audit log names it. */
export const auditActions = [
  'draft.create',
  'draft.discard',
  'draft.edit',
  'draft.repeat',
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
const auditRecordSchema = named('AuditRecord', {
  id: Type.Integer(),
  at: moment,
  actor: Type.String({ description: 'Name at the time; “operator”: the shared password, “terminal”: a command' }),
  actorId: described(maybeText, 'The member; null for others'),
  action: Type.String(),
  kind: Type.String({ description: 'Kind of what was changed, such as “poll”' }),
  subject: Type.String({ description: 'Its id' }),
  before: Type.Unknown({ description: 'The changed fields before; null: nothing' }),
  after: Type.Unknown({ description: 'The changed fields after; null: nothing' }),
  title: Type.Optional(described(maybeText, 'Name of what was changed; null: it has none. Not in exports')),
  path: Type.Optional(described(maybeText, 'Path of a page that shows what was changed; null: none. Not in exports')),
});
export type AuditRecord = Static<typeof auditRecordSchema>;

/** One page of the audit log. */
const auditLogSchema = named('AuditLog', {
  entries: Type.Array(auditRecordSchema, { description: 'Newest first' }),
  total: count,
  actors: Type.Optional(
    Type.Array(Type.String(), { description: 'Everyone in the whole log, on the first page without filters' }),
  ),
});
export type AuditLog = Static<typeof auditLogSchema>;

const filters = {
  search: adjusted(soughtText, {
    maxLength: 100,
    description: 'Words, each somewhere in an entry or in the text of its action',
  }),
  actor: adjusted(soughtText, { maxLength: 80 }),
  action: oneOf(auditActions),
  from: described(moment, 'Not before this moment'),
  to: described(moment, 'Before this moment'),
};
const auditQuerySchema = query({ ...filters, page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }) });
const auditExportQuerySchema = query({ ...filters, format: oneOf(['csv', 'json'], { default: 'csv' }) });
export type AuditFilters = Partial<Omit<Static<typeof auditQuerySchema>, 'page'>>;

const errors = ['VALIDATION_FAILED', 'ADMIN_REQUIRED', 'FORBIDDEN', 'CONFIRMATION_REQUIRED'] as const;

/** Reading the audit log. */
export const auditEndpoints = {
  auditLog: {
    ...get('/api/admin/audit'),
    admin: 'owner',
    summary: 'Changes by operators, newest first',
    query: auditQuerySchema,
    status: 200,
    response: auditLogSchema,
    errors,
  },
  exportAuditLog: {
    ...get('/api/admin/audit/export'),
    admin: 'owner',
    summary: 'All matching entries of the audit log, newest first, as CSV or as a JSON array',
    query: auditExportQuerySchema,
    status: 200,
    responseType: 'text/csv',
    errors,
  },
} as const satisfies Record<string, Endpoint>;
