import { AdminPage } from '#site/admin/AdminPage.tsx';

export default function CalendarPage() {
  return <AdminPage page="calendar">{null}</AdminPage>;
}
