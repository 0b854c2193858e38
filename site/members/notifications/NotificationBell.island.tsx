import { useEffect } from 'react';
import { AuthProvider, useAuth, useUserSummary } from '#site/client/auth.tsx';
import { bellTexts, notificationTexts } from '#texts/notifications.ts';
import styles from './NotificationBell.module.css';
import { watchOtherTabs } from './unread.ts';

/** Milliseconds after which a page that becomes visible again asks for the number of unread notifications. */
const freshMs = 60_000;

/** A member’s link to the notifications with the number of unread ones. */
export default function NotificationBell() {
  return (
    <AuthProvider>
      <IfSignedIn />
    </AuthProvider>
  );
}

function IfSignedIn() {
  const { user } = useAuth();
  return user === null ? null : <Bell key={user.id} />;
}

function Bell() {
  // BadgeNews, on every page of a member, fetches the summary: the bell needs no extra request.
  const { data, dataUpdatedAt, refetch } = useUserSummary(false);
  const unread = data?.unreadNotifications ?? 0;
  const { path } = notificationTexts;

  useEffect(watchOtherTabs, []);
  useEffect(() => {
    const refresh = () => {
      if (!document.hidden && dataUpdatedAt > 0 && Date.now() - dataUpdatedAt >= freshMs) void refetch();
    };
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
  }, [dataUpdatedAt, refetch]);

  return (
    <a
      className={styles.bell}
      href={path}
      aria-label={bellTexts.label(unread)}
      aria-current={location.pathname === path ? 'page' : undefined}
    >
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <path d="M4 14.5h12M5.5 14.5V9a4.5 4.5 0 0 1 9 0v5.5M8.25 17.25h3.5M10 4.5V2.75" />
      </svg>
      {unread > 0 && (
        <span className={styles.count} aria-hidden="true">
          {bellTexts.count(unread)}
        </span>
      )}
    </a>
  );
}
