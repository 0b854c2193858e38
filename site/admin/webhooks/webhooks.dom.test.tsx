import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Webhook, WebhookDelivery } from '#api/admin/webhooks/webhooks.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import { Webhooks } from './Webhooks.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const hook: Webhook = {
  ...{ id: 'w1', url: 'https://hooks.example.com/k3y', events: ['poll.opened'], pausedBy: null },
  ...{ failingSince: null, previousSecretUntil: null, createdAt: '2026-11-20T08:00:00.000Z' },
};
const delivery: WebhookDelivery = {
  ...{ id: 7, messageId: 'msg_1', type: 'poll.opened', state: 'failed', createdAt: '2026-11-20T09:00:00.000Z' },
  ...{ attempts: 8, attemptedAt: '2026-11-21T09:00:00.000Z', nextAttemptAt: null },
  ...{ status: 500, milliseconds: 41, answer: 'no' },
};

let asked: [call: string, body: unknown][];
/** Requests for the deliveries of a webhook. */
let logReads: number;
let webhooks: Webhook[];
let refusal: object | null;

beforeEach(() => {
  asked = [];
  logReads = 0;
  webhooks = [hook];
  refusal = null;
  vi.stubGlobal('fetch', (path: string, { method = 'GET', body }: RequestInit) => {
    if (method !== 'GET') {
      asked.push([`${method} ${path}`, body === undefined ? null : JSON.parse(body as string)]);
      if (refusal !== null) return Promise.resolve(Response.json(refusal, { status: 400 }));
      if (method === 'DELETE') webhooks = [];
      if (method === 'DELETE' || /\/(test|resend)$/.test(path))
        return Promise.resolve(new Response(null, { status: 204 }));
      return Promise.resolve(Response.json({ ...hook, webhook: hook, secret: 'whsec_abc' }));
    }
    if (path.includes('/deliveries')) {
      logReads++;
      return Promise.resolve(Response.json({ deliveries: [delivery], page: 1, pages: 1 }));
    }
    return Promise.resolve(Response.json({ webhooks }));
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  currentToast.set(null);
  vi.unstubAllGlobals();
});

test('the owner adds a webhook with its events, and sees the secret once', async () => {
  render(<Webhooks />);
  fireEvent.click(await screen.findByRole('button', { name: 'Add webhook' }));
  const form = screen.getByRole('button', { name: 'Create webhook' }).closest('form')!;
  fireEvent.submit(form);
  expect(screen.getByText('Please enter the address.')).toBeTruthy();
  fireEvent.input(screen.getByLabelText('Address'), { target: { value: ' https://hooks.example.com/k3y ' } });
  fireEvent.submit(form);
  expect(screen.getByText('Please choose at least one event.')).toBeTruthy();
  expect(asked).toEqual([]);
  fireEvent.click(screen.getByLabelText('A poll closes'));
  fireEvent.click(screen.getByLabelText('A poll opens'));
  fireEvent.submit(form);
  const secret = await screen.findByLabelText<HTMLInputElement>('Secret');
  expect(secret.value).toBe('whsec_abc');
  const body = { url: 'https://hooks.example.com/k3y', events: ['poll.opened', 'poll.closed'] };
  expect(asked).toEqual([['POST /api/admin/webhooks', body]]);
  fireEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByLabelText('Secret')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Create webhook' })).toBeNull();
});

test('an address that the server refuses is reported at its field, and nothing typed is lost', async () => {
  render(<Webhooks />);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit: hooks.example.com' }));
  refusal = { code: 'VALIDATION_FAILED', message: 'The address must begin with https://.' };
  const field = screen.getByLabelText<HTMLInputElement>('Address');
  fireEvent.input(field, { target: { value: 'http://hooks.example.com/' } });
  fireEvent.submit(field.closest('form')!);
  await screen.findByText('The address must begin with https://.');
  expect(field.value).toBe('http://hooks.example.com/');
});

test('a test is sent and the deliveries are shown with status, time, and answer; one is sent again', async () => {
  render(<Webhooks />);
  fireEvent.click(await screen.findByRole('button', { name: 'Send a test: hooks.example.com' }));
  const failed = within((await screen.findByText('Failed')).closest('li')!);
  expect(failed.getByText('status 500, 41 ms, 8 attempts')).toBeTruthy();
  expect(failed.getByText('no')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Send again: A poll opens, Nov 20, 2026, 09:00 UTC' }));
  await waitFor(() =>
    expect(asked.map(([call]) => call)).toEqual([
      'POST /api/admin/webhooks/w1/test',
      'POST /api/admin/webhooks/w1/deliveries/7/resend',
    ]),
  );
});

test('a webhook that was paused after failures says so, and is resumed', async () => {
  webhooks = [{ ...hook, pausedBy: 'failures' }];
  render(<Webhooks />);
  expect(await screen.findByText('Paused after five days of failures')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Resume: hooks.example.com' }));
  await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Webhook resumed' }));
  expect(asked).toEqual([['PATCH /api/admin/webhooks/w1', { paused: false }]]);
});

test('a new secret and deleting are asked about first', async () => {
  render(<Webhooks />);
  fireEvent.click(await screen.findByRole('button', { name: 'New secret: hooks.example.com' }));
  fireEvent.click(screen.getByRole('button', { name: 'New secret' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Secret')).value).toBe('whsec_abc');
  fireEvent.click(screen.getByRole('button', { name: 'Done' }));
  fireEvent.click(screen.getByRole('button', { name: 'Delete: hooks.example.com' }));
  expect(asked.map(([call]) => call)).toEqual(['POST /api/admin/webhooks/w1/secret']);
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await screen.findByText('There are no webhooks yet.');
  expect(asked.map(([call]) => call)).toEqual(['POST /api/admin/webhooks/w1/secret', 'DELETE /api/admin/webhooks/w1']);
});

test('deleting a webhook whose deliveries are shown does not ask for them again', async () => {
  render(<Webhooks />);
  fireEvent.click(await screen.findByRole('button', { name: 'Deliveries: hooks.example.com' }));
  await screen.findByText('Failed');
  fireEvent.click(screen.getByRole('button', { name: 'Delete: hooks.example.com' }));
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await screen.findByText('There are no webhooks yet.');
  expect(logReads).toBe(1);
});
