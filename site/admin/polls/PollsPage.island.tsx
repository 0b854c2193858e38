import { AdminPage } from '#site/admin/AdminPage.tsx';
import { PollInsightsPage } from '#site/admin/insights/PollInsights.tsx';
import { SiteInsights } from '#site/admin/insights/SiteInsights.tsx';
import { useAddress } from '#site/admin/use-address.ts';
import { Featured } from './Featured.tsx';
import { PollEditor } from './PollEditor.tsx';
import { PollList } from './PollList.tsx';

/** The list of polls, or the editor or the insights of the poll that the address names. */
export default function PollsPage() {
  return (
    <AdminPage page="polls">
      <Content />
    </AdminPage>
  );
}

function Content() {
  const [address] = useAddress();
  const poll = address.get('poll');
  if (poll !== null && address.get('view') === 'insights') return <PollInsightsPage pollId={poll} />;
  if (poll !== null) return <PollEditor key={poll} id={poll} />;
  return (
    <>
      <PollList />
      <Featured />
      <SiteInsights />
    </>
  );
}
