import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import { useUserSummary } from '#site/client/auth.tsx';
import { queryClient } from '#site/client/query-client.ts';
import NotificationBell from './NotificationBell.island.tsx';
import { unreadChanged } from './unread.ts';

const anna: User = {
  ...{ id: 'u1', username: 'anna', email: null, firstName: 'Anna', lastName: null, profileImageUrl: null },
  ...{ createdAt: '2026-11-20T08:00:00.000Z', updatedAt: '2026-11-20T08:00:00.000Z' },
};

let unread: number;
let asked: string[];

beforeEach(() => {
  unread = 3;
  asked = [];
  document.cookie = 'wv_account=1; path=/';
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    const summary = { badges: 0, polls: 0, activities: 0, newBadges: [], unreadNotifications: unread };
    return Promise.resolve(Response.json(path === '/api/user' ? anna : summary));
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  document.cookie = 'wv_account=; path=/; max-age=0';
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Fetches the summary, as every page of a member does. */
function Summary() {
  useUserSummary(true);
  return null;
}
const show = () =>
  render(
    <>
      <Summary />
      <NotificationBell />
    </>,
  );
const bell = (name: string) => screen.findByRole('link', { name });

test('the published page has no bell, and a reader without an account sees and requests nothing', () => {
  expect(renderToString(<NotificationBell />)).toBe('');
  document.cookie = 'wv_account=; path=/; max-age=0';
  const { container } = render(<NotificationBell />);
  expect([container.innerHTML, asked]).toEqual(['', []]);
});

test('a member sees the number of unread notifications, with the one request that every page makes', async () => {
  show();
  const link = await bell('Notifications, 3 unread');
  expect([link.textContent, link.getAttribute('href')]).toEqual(['3', '/profile/notifications']);
  expect(asked.toSorted()).toEqual(['/api/user', '/api/user/summary']);
});

test('more than 99 are shown as 99+, and none without a number', async () => {
  unread = 120;
  show();
  expect((await bell('Notifications, 120 unread')).textContent).toBe('99+');
  act(() => unreadChanged(0));
  expect((await bell('Notifications')).textContent).toBe('');
});

test('notifications that another tab marks as read are read here, too', async () => {
  show();
  await bell('Notifications, 3 unread');
  const otherTab = new BroadcastChannel('weathervane-notifications');
  otherTab.postMessage(1);
  expect(await bell('Notifications, 1 unread')).toBeDefined();
  const received = new Promise((done) => {
    otherTab.onmessage = ({ data }) => done(data);
  });
  act(() => unreadChanged(0));
  expect(await received).toBe(0);
  otherTab.close();
});

test('a page that becomes visible after a minute shows what another device marked as read', async () => {
  show();
  await bell('Notifications, 3 unread');
  unread = 0;
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 61_000);
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(screen.getByRole('link', { name: 'Notifications' })).toBeDefined());
  vi.restoreAllMocks();
});
