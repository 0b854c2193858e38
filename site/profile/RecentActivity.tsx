import { useId } from 'react';
import { limits } from '#contract/limits.ts';
import type { Profile } from '#contract/profile.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { profileTexts } from '#texts/profile.ts';
import { ActivityEntry } from './ActivityEntry.tsx';
import { Places } from './Places.tsx';
import styles from './Recent.module.css';

const texts = profileTexts.recent;

/** What the member did last, newest first. */
export function RecentActivity({ activities }: { readonly activities: Profile['activities'] | undefined }) {
  const id = useId();
  return (
    <section aria-labelledby={id} aria-busy={activities === undefined}>
      <div className="section-head">
        <h2 id={id}>{texts.heading}</h2>
      </div>
      {activities === undefined ? (
        <Places count={limits.profileRecent} />
      ) : activities.length === 0 ? (
        <div className={styles.empty}>
          <p>{texts.empty}</p>
        </div>
      ) : (
        <>
          <ul className={styles.list}>
            {activities.slice(0, limits.profileRecent).map((activity) => (
              <ActivityEntry
                key={activity.id}
                activity={activity}
                moment={<RelativeTime moment={activity.createdAt} />}
              />
            ))}
          </ul>
          <p className={`no-print ${styles.more}`}>
            <a href="/profile/activities">{texts.all}</a>
          </p>
        </>
      )}
    </section>
  );
}
