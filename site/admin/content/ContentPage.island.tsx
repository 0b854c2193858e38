import { AdminPage } from '#site/admin/AdminPage.tsx';

export default function ContentPage() {
  return <AdminPage page="content">{null}</AdminPage>;
}
