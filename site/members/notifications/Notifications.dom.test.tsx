import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import type { Notification, NotificationPage } from '#api/members/notifications/notifications.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import Notifications from './Notifications.island.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const anna: User = {
  ...{ id: 'u1', username: 'anna', email: null, firstName: 'Anna', lastName: null, profileImageUrl: null },
  ...{ createdAt: '2026-11-20T08:00:00.000Z', updatedAt: '2026-11-20T08:00:00.000Z' },
};
const tea = { id: 'tea', kind: 'community', question: 'Tea?' } as const;
const told = (id: number, more: Partial<Notification>): Notification => ({
  ...{ id, kind: 'comment', at: '2026-11-20T12:00:00.000Z', read: false, poll: tea, badges: [] },
  ...{ people: 0, lastPerson: null, reason: null, ...more },
});

let page: NotificationPage;
let sent: string[];

beforeEach(() => {
  page = {
    notifications: [
      told(3, { people: 3, lastPerson: 'Ben' }),
      told(2, { kind: 'moderation', poll: null, reason: 'Insults a person' }),
      told(1, { kind: 'badge', poll: null, badges: ['votes_1'], read: true }),
    ],
    ...{
      total: 3,
      unread: 2,
      newest: '2026-11-20T12:00:00.000Z',
      muted: ['badge'],
      feedCreatedAt: null,
      digest: 'off',
      digestTo: null,
    },
  };
  sent = [];
  document.cookie = 'wv_account=1; path=/';
  vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => {
    const { pathname, search } = new URL(address, 'https://polls.test');
    const body = typeof init.body === 'string' ? init.body : '';
    if (init.method !== 'GET') sent.push(`${init.method} ${pathname} ${body}`.trim());
    if (pathname === '/api/user') return Promise.resolve(Response.json(anna));
    if (pathname.endsWith('/read')) {
      const { notificationId = null } = JSON.parse(body) as { notificationId?: number };
      const notifications = page.notifications.map((one) =>
        notificationId === null || one.id === notificationId ? { ...one, read: true } : one,
      );
      page = { ...page, notifications, unread: notifications.filter(({ read }) => !read).length };
      return Promise.resolve(Response.json({ unread: page.unread }));
    }
    if (pathname.endsWith('/digest') || pathname.endsWith('/muted'))
      return Promise.resolve(new Response(null, { status: 204 }));
    if (pathname.endsWith('/feed'))
      return Promise.resolve(
        init.method === 'POST'
          ? Response.json({ path: '/api/notification-feeds/secret' }, { status: 201 })
          : new Response(null, { status: 204 }),
      );
    if (pathname === '/api/user/notifications' && ['?page=1', ''].includes(search))
      return Promise.resolve(Response.json(page));
    return Promise.reject(new Error(address));
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  document.cookie = 'wv_account=; path=/; max-age=0';
  vi.unstubAllGlobals();
});

const button = (name: string) => screen.findByRole('button', { name });

test('each notification says what happened, links to it, and shows whether it is unread', async () => {
  render(<Notifications />);
  const comment = await screen.findByRole('link', { name: 'Ben and 2 others commented on your poll “Tea?”' });
  expect(comment.getAttribute('href')).toBe('/community-polls/tea');
  expect(screen.getByText('Reason: Insults a person')).toBeDefined();
  expect(screen.getByRole('link', { name: 'You earned the badge Light Air' }).getAttribute('href')).toBe(
    '/profile/badges',
  );
  expect(screen.getAllByText('Unread:')).toHaveLength(2);
  expect(screen.getByText('2 unread')).toBeDefined();
});

test('one or all notifications are marked as read, also by opening one, and the focus stays in the list', async () => {
  render(<Notifications />);
  fireEvent.click(await button('Mark as read: Your comment was removed'));
  const status = await screen.findByText('1 unread');
  expect(document.activeElement).toBe(status);
  fireEvent.click(await screen.findByRole('link', { name: /^Ben/ }));
  await screen.findByText('You’re all caught up.');
  expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  expect(sent).toEqual([
    'POST /api/user/notifications/read {"notificationId":2,"until":"2026-11-20T12:00:00.000Z"}',
    'POST /api/user/notifications/read {"notificationId":3,"until":"2026-11-20T12:00:00.000Z"}',
  ]);
});

test('“Mark all as read” marks everything up to the newest one the member has seen', async () => {
  render(<Notifications />);
  fireEvent.click(await button('Mark all as read'));
  await screen.findByText('You’re all caught up.');
  expect(sent).toEqual(['POST /api/user/notifications/read {"until":"2026-11-20T12:00:00.000Z"}']);
});

test('a kind is turned off and on with a checkbox', async () => {
  render(<Notifications />);
  const badge = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'I earn a badge' });
  expect(badge.checked).toBe(false);
  fireEvent.click(badge);
  await waitFor(() => expect(sent).toEqual(['POST /api/user/notifications/muted {"topic":"badge","muted":false}']));
  expect(badge.checked).toBe(true);
});

test('the address of the feed is shown once, when it is created, and can be deleted', async () => {
  render(<Notifications />);
  fireEvent.click(await button('Create feed address'));
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Address of your feed' });
  expect(field.value).toBe(`${location.origin}/api/notification-feeds/secret`);
  fireEvent.click(await button('Delete the address'));
  await button('Create feed address');
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('a member without notifications learns what will appear here', async () => {
  page = { ...page, notifications: [], total: 0, unread: 0, newest: null };
  render(<Notifications />);
  expect(await screen.findByRole('heading', { name: 'Nothing here yet' })).toBeDefined();
});

test('a member with a confirmed address chooses how often unread notifications are mailed; others get no such choice', async () => {
  render(<Notifications />);
  await button('Mark all as read');
  expect(screen.queryByText('By email')).toBeNull();
  cleanup();
  queryClient().clear();
  page = { ...page, digestTo: 'anna@example.org' };
  render(<Notifications />);
  const weekly = await screen.findByLabelText<HTMLInputElement>('Once a week');
  expect(screen.getByLabelText<HTMLInputElement>('Never').checked).toBe(true);
  fireEvent.click(weekly);
  await waitFor(() => expect(sent).toEqual(['POST /api/user/notifications/digest {"every":"weekly"}']));
  await waitFor(() => expect(weekly.checked).toBe(true));
});
