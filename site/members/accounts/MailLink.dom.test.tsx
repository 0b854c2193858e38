import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#site/client/query-client.ts';
import MailLink from './MailLink.island.tsx';

afterEach(() => {
  cleanup();
  queryClient().clear();
  vi.unstubAllGlobals();
});

test('a mailed link confirms the address on a click, not when it is opened', async () => {
  history.replaceState(null, '', '/auth/email#confirm=secret-of-the-link');
  const send = vi.fn(() => Promise.resolve(Response.json({ email: 'anna@example.org' })));
  vi.stubGlobal('fetch', send);
  render(<MailLink />);
  const button = await screen.findByRole('button', { name: 'Confirm address' });
  expect(send).not.toHaveBeenCalled();
  fireEvent.click(button);
  await screen.findByText('anna@example.org is confirmed.');
  const [path, init] = send.mock.calls[0] as unknown as [string, RequestInit];
  expect([path, init.body]).toEqual(['/api/confirm-email', '{"token":"secret-of-the-link"}']);
});

test('an expired link says what to do, and an incomplete one has no button', async () => {
  history.replaceState(null, '', '/auth/email#confirm=old');
  const refusal = { code: 'INVALID_EMAIL_LINK', message: 'This link has expired or was already used.' };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(refusal, { status: 401 })));
  const { unmount } = render(<MailLink />);
  fireEvent.click(await screen.findByRole('button', { name: 'Confirm address' }));
  expect((await screen.findByRole('alert')).textContent).toContain('This link has expired or was already used.');
  unmount();
  history.replaceState(null, '', '/auth/email');
  render(<MailLink />);
  await screen.findByText(/^This page needs a link/);
  expect(screen.queryByRole('button')).toBeNull();
});

test('the link in a mail with notifications ends these mails on a click', async () => {
  history.replaceState(null, '', '/auth/email#unsubscribe=u1.signature');
  const send = vi.fn(() => Promise.resolve(new Response(null, { status: 204 })));
  vi.stubGlobal('fetch', send);
  render(<MailLink />);
  fireEvent.click(await screen.findByRole('button', { name: 'Unsubscribe' }));
  await screen.findByText('You won’t get these emails anymore.');
  const [path, init] = send.mock.calls[0] as unknown as [string, RequestInit];
  expect([init.method, path]).toEqual(['POST', '/api/unsubscribe/u1.signature']);
});
