import { useEffect, useState } from 'react';
import type { PollDoing } from '#contract/profile.ts';
import { AuthProvider, useAuth, useUserSummary } from '#site/client/auth.tsx';
import { announceBadges, afterMemberActed, tellCopiedLinks, tellOpened } from './badge-news.ts';

interface BadgeNewsProps {
  /** The poll whose page this is. */
  readonly opened?: PollDoing | undefined;
}

/**
 * Shows nothing by itself. On every page of a member it tells the server which poll was opened and which links were
 * copied, and announces badges that were just earned (decision 081).
 */
export default function BadgeNews(props: BadgeNewsProps) {
  return (
    <AuthProvider>
      <OfMember {...props} />
    </AuthProvider>
  );
}

function OfMember(props: BadgeNewsProps) {
  const { user } = useAuth();
  return user === null ? null : <News key={user.id} {...props} />;
}

function News({ opened }: BadgeNewsProps) {
  // What comes of opening this poll is in the first answer.
  const [told, setTold] = useState(opened === undefined);
  const { data, dataUpdatedAt, refetch } = useUserSummary(told);

  useEffect(() => {
    if (opened) void tellOpened(opened).then(() => setTold(true));
  }, [opened]);
  useEffect(() => tellCopiedLinks(() => void refetch()), [refetch]);
  useEffect(() => afterMemberActed(() => void refetch()), [refetch]);

  useEffect(() => {
    if (data) void announceBadges(data.newBadges.map(({ key }) => key));
  }, [data, dataUpdatedAt]);

  return null;
}
