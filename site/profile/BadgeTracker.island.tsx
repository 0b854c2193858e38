import type { BadgeTracker as Tracker } from '#contract/profile.ts';
import { trackerTexts as texts } from '#texts/profile.ts';
import { BadgeAlbum } from './BadgeAlbum.tsx';
import { Failed, Stale } from './Failed.tsx';
import { MemberPage } from './MemberPage.tsx';
import { OverallProgress } from './OverallProgress.tsx';
import { PageHead } from './PageHead.tsx';
import { useBadgeTracker } from './use-badge-tracker.ts';

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
