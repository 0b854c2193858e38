import { useQuery } from '@tanstack/react-query';
import type { BadgeTracker as Tracker, Tally } from '#contract/profile.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { trackerTexts as texts } from '#texts/profile.ts';
import { BadgeAlbum } from './BadgeAlbum.tsx';
import { Failed, Stale } from './Failed.tsx';
import { MemberPage, PageHead } from './MemberPage.tsx';
import { Meter } from './Meter.tsx';
import styles from './OverallProgress.module.css';

/** Every badge that the member may know of, and how far each is. */
export default function BadgeTracker() {
  return (
    <MemberPage title={texts.pageTitle} loading={texts.loading}>
      {(user) => (user === null ? <Pages tracker={undefined} /> : <OwnBadges />)}
    </MemberPage>
  );
}

function OwnBadges() {
  const { data, isError, isFetching } = useBadgeTracker();
  if (data === undefined && isError)
    return (
      <>
        <PageHead title={texts.pageTitle} />
        <Failed title={texts.failedTitle} pending={isFetching} />
      </>
    );
  return (
    <>
      <Pages tracker={data} />
      {isError && <Stale pending={isFetching} />}
    </>
  );
}

function Pages({ tracker }: { readonly tracker: Tracker | undefined }) {
  return (
    <>
      <PageHead title={texts.pageTitle}>
        <OverallProgress overall={tracker?.overall} />
      </PageHead>
      <BadgeAlbum tracker={tracker} />
    </>
  );
}

/** All badges that the member may know of, with how far each is. */
function useBadgeTracker() {
  return useQuery(
    { queryKey: queryKeys.badges, queryFn: ({ signal }) => callApi('badges', { signal }) },
    queryClient(),
  );
}

/** How many of all badges are earned. */
function OverallProgress({ overall }: { readonly overall: Tally | undefined }) {
  if (overall === undefined) return <div className={`skeleton ${styles.place}`} />;
  const words = texts.overall(formatCount(overall.earned), formatCount(overall.total));
  return (
    <div className={styles.overall}>
      <p className={styles.words}>
        <span>{words}</span> <b>{formatPercent(overall.percent, 0)}</b>
      </p>
      <Meter percent={overall.percent} />
    </div>
  );
}
