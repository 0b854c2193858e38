import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/account.ts';
import type { Profile as ProfileAnswer } from '#contract/profile.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { profileTexts } from '#texts/profile.ts';
import { Achievements } from './Achievements.tsx';
import { Failed, Stale } from './Failed.tsx';
import { Figures } from './Figures.tsx';
import { MemberPage } from './MemberPage.tsx';
import { Person } from './Person.tsx';
import styles from './Profile.module.css';
import { RecentActivity, RecentPolls } from './Recent.tsx';
import { Year } from './Year.tsx';

/** What a member did here, as a page of an album: figures, badges, polls, the latest doings, and the year. */
export default function Profile() {
  return (
    <MemberPage title={profileTexts.pageTitle} loading={profileTexts.loading}>
      {(user) => (user === null ? <Pages user={null} profile={undefined} /> : <OwnProfile user={user} />)}
    </MemberPage>
  );
}

function OwnProfile({ user }: { readonly user: User }) {
  const { data, isError, isFetching } = useProfile();
  return (
    <>
      <Pages user={user} profile={data} failed={isError} pending={isFetching} />
      {isError && data !== undefined && <Stale pending={isFetching} />}
    </>
  );
}

interface PagesProps {
  readonly user: User | null;
  readonly profile: ProfileAnswer | undefined;
  readonly failed?: boolean;
  readonly pending?: boolean;
}

function Pages({ user, profile, failed = false, pending = false }: PagesProps) {
  if (failed && profile === undefined)
    return (
      <>
        <Person user={user} />
        <Failed title={profileTexts.failedTitle} pending={pending} />
      </>
    );
  return (
    <>
      <Person user={user} />
      <Figures stats={profile?.stats} />
      <Achievements badges={profile?.badges} />
      <div className={styles.columns}>
        <RecentPolls polls={profile?.polls} />
        <RecentActivity activities={profile?.activities} />
      </div>
      <Year known={user !== null} />
    </>
  );
}

/** The signed-in member with the latest doings and all badges. Only asked for by parts that a member alone sees. */
function useProfile() {
  return useQuery(
    { queryKey: queryKeys.profile, queryFn: ({ signal }) => callApi('profile', { signal }) },
    queryClient(),
  );
}
