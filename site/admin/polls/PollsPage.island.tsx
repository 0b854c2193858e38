import { useAllowed } from '#site/admin/admin-session.ts';
import { AdminPage } from '#site/admin/AdminPage.tsx';
import { Allowed } from '#site/admin/AdminSection.tsx';
import { PollInsightsPage } from '#site/admin/insights/PollInsights.tsx';
import { SiteInsights } from '#site/admin/insights/SiteInsights.tsx';
import { useAddress } from '#site/admin/use-address.ts';
import { deskSignInTexts } from '#texts/operators.ts';
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
  const mayEdit = useAllowed('editor');
  const poll = address.get('poll');
  if (poll !== null && address.get('view') === 'insights') return <PollInsightsPage pollId={poll} />;
  if (poll !== null)
    return mayEdit ? (
      <PollEditor key={poll} id={poll} />
    ) : (
      <p className="muted">{deskSignInTexts.notForRole('editor')}</p>
    );
  return (
    <>
      <PollList />
      <Allowed to="moderator">
        <Featured />
      </Allowed>
      <SiteInsights />
    </>
  );
}
