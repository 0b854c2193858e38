import { useId } from 'react';
import * as limits from '#contract/limits.ts';
import type { Profile } from '#contract/profile.ts';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { profileTexts } from '#texts/profile.ts';
import { ActivityEntry } from './ActivityEntry.tsx';
import { OwnPoll } from './OwnPoll.tsx';
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

const pollTexts = profileTexts.polls;

/** The polls that the member created last. */
export function RecentPolls({ polls }: { readonly polls: Profile['polls'] | undefined }) {
  const id = useId();
  return (
    <section aria-labelledby={id} aria-busy={polls === undefined}>
      <div className="section-head">
        <h2 id={id}>{pollTexts.heading}</h2>
      </div>
      {polls === undefined ? (
        <Places count={limits.profileRecent} />
      ) : polls.length === 0 ? (
        <div className={styles.empty}>
          <p>{pollTexts.empty}</p>
          <a className="button" href="/community-polls">
            {pollTexts.create}
          </a>
        </div>
      ) : (
        <>
          <ul className={styles.list}>
            {polls.slice(0, limits.profileRecent).map((poll) => (
              <OwnPoll key={poll.id} poll={poll} />
            ))}
          </ul>
          <p className={`no-print ${styles.more}`}>
            <a href="/profile/activities">{pollTexts.all}</a>
          </p>
        </>
      )}
    </section>
  );
}

/** Places of entries that are on their way, as high as these are. */
export function Places({ count }: { readonly count: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={styles.place}>
          <span className="skeleton" />
          <span className="skeleton" />
        </div>
      ))}
    </div>
  );
}
