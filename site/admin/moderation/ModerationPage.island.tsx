import { AdminPage } from '#site/admin/AdminPage.tsx';
import { Integrity } from './Integrity.tsx';
import { Members } from './Members.tsx';
import { Reports } from './Reports.tsx';

/** Reports and appeals, flagged votes, and members. */
export default function ModerationPage() {
  return (
    <AdminPage page="moderation">
      <Reports />
      <Integrity />
      <Members />
    </AdminPage>
  );
}
