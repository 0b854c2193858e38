import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import type { GuessAccuracy } from '#api/polls/guesses/guesses.contract.ts';
import * as limits from '#contract/limits.ts';
import type { Profile as ProfileData } from '#api/members/profile/profile.contract.ts';
import { displayName } from '#domain/display-name.ts';
import { readWithin } from '#domain/guess.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { Failed, Stale } from '#site/client/MemberPageParts.tsx';
import { ListedPoll } from '#site/polls/list/ListedPoll.tsx';
import { PollGrid, PollPlaceholders } from '#site/polls/list/PollList.tsx';
import { Avatar } from '#site/ui/Avatar.tsx';
import { formatCount, formatDay } from '#site/ui/format.ts';
import { nowStepMs, RelativeTime, useNow } from '#site/ui/RelativeTime.tsx';
import { guessTexts } from '#texts/guess.ts';
import { profileTexts as texts } from '#texts/profile.ts';
import { Achievements } from './Achievements.tsx';
import { ActivityEntry, EntryPlaceholders } from './Entries.tsx';
import { Figures, MemberPage } from './MemberPage.tsx';
import styles from './Profile.module.css';
import { Year } from './Year.tsx';

/** The member's profile: totals, badges, latest polls and activities, and the past year. */
export default function Profile() {
  return (
    <MemberPage title={texts.pageTitle} loading={texts.loading}>
      {(user) => (user === null ? <Sections user={null} profile={undefined} /> : <OwnProfile user={user} />)}
    </MemberPage>
  );
}

function OwnProfile({ user }: { readonly user: User }) {
  const { data, isError, isFetching } = useProfile();
  return (
    <>
      <Sections user={user} profile={data} failed={isError} pending={isFetching} />
      {isError && data !== undefined && <Stale pending={isFetching} />}
    </>
  );
}

interface SectionsProps {
  readonly user: User | null;
  readonly profile: ProfileData | undefined;
  readonly failed?: boolean;
  readonly pending?: boolean;
}

function Sections({ user, profile, failed = false, pending = false }: SectionsProps) {
  if (failed && profile === undefined)
    return (
      <>
        <Person user={user} />
        <Failed title={texts.failedTitle} pending={pending} />
      </>
    );
  return (
    <>
      <Person user={user} />
      <Figures stats={profile?.stats} />
      {profile?.accuracy && <Guesses accuracy={profile.accuracy} />}
      <Achievements badges={profile?.badges} />
      <RecentPolls polls={profile?.polls} />
      <RecentActivity activities={profile?.activities} />
      <Year known={user !== null} />
    </>
  );
}

function useProfile() {
  return useQuery(
    { queryKey: queryKeys.profile, queryFn: ({ signal }) => callApi('profile', { signal }) },
    queryClient(),
  );
}

/** The member: picture, name, email, and join date. */
function Person({ user }: { readonly user: User | null }) {
  if (user === null)
    return (
      <header className={styles.person}>
        <span className={`skeleton ${styles.picture}`} />
        <div className={styles.personText}>
          <span className={`skeleton ${styles.name}`} />
          <span className={`skeleton ${styles.line}`} />
        </div>
        <span className={`skeleton ${styles.settings} ${styles.button}`} />
      </header>
    );
  const name = displayName(user);
  return (
    <header className={styles.person}>
      <Avatar person={{ ...user, name }} size="large" />
      <div className={styles.personText}>
        <h1 className={styles.name} dir="auto">
          {name}
        </h1>
        <p className={styles.personFacts}>
          <span>@{user.username}</span>
          {user.email !== null && <span dir="auto">{user.email}</span>}
          <span>
            {texts.joined} <time dateTime={user.createdAt}>{formatDay(user.createdAt)}</time>
          </span>
        </p>
      </div>
      <a className={`button button--small ${styles.settings}`} href="/profile/account">
        {texts.settings}
      </a>
    </header>
  );
}

/** The member’s guessing accuracy. */
function Guesses({ accuracy }: { readonly accuracy: GuessAccuracy }) {
  return (
    <p>
      <strong>{guessTexts.profile}:</strong>{' '}
      {guessTexts.calibration(readWithin(accuracy) ?? 0, accuracy.guesses, formatCount(accuracy.guesses))}
    </p>
  );
}

/** The member's latest activities. */
function RecentActivity({ activities }: { readonly activities: ProfileData['activities'] | undefined }) {
  const id = useId();
  return (
    <section aria-labelledby={id} aria-busy={activities === undefined}>
      <div className="section-head">
        <h2 id={id}>{texts.recent.heading}</h2>
      </div>
      {activities === undefined ? (
        <EntryPlaceholders count={limits.profileRecent} />
      ) : activities.length === 0 ? (
        <div className={styles.empty}>
          <p>{texts.recent.empty}</p>
        </div>
      ) : (
        <>
          <ul className={styles.list}>
            {activities.slice(0, limits.profileRecent).map((activity) => (
              <ActivityEntry
                key={activity.id}
                activity={activity}
                time={<RelativeTime moment={activity.createdAt} />}
              />
            ))}
          </ul>
          <p className={`no-print ${styles.more}`}>
            <a href="/profile/activities">{texts.recent.all}</a>
          </p>
        </>
      )}
    </section>
  );
}

/** The polls that the member created most recently. */
function RecentPolls({ polls }: { readonly polls: ProfileData['polls'] | undefined }) {
  const id = useId();
  const now = (useNow() ?? 0) + nowStepMs;
  return (
    <section aria-labelledby={id} aria-busy={polls === undefined}>
      <div className="section-head">
        <h2 id={id}>{texts.polls.heading}</h2>
      </div>
      {polls === undefined ? (
        <PollPlaceholders count={limits.profileRecent} />
      ) : polls.length === 0 ? (
        <div className={styles.empty}>
          <p>{texts.polls.empty}</p>
          <a className="button" href="/community-polls/new">
            {texts.polls.create}
          </a>
        </div>
      ) : (
        <>
          <PollGrid
            cards={polls.slice(0, limits.profileRecent).map((poll) => (
              <ListedPoll key={poll.id} poll={poll} now={now} />
            ))}
          />
          <p className={`no-print ${styles.more}`}>
            <a href="/profile/activities">{texts.polls.all}</a>
          </p>
        </>
      )}
    </section>
  );
}
