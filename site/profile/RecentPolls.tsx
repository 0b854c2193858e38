import { useId } from 'react';
import { limits } from '#contract/limits.ts';
import type { Profile } from '#contract/profile.ts';
import { profileTexts } from '#texts/profile.ts';
import { OwnPoll } from './OwnPoll.tsx';
import { Places } from './Places.tsx';
import styles from './Recent.module.css';

const texts = profileTexts.polls;

/** The polls that the member created last. */
export function RecentPolls({ polls }: { readonly polls: Profile['polls'] | undefined }) {
  const id = useId();
  return (
    <section aria-labelledby={id} aria-busy={polls === undefined}>
      <div className="section-head">
        <h2 id={id}>{texts.heading}</h2>
      </div>
      {polls === undefined ? (
        <Places count={limits.profileRecent} />
      ) : polls.length === 0 ? (
        <div className={styles.empty}>
          <p>{texts.empty}</p>
          <a className="button" href="/community-polls">
            {texts.create}
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
            <a href="/profile/activities">{texts.all}</a>
          </p>
        </>
      )}
    </section>
  );
}
