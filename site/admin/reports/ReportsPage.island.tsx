import { AdminPage } from '#site/admin/AdminPage.tsx';
import { Reports } from './Reports.tsx';
import { Integrity } from './Integrity.tsx';
import { VoteBursts } from './VoteBursts.tsx';

export default function ReportsPage() {
  return (
    <AdminPage page="reports">
      <Reports />
      <Integrity />
      <VoteBursts />
    </AdminPage>
  );
}
