import { useEffect, useState } from 'react';
import type { BadgeKey } from '#api/members/badges/badges.contract.ts';
import type { PollEvent } from '#api/members/profile/profile.contract.ts';
import { callApi } from '#site/client/api.ts';
import { AuthProvider, useAuth, useUserSummary } from '#site/client/auth.tsx';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { toast, toastClosed } from '#site/ui/toasts.ts';
import { linkCopiedEvent } from '#site/ui/visit-event.ts';

interface BadgeNewsProps {
  /** The poll of this page. */
  readonly opened?: PollEvent | undefined;
}

/**
 * Renders nothing. On every page of a member it reports the opened poll and copied links to the server, and announces
 * badges that were just earned (decision 081).
 */
export default function BadgeNews(props: BadgeNewsProps) {
  return (
    <AuthProvider>
      <IfSignedIn {...props} />
    </AuthProvider>
  );
}

function IfSignedIn(props: BadgeNewsProps) {
  const { user } = useAuth();
  return user === null ? null : <BadgeEvents key={user.id} {...props} />;
}

function BadgeEvents({ opened }: BadgeNewsProps) {
  // Opening the poll is reported first, so that the first summary includes badges earned by it.
  const [reported, setReported] = useState(opened === undefined);
  const { data, dataUpdatedAt, refetch } = useUserSummary(reported);

  useEffect(() => {
    if (!opened) return;
    void callApi('pollOpened', { body: opened })
      .catch(() => undefined)
      .then(() => setReported(true));
  }, [opened]);
  useEffect(() => reportCopiedLinks(() => void refetch()), [refetch]);
  useEffect(() => onMutationSuccess(() => void refetch()), [refetch]);

  useEffect(() => {
    if (data) void announceBadges(data.newBadges.map(({ key }) => key));
  }, [data, dataUpdatedAt]);

  return null;
}

/** Reports copied links of polls to the server and calls `onReported` after each; returns the unsubscribe function. */
function reportCopiedLinks(onReported: () => void): () => void {
  const report = (event: Event) => {
    const shared = pollOf((event as CustomEvent<string>).detail);
    if (shared) callApi('pollShared', { body: shared }).then(onReported, () => undefined);
  };
  addEventListener(linkCopiedEvent, report);
  return () => removeEventListener(linkCopiedEvent, report);
}

const pollPath = /^\/(poll|community-polls)\/(?!join$)([A-Za-z0-9_-]{1,80})$/;

/** The poll whose page has this URL, or null. */
export function pollOf(address: string): PollEvent | null {
  const [, folder, id] = pollPath.exec(new URL(address, location.href).pathname) ?? [];
  if (folder === undefined || id === undefined) return null;
  return { kind: folder === 'poll' ? 'poll' : 'community', id };
}

/** Calls `listener` after each successful write of the member, such as a vote, unless it leaves the page; returns the unsubscribe function. */
function onMutationSuccess(listener: () => void): () => void {
  const client = queryClient();
  return client.getMutationCache().subscribe((event) => {
    // Signing out and deleting the account are writes too, after which nobody is signed in.
    if (event.type !== 'updated' || event.action.type !== 'success' || event.mutation.meta?.leavesPage === true) return;
    if (client.getQueryData(queryKeys.user)) listener();
  });
}

const queue = new Set<BadgeKey>();
let running = false;

/**
 * Announces badges once the page is visible and no other notification is shown. The server lets only one tab announce a
 * badge, once. After a failure the next summary or the next page announces it.
 */
async function announceBadges(badges: readonly BadgeKey[]): Promise<void> {
  for (const badge of badges) queue.add(badge);
  if (running) return;
  running = true;
  try {
    while (queue.size > 0) {
      // Loaded before the server is told, since without emblems and names nothing can be announced.
      const { badgeToast } = await import('./badge-toast.tsx');
      await pageVisible();
      await toastClosed();
      const next = [...queue];
      queue.clear();
      const granted = await callApi('announceBadges', { body: { badges: next } });
      // Another notification may have been shown during the request.
      await toastClosed();
      if (granted.length > 0) toast(badgeToast(granted.map(({ key }) => key)));
    }
  } catch {
    queue.clear();
  } finally {
    running = false;
  }
}

function pageVisible(): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    check();
  });
}
