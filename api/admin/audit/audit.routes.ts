import type { MountGuarded } from '#platform/operator.ts';
import type { Database } from '#platform/database.ts';
import { auditExport, auditPage } from './audit-log.service.ts';
import type { ContentTitles } from './audit-subjects.service.ts';

/** The endpoints that read the audit log. */
export function mountAuditLog(guarded: MountGuarded, db: Database, titles: ContentTitles): void {
  guarded('auditLog', ({ query }) => auditPage(db, query, titles));
  guarded('exportAuditLog', ({ ctx, query: { format = 'csv', ...filters } }) => {
    ctx.body = auditExport(db, format, filters);
    ctx.type = format;
    ctx.attachment(`audit-log.${format}`);
    return Promise.resolve(undefined);
  });
}
