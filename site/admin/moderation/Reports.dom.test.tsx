import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Reported } from '#api/moderation/moderation.contract.ts';
import { queryClient } from '#site/client/query-client.ts';
import { currentToast } from '#site/ui/toasts.ts';
import { Reports } from './Reports.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const at = '2026-11-20T12:00:00.000Z';
let sent: { path: string; body: unknown }[];
let reported: Reported[];
/** More than are on the page. */
let total: number;

const poll = (n: number): Reported => ({
  ...{ kind: 'poll', id: `p${n}`, pollId: `p${n}`, title: `Watch ${n}?`, text: '', member: null, hidden: false },
  ...{ reports: 1, reportedAt: at, reasons: [{ category: 'spam', reason: null }] },
});

beforeEach(() => {
  sent = [];
  total = 0;
  reported = Array.from({ length: 50 }, (_, n) => poll(n));
  vi.stubGlobal('fetch', (path: string, { method, body }: RequestInit) => {
    if (method === 'POST') {
      sent.push({ path, body: JSON.parse(body as string) as unknown });
      if (path.endsWith('/appeal')) return Promise.resolve(new Response(null, { status: 204 }));
      reported = [];
      return Promise.resolve(Response.json({ changed: 50, unchanged: 0, missing: 0 }));
    }
    const appeals = [
      {
        ...{
          id: 7,
          action: 'suspend',
          kind: 'member',
          label: 'rosa',
          subject: 'm2',
          member: 'rosa',
          actor: 'operator',
        },
        ...{ reason: 'Advertising.', createdAt: at, until: null, endedAt: null, granted: null, decisionReason: null },
        ...{ appeal: 'It was not me.', appealedAt: at },
      },
    ];
    return Promise.resolve(Response.json({ reported, total: Math.max(total, reported.length), appeals }));
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  currentToast.set(null);
  vi.unstubAllGlobals();
});

test('fifty reports are decided about in one step, which needs a reason', async () => {
  render(<Reports />);
  fireEvent.click(await screen.findByLabelText('Select all on this page'));
  const decide = screen.getByRole('button', { name: 'Decide about 50 entries' });
  fireEvent.submit(decide.closest('form')!);
  expect(screen.getByText('Please give a reason.')).toBeTruthy();
  expect(sent).toEqual([]);
  fireEvent.input(screen.getByLabelText('Reason, sent to the members concerned'), { target: { value: ' Ads ' } });
  fireEvent.change(screen.getByLabelText('Applies to'), { target: { value: 'network' } });
  fireEvent.submit(decide.closest('form')!);
  await waitFor(() => expect(currentToast.get()).toMatchObject({ title: '50 changes made' }));
  const ids = Array.from({ length: 50 }, (_, n) => `p${n}`);
  expect(sent).toEqual([
    { path: '/api/admin/moderation', body: { action: 'hide', kind: 'poll', ids, reason: 'Ads', scope: 'network' } },
  ]);
  expect(await screen.findByText('Nothing is waiting for a decision.')).toBeTruthy();
});

test('of very many reports the newest are listed, and the page says so', async () => {
  total = 1_001;
  history.replaceState(null, '', '?page=500');
  render(<Reports />);
  expect(await screen.findByText('More than 1,000 entries; the newest 1,000 are listed here')).toBeTruthy();
  expect(screen.getByText('Page 20 of 20')).toBeTruthy();
  history.replaceState(null, '', '?');
});

test('an appeal is answered with a reason', async () => {
  render(<Reports />);
  const grant = await screen.findByRole('button', { name: 'Grant: appeal about rosa' });
  expect(screen.getByText('It was not me.')).toBeTruthy();
  fireEvent.click(grant);
  expect(screen.getByText('Please give a reason.')).toBeTruthy();
  fireEvent.input(screen.getByLabelText('Answer, sent to the member'), { target: { value: 'You are right' } });
  fireEvent.click(grant);
  await waitFor(() =>
    expect(sent).toEqual([
      { path: '/api/admin/moderation/7/appeal', body: { granted: true, reason: 'You are right' } },
    ]),
  );
  await waitFor(() => expect(currentToast.get()).toMatchObject({ title: 'Appeal granted' }));
});
