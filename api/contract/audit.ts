/** What operators do, as the audit log names it. */
export const auditActions = [
  'poll.close',
  'poll.edit',
  'poll.reopen',
  'import.undo',
  'release.return',
  'release.unpin',
  'site.publish',
  'demonstration.remove',
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
] as const;
export type AuditAction = (typeof auditActions)[number];
