import { AdminPage } from '#site/admin/AdminPage.tsx';
import { TimeZone } from '#site/admin/TimeZone.tsx';
import { Webhooks } from '#site/admin/webhooks/Webhooks.tsx';

export default function SettingsPage() {
  return (
    <AdminPage page="settings">
      <TimeZone />
      <Webhooks />
    </AdminPage>
  );
}
