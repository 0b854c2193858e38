import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checklistSteps } from '#api/admin/today/today.contract.ts';
import type { Checklist as ChecklistData } from '#api/admin/today/today.contract.ts';
import { adminMember } from '#site/admin/admin-session.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Checklist } from './Checklist.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

let checklist: ChecklistData;
let sent: string[];
let answers: Record<string, object>;

beforeEach(() => {
  sent = [];
  answers = {};
  checklist = {
    dismissed: false,
    steps: checklistSteps.map((step) => ({ step, state: 'todo', confirmedAt: null })),
    site: { name: 'Weathervane', publicUrl: 'http://localhost:3000', supportEmail: 'a@b.example', sendsMail: true },
    lastBackupAt: null,
    backupTest: null,
    demonstration: 12,
    proxy: { protocol: 'http', address: '127.0.0.1', secureCookies: false, problems: [] },
  };
  vi.stubGlobal('fetch', (path: string, { method, body }: RequestInit) => {
    if (method === 'GET') return Promise.resolve(Response.json(checklist));
    sent.push(`${path.replace('/api/admin/checklist/', '')} ${typeof body === 'string' ? body : ''}`.trim());
    const answer = Object.entries(answers).find(([end]) => path.endsWith(end))?.[1];
    return Promise.resolve(answer ? Response.json(answer) : new Response(null, { status: 204 }));
  });
  history.replaceState(null, '', '/admin');
  adminMember.set({ name: 'olga', role: 'owner', member: true });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  adminMember.set(null);
  vi.unstubAllGlobals();
});

const step = async (title: string) => (await screen.findByRole('heading', { level: 3, name: title })).closest('li')!;

test('each step says why it matters and what to do, and a confirmed one since when', async () => {
  checklist = {
    ...checklist,
    steps: checklist.steps.map((one) =>
      one.step === 'legal-texts' ? { ...one, state: 'done', confirmedAt: '2026-11-20T08:00:00.000Z' } : one,
    ),
  };
  render(<Checklist />);
  expect(await screen.findByText('1 of 9 steps done')).toBeTruthy();
  expect((await step('To do Name')).textContent).toMatch(/every title.*SITE_NAME.*“Weathervane”/);
  const legal = await step('Done Legal texts');
  expect(legal.textContent).toContain('Confirmed');
  expect(within(legal).queryByText(/Read them/)).toBeNull();
  fireEvent.click(within(legal).getByRole('button', { name: 'Not done after all: Legal texts' }));
  await waitFor(() => expect(sent).toEqual(['steps/legal-texts {"confirmed":false}']));
  fireEvent.click(within(await step('To do Backup')).getByRole('button', { name: 'We back up in another way' }));
  await waitFor(() => expect(sent).toContain('steps/backup {"confirmed":true}'));
});

test('problems with the proxy are named, each with what to do', async () => {
  checklist = { ...checklist, proxy: { ...checklist.proxy, problems: ['no-client-address', 'clock'] } };
  render(<Checklist />);
  const proxy = await step('To do Proxy and HTTPS');
  expect(
    within(proxy)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringContaining('TRUSTED_PROXIES'), expect.stringContaining('clocks')]);
});

test('a test mail needs an address and shows what the mail server answered', async () => {
  render(<Checklist />);
  const mail = within(await step('To do Mail'));
  fireEvent.submit(mail.getByRole('button', { name: 'Send' }).closest('form')!);
  expect(mail.getByText('Please enter an email address.')).toBeTruthy();
  answers['/test-mail'] = { accepted: false, reason: '550 No such mailbox' };
  fireEvent.input(mail.getByLabelText('Send a test mail to'), { target: { value: ' me@example.com ' } });
  fireEvent.submit(mail.getByRole('button', { name: 'Send' }).closest('form')!);
  expect(await mail.findByText('The mail was not sent: 550 No such mailbox')).toBeTruthy();
  expect(sent).toEqual(['test-mail {"email":"me@example.com"}']);
});

test('a backup test shows its progress, and then what it found', async () => {
  const running = {
    ...{ state: 'running' as const, startedAt: '2026-11-20T08:00:00.000Z', finishedAt: null },
    ...{ phase: 'packing' as const, percent: 42, bytes: null, error: null },
  };
  render(<Checklist />);
  answers['/backup-test'] = running;
  checklist = { ...checklist, backupTest: running };
  fireEvent.click(within(await step('To do Backup')).getByRole('button', { name: 'Test the backup' }));
  const bar = await screen.findByRole<HTMLProgressElement>('progressbar', { name: 'Packing' });
  expect(bar.value).toBe(42);
  checklist = { ...checklist, backupTest: { ...running, state: 'passed', bytes: 12_300_000 } };
  expect(
    await screen.findByText('The backup was complete and readable (12.3 MB).', {}, { timeout: 3_000 }),
  ).toBeTruthy();
});

test('a hidden list stays out of the way until it is asked for', async () => {
  checklist = { ...checklist, dismissed: true };
  render(<Checklist />);
  fireEvent.click(await screen.findByRole('button', { name: 'Show it' }));
  expect(await screen.findByRole('heading', { name: 'Set up your site' })).toBeTruthy();
  expect(location.search).toBe('?setup=open');
  fireEvent.click(screen.getByRole('button', { name: 'Show this list until it is done' }));
  await waitFor(() => expect(sent).toEqual(['dismissed {"dismissed":false}']));
});
