import { AdminPage } from '#site/admin/AdminPage.tsx';
import { Allowed } from '#site/admin/AdminSection.tsx';
import { ImportPolls } from '#site/admin/imports/ImportPolls.tsx';
import { Checklist } from './Checklist.tsx';
import { Today } from './Today.tsx';

export default function TodayPage() {
  return (
    <AdminPage page="today">
      <Today />
      <Allowed to="owner">
        <Checklist />
      </Allowed>
      <Allowed to="editor">
        <ImportPolls />
      </Allowed>
    </AdminPage>
  );
}
