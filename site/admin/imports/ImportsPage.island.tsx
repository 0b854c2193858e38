import { AdminPage } from '#site/admin/AdminPage.tsx';
import { Exports } from './Exports.tsx';
import { ImportHistory } from './ImportHistory.tsx';
import { ImportPolls } from './ImportPolls.tsx';

export default function ImportsPage() {
  return (
    <AdminPage page="imports">
      <ImportPolls />
      <ImportHistory />
      <Exports />
    </AdminPage>
  );
}
