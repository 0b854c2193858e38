import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EmailInvite, Invite } from '#api/polls/community/invitations.contract.ts';
import { communityRefetchMs } from '#contract/limits.ts';
import { queryClient } from '#site/client/query-client.ts';
import { InvitesPanel } from './InvitesPanel.tsx';

const guest = (username: string, name: string, minute: number, opened = false): Invite => ({
  userId: `id-${username}`,
  name,
  username,
  invitedAt: `2026-11-21T08:0${minute}:00.000Z`,
  acceptedAt: opened ? '2026-11-21T09:00:00.000Z' : null,
});
const ben = guest('ben', 'Ben Ito', 1, true);
const carla = guest('carla', 'carla', 2);

/** The guests according to the API. */
let guests: (Invite | EmailInvite)[];
let sendsMail: boolean;
let refuse: Response | null;
let requests: { call: string; body: unknown }[];

beforeEach(() => {
  queryClient().clear();
  guests = [ben, carla];
  sendsMail = true;
  refuse = null;
  requests = [];
  vi.stubGlobal('fetch', (path: string, { method, body }: { method: string; body?: string }) => {
    const sent = body === undefined ? undefined : (JSON.parse(body) as { usernameOrEmail: string });
    requests.push({ call: `${method} ${path}`, body: sent });
    if (refuse !== null) return Promise.resolve(refuse);
    // How people can be invited; the box with the link has a test of its own.
    if (path.endsWith('/invite-link')) return Promise.resolve(Response.json({ sendsMail }));
    if (method === 'GET') return Promise.resolve(Response.json(guests));
    if (method === 'DELETE') {
      guests = guests.filter((one) => !path.endsWith('email' in one ? one.id : one.userId));
      return Promise.resolve(new Response(null, { status: 204 }));
    }
    const name = sent!.usernameOrEmail;
    const known = [ben, carla].find(({ username }) => username === name);
    const invite = known ?? guest(name, name, 5);
    guests = [...guests, invite];
    return Promise.resolve(Response.json(invite, { status: 201 }));
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const lines = () =>
  within(screen.getByRole('list', { name: 'Invited people' }))
    .getAllByRole('listitem')
    .map((line) => line.textContent);
const show = async () => {
  render(<InvitesPanel pollId="p1" />);
  await waitFor(() => expect(lines()).toHaveLength(guests.length));
};
const invite = (name: string) => {
  fireEvent.change(screen.getByLabelText(/^Usernames/), { target: { value: name } });
  fireEvent.click(screen.getByRole('button', { name: 'Invite' }));
};

test('the panel lists who is invited, and who has opened the poll', async () => {
  await show();
  expect(lines()).toEqual(['Ben Ito@ben Has opened the pollRemove', 'carlaHasn’t opened it yetRemove']);
});

test('a guest who opens the poll is shown as such while the panel is open', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await show();
  guests = [ben, guest('carla', 'carla', 2, true)];
  await vi.advanceTimersByTimeAsync(communityRefetchMs);
  await waitFor(() => expect(lines()[1]).toBe('carlaHas opened the pollRemove'));
});

test('without guests the panel says that nobody else can open the poll', async () => {
  guests = [];
  render(<InvitesPanel pollId="p1" />);
  expect(await screen.findByText('Nobody has been invited yet. Only you can open this poll.')).toBeTruthy();
});

test('[D6.7] people are invited by username, as the form says; then the field is empty and focused', async () => {
  await show();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Invite' }).disabled).toBe(true);
  const hint = (await screen.findByLabelText('Usernames or email addresses')).getAttribute('aria-describedby')!;
  expect(document.getElementById(hint)?.textContent).toBe(
    'Separate several with commas, spaces, or line breaks. People you invite by address get one email from us, whether they have an account or not.',
  );
  invite('  dora ');
  await waitFor(() => expect(lines()).toHaveLength(3));
  expect(requests.at(-1)).toEqual({
    call: 'POST /api/community-polls/p1/invites',
    body: { usernameOrEmail: 'dora' },
  });
  const field = screen.getByLabelText<HTMLInputElement>(/^Usernames/);
  expect(field.value).toBe('');
  expect(document.activeElement).toBe(field);
  expect(screen.getByRole('status').textContent).toBe('dora has been invited.');
});

test('a failed invitation stays in the field with the server’s message', async () => {
  await show();
  refuse = Response.json({ code: 'NOT_INVITABLE', message: 'This person can’t be invited.' }, { status: 400 });
  invite('nobody');
  const field = screen.getByLabelText<HTMLInputElement>(/^Usernames/);
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  expect(document.getElementById(field.getAttribute('aria-describedby')!.split(' ')[0]!)?.textContent).toBe(
    'This person can’t be invited.',
  );
  expect(field.value).toBe('nobody');
});

test('a pasted list invites everyone on it, each line says how it went, and what failed stays in the field', async () => {
  await show();
  const answer = fetch as unknown as (path: string, init: object) => Promise<Response>;
  vi.stubGlobal('fetch', (path: string, init: { method: string; body?: string }) =>
    init.body?.includes('nobody')
      ? Promise.resolve(Response.json({ code: 'NOT_INVITABLE', message: 'Not invitable.' }, { status: 400 }))
      : answer(path, init),
  );
  invite('dora, nobody;emil\n\n fay@example.org dora');
  const results = await screen.findByRole('list', { name: 'Results of your list' });
  await waitFor(() =>
    expect([...results.children].map(({ textContent }) => textContent)).toEqual([
      'dora: invited',
      'nobody: Not invitable.',
      'emil: invited',
      'fay@example.org: invited',
    ]),
  );
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>(/^Usernames/).value).toBe('nobody'));
  expect(lines()).toHaveLength(5);
});

test('[D6.7] an invitation is revoked immediately, and the same button restores it', async () => {
  await show();
  fireEvent.click(screen.getByRole('button', { name: 'Remove carla' }));
  const undo = await screen.findByRole('button', { name: 'Invite carla again' });
  expect(lines()).toEqual(['Ben Ito@ben Has opened the pollRemove', 'carlacarla can no longer open this poll.Undo']);
  expect(guests).toEqual([ben]);
  fireEvent.click(undo);
  expect(await screen.findByRole('button', { name: 'Remove carla' })).toBeTruthy();
  expect(requests.at(-1)?.body).toEqual({ usernameOrEmail: 'carla' });
  expect(guests).toEqual([ben, carla]);
});

test('an invitation already revoked in another tab disappears here too', async () => {
  await show();
  refuse = Response.json({ code: 'NOT_FOUND', message: 'Nothing here.' }, { status: 404 });
  fireEvent.click(screen.getByRole('button', { name: 'Remove carla' }));
  expect(await screen.findByRole('button', { name: 'Invite carla again' })).toBeTruthy();
});

test('a failed change is reported, and nothing changes', async () => {
  await show();
  refuse = new Response('<html>', { status: 502 });
  fireEvent.click(screen.getByRole('button', { name: 'Remove carla' }));
  expect((await screen.findByRole('alert')).textContent).toBe('That didn’t work. Please try again.');
  expect(screen.getByRole('button', { name: 'Remove carla' })).toBeTruthy();
});

test('invitations that can’t be loaded can be retried', async () => {
  refuse = new Response('', { status: 500 });
  render(<InvitesPanel pollId="p1" />);
  expect((await screen.findByRole('alert')).textContent).toContain('We can’t show the invitations right now.');
  refuse = null;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(lines()).toHaveLength(2));
});

test('an address that was invited is listed without a name, and its invitation can be withdrawn', async () => {
  guests = [ben, { id: 'e1', email: 'dora@example.org', invitedAt: '2026-11-21T08:05:00.000Z' }];
  await show();
  expect(lines()[1]).toBe('dora@example.orgInvited by email, hasn’t joined yetRemove');
  fireEvent.click(screen.getByRole('button', { name: 'Remove dora@example.org' }));
  expect(await screen.findByRole('button', { name: 'Invite dora@example.org again' })).toBeTruthy();
  expect(requests.at(-1)?.call).not.toContain('POST');
  expect(guests).toEqual([ben]);
});

test('a site without mail asks for usernames only', async () => {
  sendsMail = false;
  await show();
  expect(await screen.findByLabelText('Usernames')).toBeTruthy();
});
