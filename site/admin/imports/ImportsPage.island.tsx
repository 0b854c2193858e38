import { AdminPage } from '#site/admin/AdminPage.tsx';
import { ImportPolls } from './ImportPolls.tsx';
import { ImportHistory } from './ImportHistory.tsx';

export default function ImportsPage() {
  return (
    <AdminPage page="imports">
      <ImportPolls />
      <ImportHistory />
    </AdminPage>
  );
}
