import { useAdminQuery } from '#site/admin/AdminList.tsx';
import { AdminSection, Loaded } from '#site/admin/AdminSection.tsx';
import { siteZone } from '#site/ui/format.ts';
import { insightTexts as texts } from '#texts/insights.ts';
import { InsightFigures } from './InsightFigures.tsx';

/** The insights of all polls of the operator, as a section of an admin page. */
export function SiteInsights() {
  const query = useAdminQuery('siteInsights');
  return (
    <AdminSection anchor="insights" heading={texts.heading} text={texts.siteText}>
      <Loaded query={query}>
        {(insights) => (
          <InsightFigures insights={insights} timeZone={siteZone()} level={3} covers={texts.sinceBeginning} />
        )}
      </Loaded>
    </AdminSection>
  );
}
