import { AdminPage } from '#site/admin/AdminPage.tsx';
import { Members } from './Members.tsx';

export default function MembersPage() {
  return (
    <AdminPage page="members">
      <Members />
    </AdminPage>
  );
}
