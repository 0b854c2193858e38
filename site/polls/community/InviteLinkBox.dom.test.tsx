import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { InviteLink } from '#api/polls/community/invitations.contract.ts';
import { communityRefetchMs } from '#contract/limits.ts';
import { queryClient } from '#site/client/query-client.ts';
import { InviteLinkBox } from './InviteLinkBox.tsx';

const now = Date.parse('2026-11-21T08:00:00.000Z');
const url = 'https://polls.test/community-polls/join#invite=secret';
const fresh: InviteLink = {
  createdAt: '2026-11-21T08:00:00.000Z',
  expiresAt: '2026-11-28T08:00:00.000Z',
  uses: 0,
  maxUses: 25,
};
let stored: InviteLink | null;
let sent: unknown[];

beforeEach(() => {
  vi.useFakeTimers({ now, shouldAdvanceTime: true });
  stored = null;
  sent = [];
  vi.stubGlobal('fetch', (_: string, { method, body }: { method: string; body?: string }) => {
    if (method === 'POST') {
      sent.push(JSON.parse(body!));
      stored = fresh;
      return Promise.resolve(Response.json({ url, link: stored }, { status: 201 }));
    }
    if (method === 'DELETE') stored = null;
    return Promise.resolve(method === 'GET' ? Response.json({ link: stored }) : new Response(null, { status: 204 }));
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('the creator creates a link with an end and a number of uses, sees it once, and revokes it', async () => {
  render(<InviteLinkBox pollId="p1" />);
  fireEvent.change(await screen.findByLabelText('Expires after'), { target: { value: '30' } });
  fireEvent.change(screen.getByLabelText('Members who can join'), { target: { value: '12' } });
  fireEvent.click(screen.getByRole('button', { name: 'Create Link' }));
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Invitation link' });
  expect(field.value).toBe(url);
  expect(sent).toEqual([{ days: 30, maxUses: 12 }]);
  fireEvent.click(screen.getByRole('button', { name: 'Revoke Link' }));
  expect(await screen.findByRole('button', { name: 'Create Link' })).toBeTruthy();
  expect(stored).toBeNull();
});

test('how often the link was used follows while the panel is open', async () => {
  stored = fresh;
  render(<InviteLinkBox pollId="p1" />);
  await screen.findByText(/^Used 0 of 25 times/);
  stored = { ...fresh, uses: 1 };
  await vi.advanceTimersByTimeAsync(communityRefetchMs);
  await screen.findByText(/^Used 1 of 25 times/);
});

test('a number of uses that a poll can’t have is refused at its field, and nothing is sent', async () => {
  render(<InviteLinkBox pollId="p1" />);
  const field = await screen.findByLabelText('Members who can join');
  for (const wrong of ['0', '201', '2.5', 'many', '']) {
    fireEvent.change(field, { target: { value: wrong } });
    expect(screen.queryByText('Enter a number from 1 to 200.')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Create Link' }));
    expect(screen.getByText('Enter a number from 1 to 200.')).toBeTruthy();
  }
  expect(sent).toEqual([]);
});

test.each([
  [{ uses: 3 }, 'Used 3 of 25 times · expires in 7 days'],
  [{ uses: 25 }, 'Used 25 of 25 times · used up'],
  [{ expiresAt: '2026-11-20T08:00:00.000Z' }, 'Used 0 of 25 times · expired yesterday'],
])('a link created before is shown with its uses and its end, without its address', async (more, text) => {
  stored = { ...fresh, ...more };
  render(<InviteLinkBox pollId="p1" />);
  await screen.findByRole('button', { name: 'Revoke Link' });
  await waitFor(() => expect(screen.getByText(/^Used/).textContent).toBe(text));
  expect(screen.queryByRole('textbox')).toBeNull();
});
