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
  'webhook.create',
  'webhook.change',
  'webhook.delete',
  'webhook.rotate',
] as const;
export type AuditAction = (typeof auditActions)[number];
