import { AdminPage } from '#site/admin/AdminPage.tsx';
import { Calendar } from './Calendar.tsx';

export default function CalendarPage() {
  return (
    <AdminPage page="calendar">
      <Calendar />
    </AdminPage>
  );
}
