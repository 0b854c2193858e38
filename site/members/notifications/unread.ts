import type { UserSummary } from '#api/members/accounts/accounts.contract.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';

let channel: BroadcastChannel | undefined;

/** Follows what other tabs mark as read; safe to call any number of times. */
export function watchOtherTabs(): void {
  if (channel !== undefined) return;
  channel = new BroadcastChannel('weathervane-notifications');
  channel.addEventListener('message', ({ data }: MessageEvent<number>) => {
    setUnread(data);
    void queryClient().invalidateQueries({ queryKey: queryKeys.notifications });
  });
}

/** Shows the number of unread notifications in the navigation of every tab. */
export function unreadChanged(unread: number): void {
  setUnread(unread);
  watchOtherTabs();
  channel?.postMessage(unread);
}

function setUnread(unreadNotifications: number): void {
  queryClient().setQueryData<UserSummary>(
    queryKeys.userSummary,
    (summary) => summary && { ...summary, unreadNotifications },
  );
}
