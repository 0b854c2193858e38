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
  'setup.confirm',
  'setup.dismiss',
  'setup.test-mail',
  'setup.test-backup',
] as const;
export type AuditAction = (typeof auditActions)[number];
