import { useAdminQuery } from '#site/admin/AdminList.tsx';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';
import { setAddress } from '#site/admin/use-address.ts';
import { siteZone } from '#site/ui/format.ts';
import { adminPages } from '#texts/admin-pages.ts';
import { insightTexts as texts } from '#texts/insights.ts';
import { InsightFigures } from './InsightFigures.tsx';

/** The insights of one poll, below a heading of the level above `level`. */
export function PollInsights({ pollId, level = 3 }: { readonly pollId: string; readonly level?: 3 | 4 }) {
  const query = useAdminQuery('pollInsights', { params: { id: pollId } });
  return (
    <div className="stack">
      <Loaded query={query}>
        {(insights) => (
          <>
            <p className="lede" dir="auto">
              {insights.question}
            </p>
            <InsightFigures insights={insights} timeZone={siteZone()} level={level} />
          </>
        )}
      </Loaded>
    </div>
  );
}

/** The insights of one poll as an admin page, with the way back to the list. */
export function PollInsightsPage({ pollId }: { readonly pollId: string }) {
  return (
    <>
      <p>
        <a
          className="back-link"
          href={adminPages.polls.path}
          onClick={(event) => {
            event.preventDefault();
            setAddress({ poll: null, view: null });
          }}
        >
          <span aria-hidden="true">←</span> {texts.back}
        </a>
      </p>
      <AdminSection anchor="insights" heading={texts.heading} text={texts.pollText}>
        <PollInsights pollId={pollId} />
      </AdminSection>
    </>
  );
}
