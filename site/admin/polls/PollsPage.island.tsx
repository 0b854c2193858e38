import { AdminPage } from '#site/admin/AdminPage.tsx';
import { PollList } from './PollList.tsx';
import { Featured } from './Featured.tsx';

export default function PollsPage() {
  return (
    <AdminPage page="polls">
      <PollList />
      <Featured />
    </AdminPage>
  );
}
