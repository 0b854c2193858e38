import { AdminPage } from '#site/admin/AdminPage.tsx';
import { TimeZone } from '#site/admin/TimeZone.tsx';

export default function SettingsPage() {
  return (
    <AdminPage page="settings">
      <TimeZone />
    </AdminPage>
  );
}
