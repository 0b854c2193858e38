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
  'poll.unpublish',
  'import.undo',
  'release.return',
  'release.unpin',
  'site.publish',
  'demonstration.remove',
] as const;
export type AuditAction = (typeof auditActions)[number];
