import { useQuery } from '@tanstack/react-query';
import { adminKey, callAdmin } from '#site/admin/admin-session.ts';
import { Loaded } from '#site/admin/AdminSection.tsx';
import { queryClient } from '#site/client/query-client.ts';
import { insightTexts as texts } from '#texts/insights.ts';
import { InsightFigures } from './InsightFigures.tsx';

/** The time zone of this device. */
const deviceZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The insights of one poll, below a heading of the level above `level`. */
export function PollInsights({ pollId, level = 3 }: { readonly pollId: string; readonly level?: 3 | 4 }) {
  const query = useQuery(
    {
      queryKey: [...adminKey, 'insights', pollId],
      queryFn: ({ signal }) => callAdmin('pollInsights', { params: { id: pollId }, signal }),
    },
    queryClient(),
  );
  return (
    <div className="stack">
      <p className="muted">{texts.pollText}</p>
      <Loaded query={query}>
        {(insights) => <InsightFigures insights={insights} timeZone={deviceZone()} level={level} />}
      </Loaded>
    </div>
  );
}
