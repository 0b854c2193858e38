import { AdminPage } from '#site/admin/AdminPage.tsx';
import { DiskSpace } from '#site/admin/publishing/Publish.tsx';
import { ImportPolls } from '#site/admin/imports/ImportPolls.tsx';

export default function TodayPage() {
  return (
    <AdminPage page="today">
      <DiskSpace />
      <ImportPolls />
    </AdminPage>
  );
}
