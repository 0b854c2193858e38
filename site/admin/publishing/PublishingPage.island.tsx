import { AdminPage } from '#site/admin/AdminPage.tsx';
import { DiskSpace, Publish } from './Publish.tsx';

export default function PublishingPage() {
  return (
    <AdminPage page="publishing">
      <DiskSpace />
      <Publish />
    </AdminPage>
  );
}
