import styles from '#site/admin/Admin.module.css';
import { useAllowed } from '#site/admin/admin-session.ts';
import { AdminPage } from '#site/admin/AdminPage.tsx';
import { Allowed } from '#site/admin/AdminSection.tsx';
import { PollInsightsPage } from '#site/admin/insights/PollInsights.tsx';
import { SiteInsights } from '#site/admin/insights/SiteInsights.tsx';
import { useAddress } from '#site/admin/use-address.ts';
import { adminPages } from '#texts/admin-pages.ts';
import { adminSignInTexts } from '#texts/operators.ts';
import { pollListTexts as texts } from '#texts/poll-editor.ts';
import { Calendar } from './Calendar.tsx';
import { Featured } from './Featured.tsx';
import { PollEditor } from './PollEditor.tsx';
import { PollList } from './PollList.tsx';

/** The list of polls or their calendar, or the editor or the insights of the poll that the address names. */
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
      <p className="muted">{adminSignInTexts.notForRole('editor')}</p>
    );
  if (address.get('view') === 'calendar')
    return (
      <>
        <Views shown="calendar" />
        <Calendar />
      </>
    );
  return (
    <>
      <Views shown="list" />
      <PollList />
      <Allowed to="moderator">
        <Featured />
      </Allowed>
      <SiteInsights />
    </>
  );
}

/** The polls as a list, or in the months in which they open and close. */
function Views({ shown }: { readonly shown: keyof typeof texts.views }) {
  return (
    <nav className={styles.views} aria-label={texts.viewsLabel}>
      {Object.entries(texts.views).map(([view, label]) => (
        <a
          key={view}
          href={view === 'list' ? adminPages.polls.path : `?view=${view}`}
          aria-current={view === shown ? 'true' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}
