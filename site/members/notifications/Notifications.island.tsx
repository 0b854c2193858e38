import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { BodyOf } from '#api/endpoints.contract.ts';
import * as limits from '#contract/limits.ts';
import type { Notification, NotificationPage } from '#api/members/notifications/notifications.contract.ts';
import { goTo, useSearch } from '#site/client/address.ts';
import { callApi } from '#site/client/api.ts';
import { AuthProvider } from '#site/client/auth.tsx';
import { failureSentence } from '#site/client/failure-text.ts';
import { MemberGate } from '#site/client/MemberGate.tsx';
import { MemberData, PageHead, Stale } from '#site/client/MemberPageParts.tsx';
import { PageLink } from '#site/client/PageLink.tsx';
import { queryClient, queryKeys, updateCached } from '#site/client/query-client.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { RelativeTime } from '#site/ui/RelativeTime.tsx';
import { dismissFailure, toast } from '#site/ui/toasts.ts';
import { accountFailureTexts } from '#texts/accounts.ts';
import { notificationPath, notificationText, notificationTexts as texts } from '#texts/notifications.ts';
import { DigestSettings } from './DigestSettings.tsx';
import { FeedSettings } from './FeedSettings.tsx';
import { KindSettings } from './KindSettings.tsx';
import styles from './Notifications.module.css';
import { unreadChanged, watchOtherTabs } from './unread.ts';

/** The page with a member’s notifications, what they are notified of, and their feed. */
export default function Notifications() {
  return (
    <AuthProvider>
      <MemberGate title={texts.pageTitle}>{() => <OwnNotifications />}</MemberGate>
    </AuthProvider>
  );
}

function OwnNotifications() {
  const page = pageOf(useSearch(''));
  const query = useQuery(
    {
      queryKey: [...queryKeys.notifications, page],
      queryFn: ({ signal }) => callApi('notifications', { query: { page }, signal }),
      placeholderData: keepPreviousData,
    },
    queryClient(),
  );
  useEffect(watchOtherTabs, []);
  return (
    <div className={styles.page}>
      <PageHead title={texts.pageTitle} />
      <MemberData query={query} texts={texts}>
        {(data) => (
          <>
            <List data={data} page={page} busy={query.isPlaceholderData} />
            {query.isError && <Stale pending={query.isFetching} />}
            <KindSettings muted={data.muted} />
            {data.digestTo !== null && <DigestSettings digest={data.digest} to={data.digestTo} />}
            <FeedSettings createdAt={data.feedCreatedAt} />
          </>
        )}
      </MemberData>
    </div>
  );
}

const lastPage = limits.notificationsShown / limits.notificationPageSize;

/** The page number in the address; 1 if there is no such page. */
function pageOf(search: string): number {
  const page = Number(new URLSearchParams(search).get('page') ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= lastPage ? page : 1;
}

function useMarkRead() {
  return useMutation(
    {
      mutationFn: (body: BodyOf<'readNotifications'>) => callApi('readNotifications', { body, keepalive: true }),
      async onSuccess({ unread }, { notificationId: id, until }) {
        unreadChanged(unread);
        await updateCached<NotificationPage>(
          queryKeys.notifications,
          (data) => ({
            ...data,
            unread,
            notifications: data.notifications.map((one) =>
              (id === undefined || one.id === id) && one.at <= until ? { ...one, read: true } : one,
            ),
          }),
          true,
        );
      },
      onMutate: dismissFailure,
      onError: (error: Error) =>
        toast({
          title: texts.markFailed,
          text: failureSentence(error, accountFailureTexts.unknown),
          destructive: true,
        }),
    },
    queryClient(),
  );
}

interface ListProps {
  readonly data: NotificationPage;
  readonly page: number;
  /** Another page is loading. */
  readonly busy: boolean;
}

function List({ data: { notifications, total, unread, newest }, page, busy }: ListProps) {
  const { mutate, isPending } = useMarkRead();
  const status = useRef<HTMLParagraphElement>(null);
  const pages = Math.max(1, Math.ceil(total / limits.notificationPageSize));
  const linkTo = (to: number) => {
    const address = to === 1 ? texts.path : `${texts.path}?page=${to}`;
    return {
      href: to >= 1 && to <= pages ? address : undefined,
      onPress() {
        goTo(address);
        status.current?.focus();
      },
    };
  };
  // The focused button disappears.
  const markRead = (body: BodyOf<'readNotifications'>) => {
    if (isPending) return;
    mutate(body);
    status.current?.focus({ preventScroll: true });
  };

  const open = (notification: Notification) => {
    if (notification.read) return;
    // The next page may be shown before the response arrives.
    unreadChanged(unread - 1);
    mutate(seen(notification));
  };

  if (total === 0)
    return <Notice title={texts.emptyTitle} text={texts.emptyText} level={2} action={texts.emptyAction} href="/" />;
  return (
    <div>
      <div className={styles.bar}>
        <p ref={status} role="status" tabIndex={-1}>
          {texts.unread(unread)}
        </p>
        {unread > 0 && newest !== null && (
          <button
            type="button"
            className="button button--small"
            aria-disabled={isPending}
            onClick={() => markRead({ until: newest })}
          >
            {texts.markAll}
          </button>
        )}
      </div>
      <ul className={busy ? styles.faded : undefined} aria-busy={busy}>
        {notifications.map((notification) => (
          <Entry
            key={notification.id}
            notification={notification}
            onRead={() => markRead(seen(notification))}
            onOpen={() => open(notification)}
          />
        ))}
      </ul>
      {(pages > 1 || page > 1) && (
        <nav className={styles.pages} aria-label={texts.pages}>
          <PageLink text={texts.newer} rel="prev" {...linkTo(Math.min(page, pages + 1) - 1)} />
          <p className="figure">{texts.page(page, pages)}</p>
          <PageLink text={texts.older} rel="next" {...linkTo(page + 1)} />
        </nav>
      )}
    </div>
  );
}

/** Marks a notification as it was shown: a comment that came later stays unread. */
const seen = ({ id, at }: Notification) => ({ notificationId: id, until: at });

interface EntryProps {
  readonly notification: Notification;
  readonly onRead: () => void;
  /** Its link was followed. */
  readonly onOpen: () => void;
}

function Entry({ notification, onRead, onOpen }: EntryProps) {
  const { at, read, reason } = notification;
  const [path, text] = [notificationPath(notification), notificationText(notification)];
  return (
    <li className={read ? styles.entry : `${styles.entry} ${styles.unread}`}>
      <div className={styles.words}>
        <p dir="auto" className={styles.text}>
          {!read && <span className="visually-hidden">{texts.isUnread}: </span>}
          {path === null ? (
            text
          ) : (
            <a href={path} onClick={onOpen} onAuxClick={onOpen}>
              {text}
            </a>
          )}
        </p>
        {reason !== null && <p dir="auto">{texts.reason(reason)}</p>}
        <p className="muted small">
          <RelativeTime moment={at} />
        </p>
      </div>
      {!read && (
        <button
          type="button"
          className="button button--small no-print"
          aria-label={texts.markReadOf(text)}
          onClick={onRead}
        >
          {texts.markRead}
        </button>
      )}
    </li>
  );
}
