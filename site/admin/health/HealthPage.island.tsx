import { AdminPage } from '#site/admin/AdminPage.tsx';
import { Allowed } from '#site/admin/AdminSection.tsx';
import { AuditLog } from './AuditLog.tsx';
import { Backups } from './Backups.tsx';
import { DiskSpace, Publish } from './Publish.tsx';

/** Whether the site works: publishing, backups, and for owners everything that operators did. */
export default function HealthPage() {
  return (
    <AdminPage page="health">
      <DiskSpace />
      <Publish />
      <Allowed to="owner">
        <Backups />
        <AuditLog />
      </Allowed>
    </AdminPage>
  );
}
