import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '#api/members/accounts/accounts.contract.ts';
import { callApi } from '#site/client/api.ts';
import { queryClient } from '#site/client/query-client.ts';
import { fullDecisions } from '#site/moderation/fixtures/decisions.ts';
import { keepToast } from '#site/ui/stored-toast.ts';
import { currentToast } from '#site/ui/toasts.ts';
import AccountMenu from './AccountMenu.island.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const anna: User = {
  id: 'u1',
  username: 'anna_1',
  email: 'anna@example.org',
  firstName: 'Anna',
  lastName: 'Berg',
  profileImageUrl: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  updatedAt: '2026-11-20T08:00:00.000Z',
};

let asked: string[];
let answers: Record<string, () => Response | Promise<Response>>;

beforeEach(() => {
  asked = [];
  answers = {
    '/api/user': () => Response.json(anna),
    '/api/user/summary': () => Response.json({ badges: 3, polls: 12, activities: 1_204 }),
    '/api/logout': () => new Response(null, { status: 204 }),
  };
  currentToast.set(null);
  document.cookie = 'wv_account=1; path=/';
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(answers[path]!());
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  document.cookie = 'wv_account=; path=/; max-age=0';
  vi.unstubAllGlobals();
});

const show = async () => {
  render(<AccountMenu />);
  return screen.findByRole('button', { name: 'Account: Anna Berg' });
};
const panel = () => document.getElementById('account-menu')!;
const toggled = (newState: 'open' | 'closed') => fireEvent(panel(), Object.assign(new Event('toggle'), { newState }));
const figure = (label: string) => screen.getByText(label).parentElement!.querySelector('dd')!.textContent;

test('[S2.11 S6.1] the published page has a link to the sign-in page', () => {
  expect(renderToString(<AccountMenu />)).toMatch(/^<a [^>]*href="\/auth">Sign In<\/a>$/);
});

test('[S2.12 S2.13] the menu shows a member’s initials, name, and email', async () => {
  const trigger = await show();
  expect(trigger.firstElementChild!.textContent).toBe('AB');
  expect(panel().textContent).toContain('Anna Berg');
  expect(panel().textContent).toContain('anna@example.org');
  expect(
    within(panel())
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]),
  ).toEqual([
    ['Profile', '/profile'],
    ['My Activities', '/profile/activities'],
    ['Badge Tracker', '/profile/badges'],
    ['Your Polls', '/community-polls?visibility=mine'],
    ['My Votes', '/my-votes'],
    ['Account Settings', '/profile/account'],
  ]);
});

test('a member without a name is shown by username', async () => {
  answers['/api/user'] = () => Response.json({ ...anna, firstName: null, lastName: null, email: null });
  render(<AccountMenu />);
  const trigger = await screen.findByRole('button', { name: 'Account: anna_1' });
  expect(trigger.firstElementChild!.textContent).toBe('A');
});

test('a page of a suspended member says until when, why, and how to appeal, also if it was open before', async () => {
  const main = document.body.appendChild(document.createElement('main'));
  main.id = 'main';
  answers['/api/user/moderation'] = () => Response.json(fullDecisions);
  await show();
  expect(main.textContent).toBe('');
  answers['/api/user'] = () => Response.json({ ...anna, suspended: true });
  answers['/api/user/invitations'] = () =>
    Response.json({ message: 'Suspended', code: 'ACCOUNT_SUSPENDED' }, { status: 403 });
  const refused = queryClient()
    .getMutationCache()
    .build(queryClient(), {
      mutationFn: () => callApi('joinPoll', { body: { token: 'x' } }),
    });
  await expect(refused.execute(undefined)).rejects.toThrow('403');
  const notice = await within(main).findByText('Your account is suspended until Nov 27, 2026.');
  expect(notice.parentElement!.textContent).toContain('Reason: Advertising in forty polls.');
  expect(within(main).getByRole('link', { name: 'Appeal' }).getAttribute('href')).toBe('/profile/moderation');
  main.remove();
});

test('[S2.14] the totals are fetched each time the menu is opened', async () => {
  await show();
  expect(figure('Badges')).toBe('–');
  expect(asked).toEqual(['/api/user']);
  toggled('open');
  await waitFor(() => expect(figure('Badges')).toBe('3/54'));
  expect([figure('Polls created'), figure('Activities')]).toEqual(['12', '1,204']);
  toggled('closed');
  answers['/api/user/summary'] = () => Response.json({ badges: 4, polls: 12, activities: 1_205 });
  toggled('open');
  await waitFor(() => expect(figure('Badges')).toBe('4/54'));
});

test.each(['before', 'after'])(
  '[S2.16] on a small screen they are fetched when the site menu is open, %s the member is known',
  async (when) => {
    const menu = document.body.appendChild(document.createElement('div'));
    menu.id = 'site-menu';
    const isOpen = vi.spyOn(menu, 'matches').mockReturnValue(when === 'before');
    await show();
    if (when === 'after') {
      expect(asked).toEqual(['/api/user']);
      isOpen.mockReturnValue(true);
      act(() => void menu.dispatchEvent(new Event('toggle')));
    }
    await waitFor(() => expect(figure('Polls created')).toBe('12'));
    expect(figure('Badges')).toBe('3/54');
    menu.remove();
  },
);

test('the menu works without totals if they fail to load', async () => {
  answers['/api/user/summary'] = () => Response.json({ code: 'INTERNAL_ERROR', message: 'no' }, { status: 500 });
  await show();
  toggled('open');
  await waitFor(() => expect(asked).toContain('/api/user/summary'));
  expect(figure('Badges')).toBe('–');
  expect(screen.getByRole('button', { name: 'Log out' })).toBeTruthy();
});

test('the button exposes whether its menu is open', async () => {
  const trigger = await show();
  expect(trigger.getAttribute('aria-expanded')).toBe('false');
  toggled('open');
  expect(trigger.getAttribute('aria-expanded')).toBe('true');
  expect(trigger.getAttribute('aria-controls')).toBe(panel().id);
});

test('[S2.13 S8.5] logging out shows a notification and the sign-in link, which gets the focus', async () => {
  await show();
  fireEvent.click(screen.getByRole('button', { name: 'Log out' }));
  const link = await screen.findByRole('link', { name: 'Sign In' });
  expect(currentToast.get()).toMatchObject({
    title: 'Logged out',
    text: 'You have been successfully logged out.',
  });
  expect(document.activeElement).toBe(link);
  expect(asked.filter((path) => path === '/api/logout')).toHaveLength(1);
});

test('[S8.6] a failed logout shows no notification and leaves the member signed in', async () => {
  answers['/api/logout'] = () => Promise.reject(new TypeError('Failed to fetch'));
  await show();
  fireEvent.click(screen.getByRole('button', { name: 'Log out' }));
  await waitFor(() => expect(asked).toContain('/api/logout'));
  await act(() => Promise.resolve());
  expect(screen.getByRole('button', { name: 'Log out' })).toBeTruthy();
  expect(currentToast.get()).toBeNull();
});

test('after the session has ended the sign-in link is shown', async () => {
  answers['/api/user'] = () => Response.json({ code: 'UNAUTHENTICATED', message: 'no' }, { status: 401 });
  render(<AccountMenu />);
  await waitFor(() => expect(asked).toEqual(['/api/user']));
  expect(await screen.findByRole('link', { name: 'Sign In' })).toBeTruthy();
});

test('a notification stored by the previous page is shown', () => {
  keepToast({ title: 'Welcome back!' });
  render(<AccountMenu />);
  expect(currentToast.get()?.title).toBe('Welcome back!');
});
