/** What operators do, as the audit log names it. */
export const auditActions = [
  'poll.close',
  'poll.edit',
  'poll.reopen',
  'import.run',
  'import.undo',
  'release.return',
  'release.unpin',
  'site.publish',
  'demonstration.remove',
] as const;
export type AuditAction = (typeof auditActions)[number];
