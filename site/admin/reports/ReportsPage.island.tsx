import { AdminPage } from '#site/admin/AdminPage.tsx';
import { Reports } from './Reports.tsx';
import { Integrity } from './Integrity.tsx';

export default function ReportsPage() {
  return (
    <AdminPage page="reports">
      <Reports />
      <Integrity />
    </AdminPage>
  );
}
