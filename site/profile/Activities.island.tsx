import { useSearch } from '#site/client/address.ts';
import { activitiesTexts as texts } from '#texts/profile.ts';
import { readActivitiesView } from './activities-view.ts';
import { ActivityFilters } from './ActivityFilters.tsx';
import { Figures } from './Figures.tsx';
import { MemberPage, PageHead } from './MemberPage.tsx';
import { OwnPolls } from './OwnPolls.tsx';
import { Places } from './Recent.tsx';
import { Timeline, useActivities } from './Timeline.tsx';
import styles from './Activities.module.css';

/** Everything that a member did, to be searched, and all polls that the member created. */
export default function Activities() {
  return (
    <MemberPage title={texts.pageTitle} loading={texts.loading}>
      {(user) => (
        <>
          <PageHead title={texts.pageTitle} />
          {user === null ? <Waiting /> : <OwnActivities />}
        </>
      )}
    </MemberPage>
  );
}

function OwnActivities() {
  const view = readActivitiesView(useSearch(''));
  const activities = useActivities(view);
  const stats = activities.data?.pages[0]?.stats;
  return (
    <>
      {/* Places for figures promise some. */}
      {!(activities.isError && stats === undefined) && <Figures stats={stats} />}
      <section className={styles.timeline} aria-labelledby="timeline">
        <div className="section-head">
          <h2 id="timeline">{texts.timeline}</h2>
        </div>
        <ActivityFilters view={view} />
        <Timeline view={view} activities={activities} />
      </section>
      <OwnPolls view={view} total={stats?.polls} />
    </>
  );
}

function Waiting() {
  return (
    <>
      <Figures stats={undefined} />
      <section className={styles.timeline}>
        <div className="section-head">
          <h2>{texts.timeline}</h2>
        </div>
        <div className={`skeleton ${styles.filtersPlace}`} />
        <Places count={8} />
      </section>
    </>
  );
}
