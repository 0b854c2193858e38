import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import { Members } from './Members.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const url = 'https://polls.example.org/auth/recover#reset=secret';
let asked: string[];
let members: object[];

beforeEach(() => {
  asked = [];
  members = [
    {
      ...{ id: 'u1', username: 'rosa', name: 'Rosa Wind', profileImageUrl: null },
      ...{ createdAt: '2026-11-20T08:00:00.000Z', suspended: false, operator: false },
    },
  ];
  vi.stubGlobal('fetch', (path: string, { method }: RequestInit) => {
    asked.push(`${method} ${path}`);
    if (path.endsWith('/moderation')) {
      members = members.map((member) => ({ ...member, suspended: true }));
      return Promise.resolve(Response.json({ changed: 1, unchanged: 0, missing: 0 }));
    }
    const link = { url, expiresAt: '2026-11-20T09:00:00.000Z' };
    return Promise.resolve(Response.json(method === 'POST' ? link : { members }));
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  currentToast.set(null);
  vi.unstubAllGlobals();
});

const find = (name: string) => {
  fireEvent.input(screen.getByLabelText('Username or email address'), { target: { value: name } });
  fireEvent.submit(screen.getByRole('button', { name: 'Find' }).closest('form')!);
};

test('the operator finds a member and gets a reset link, which is shown once', async () => {
  render(<Members />);
  find(' rosa@example.org ');
  fireEvent.click(await screen.findByRole('button', { name: 'Create reset link for rosa' }));
  const link = await screen.findByLabelText<HTMLInputElement>('Reset link for rosa');
  expect(link.value).toBe(url);
  expect(
    screen.getByText('Send this link to rosa. It works once, until Nov 20, 2026, 09:00 UTC, and isn’t shown again.'),
  ).toBeTruthy();
  expect(asked).toEqual(['GET /api/admin/members?name=rosa%40example.org', 'POST /api/admin/members/u1/reset-link']);
  find('rosa');
  await screen.findByRole('button', { name: 'Create reset link for rosa' });
  expect(screen.queryByLabelText('Reset link for rosa')).toBeNull();
});

test('the operator suspends a member who was found by name', async () => {
  render(<Members />);
  find('rosa');
  const suspend = await screen.findByRole('button', { name: 'Suspend: rosa' });
  fireEvent.click(suspend);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.click(suspend);
  const dialog = within(screen.getByRole('dialog', { name: 'Suspend: rosa' }));
  expect(within(dialog.getByLabelText('Applies to')).getAllByRole('option')).toHaveLength(2);
  fireEvent.input(dialog.getByLabelText('Reason, sent to the member'), { target: { value: 'Spam' } });
  fireEvent.submit(dialog.getByRole('button', { name: 'Suspend the member' }).closest('form')!);
  expect(await screen.findByText('Suspended')).toBeTruthy();
  expect(asked).toContain('POST /api/admin/moderation');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the page says that an operator can’t be suspended, and offers no way to try', async () => {
  members = [{ ...members[0], operator: true }];
  history.replaceState(null, '', '/admin/moderation?name=rosa');
  render(<Members />);
  expect(await screen.findByText(/^Operators can’t be suspended/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Suspend/ })).toBeNull();
  history.replaceState(null, '', '/admin/moderation');
});

test('a name that nobody has is reported, and an empty one is not searched for', async () => {
  members = [];
  render(<Members />);
  find('nobody');
  await screen.findByText('There is no member “nobody”.');
  find('  ');
  expect(screen.getByText('Please enter a username or an email address.')).toBeTruthy();
  expect(asked).toHaveLength(1);
});

test('the operator sees the picture of a member and removes it', async () => {
  members = [{ ...members[0], profileImageUrl: '/api/pictures/a' }];
  render(<Members />);
  find('rosa');
  fireEvent.click(await screen.findByRole('button', { name: 'Remove picture of rosa' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove picture of rosa' })).toBeNull());
  expect(asked.at(-1)).toBe('DELETE /api/admin/members/u1/picture');
});
