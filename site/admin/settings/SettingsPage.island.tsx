import { AdminPage } from '#site/admin/AdminPage.tsx';

export default function SettingsPage() {
  return <AdminPage page="settings">{null}</AdminPage>;
}
