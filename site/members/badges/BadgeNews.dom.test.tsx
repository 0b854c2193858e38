import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BadgeKey } from '#api/members/badges/badges.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { dispatchLinkCopied } from '#site/ui/visit-event.ts';
import { Toaster } from '#site/ui/Toaster.tsx';
import { currentToast, toast } from '#site/ui/toasts.ts';
import BadgeNews, { pollOf } from './BadgeNews.island.tsx';
import { ago } from '#site/members/profile/fixtures/member-data.ts';
import {
  unavailable,
  clearAccountHint,
  setAccountHint,
  stubProfileApi,
} from '#site/members/profile/fixtures/profile-api.ts';
import type { ProfileApi } from '#site/members/profile/fixtures/profile-api.ts';

// The tests render the toaster themselves.
vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

let api: ProfileApi;
beforeEach(() => {
  api = stubProfileApi();
  setAccountHint();
  // Shares of polls are counted.
  Object.assign(navigator, { sendBeacon: () => true });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  currentToast.set(null);
  clearAccountHint();
  vi.unstubAllGlobals();
});

const page = (opened?: Parameters<typeof BadgeNews>[0]['opened']) =>
  render(
    <>
      <BadgeNews opened={opened} />
      <Toaster />
    </>,
  );
const earn = (...badges: BadgeKey[]) => {
  api.newBadges = badges.map((key) => ({ key, earnedAt: ago(0) }));
  api.unannounced = new Set(badges);
};
const announced = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
const says = (...texts: string[]) => waitFor(() => expect(announced()).toEqual(texts));
const calls = (call: string) => api.requests.filter((asked) => asked.startsWith(call));
const looks = (count: number) => waitFor(() => expect(calls('GET /api/user/summary')).toHaveLength(count));
const vote = () =>
  act(async () => {
    await queryClient()
      .getMutationCache()
      .build(queryClient(), { mutationFn: () => Promise.resolve() })
      .execute(undefined);
  });

test('[S6.3] readers without an account cause no request', async () => {
  clearAccountHint();
  page({ kind: 'poll', id: 'weekly' });
  act(() => dispatchLinkCopied('http://localhost/poll/weekly', 'copy'));
  await vote();
  expect(api.requests).toEqual([]);
});

test('a badge earned elsewhere is announced with its emblem when a page is opened', async () => {
  earn('votes_1');
  page();
  await says('Badge earned: Light AirThe first breath of an opinion, and the vane has moved.');
  expect(document.querySelectorAll('li svg[viewBox="0 0 64 64"]')).toHaveLength(1);
  expect(calls('POST')).toEqual(['POST /api/user/badges/announced {"badges":["votes_1"]}']);
});

test('new badges are checked for after each write, and announced once', async () => {
  page();
  await looks(1);
  earn('comments_1');
  await vote();
  await says('Badge earned: Opening RemarkYou broke the silence.');
  await vote();
  await looks(3);
  expect(calls('POST')).toHaveLength(1);
});

test('several badges share one notification', async () => {
  earn('votes_1', 'polls_1', 'streak_7');
  page();
  await says('3 badges earnedLight Air, First Draft, and Seven-Day Forecast');
  expect(document.querySelectorAll('li svg[viewBox="0 0 64 64"]')).toHaveLength(3);
});

test('a badge announced by another tab is not announced again', async () => {
  earn('votes_1');
  api.unannounced.clear();
  page();
  await waitFor(() => expect(calls('POST')).toHaveLength(1));
  expect(announced()).toEqual([]);
});

test('a badge waits until the current notification has closed', async () => {
  page();
  await looks(1);
  act(() => toast({ title: 'Vote Recorded' }));
  earn('votes_1');
  await vote();
  await looks(2);
  await import('./badge-toast.tsx');
  await act(async () => Promise.resolve());
  expect(announced()).toEqual(['Vote Recorded']);
  expect(calls('POST')).toEqual([]);
  act(() => currentToast.set({ ...currentToast.get()!, open: false }));
  await says('Badge earned: Light AirThe first breath of an opinion, and the vane has moved.');
});

test('a badge also waits for a notification shown during its request', async () => {
  earn('votes_1');
  const { promise, resolve } = Promise.withResolvers<Response>();
  api.overrides.set('POST /api/user/badges/announced', () => promise);
  page();
  await waitFor(() => expect(calls('POST')).toHaveLength(1));
  act(() => toast({ title: 'Comment Posted!' }));
  await act(async () => {
    resolve(Response.json(api.newBadges));
    await new Promise((done) => setTimeout(done));
  });
  expect(announced()).toEqual(['Comment Posted!']);
  act(() => currentToast.set({ ...currentToast.get()!, open: false }));
  await says('Badge earned: Light AirThe first breath of an opinion, and the vane has moved.');
});

test('a hidden page announces nothing until it is visible', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  earn('votes_1');
  page();
  await looks(1);
  expect(calls('POST')).toEqual([]);
  hidden.mockReturnValue(false);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await says('Badge earned: Light AirThe first breath of an opinion, and the vane has moved.');
});

test('an announcement that fails is retried after the next write', async () => {
  earn('votes_1');
  api.overrides.set('POST /api/user/badges/announced', unavailable);
  page();
  await waitFor(() => expect(calls('POST')).toHaveLength(1));
  expect(announced()).toEqual([]);
  api.overrides.clear();
  await vote();
  await says('Badge earned: Light AirThe first breath of an opinion, and the vane has moved.');
});

test('the opened poll is reported to the server before new badges are fetched', async () => {
  page({ kind: 'community', id: 'c1' });
  await looks(1);
  expect(api.requests.slice(1)).toEqual([
    'POST /api/user/opened {"kind":"community","id":"c1"}',
    'GET /api/user/summary',
  ]);
});

test('badges are announced even if reporting the opened poll fails', async () => {
  api.overrides.set('POST /api/user/opened', unavailable);
  earn('votes_1');
  page({ kind: 'poll', id: 'gone' });
  await says('Badge earned: Light AirThe first breath of an opinion, and the vane has moved.');
});

test('a copied poll link is reported to the server, and new badges are fetched', async () => {
  page();
  await looks(1);
  act(() => dispatchLinkCopied('https://polls.example/poll/weekly-1', 'copy'));
  await looks(2);
  act(() => dispatchLinkCopied('https://polls.example/blog/an-article', 'copy'));
  act(() => dispatchLinkCopied('https://polls.example/community-polls/c1', 'copy'));
  await looks(3);
  expect(calls('POST')).toEqual([
    'POST /api/user/shares {"kind":"poll","id":"weekly-1"}',
    'POST /api/user/shares {"kind":"community","id":"c1"}',
  ]);
});

test('a poll is recognized by the URL of its page', () => {
  expect(pollOf('/poll/a-1')).toEqual({ kind: 'poll', id: 'a-1' });
  expect(pollOf('https://polls.example/community-polls/X_9?from=here#results')).toEqual({
    kind: 'community',
    id: 'X_9',
  });
  for (const other of [
    '/',
    '/poll/',
    '/poll/a/b',
    '/poll/a.png',
    '/community-polls',
    '/community-polls/join',
    '/blog/a',
    '/embed/poll/a',
  ])
    expect(pollOf(other)).toBeNull();
});
