import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { adminMember } from '#site/admin/admin-session.ts';
import { queryClient } from '#site/client/query-client.ts';
import { AuditLog } from './AuditLog.tsx';

const at = '2026-11-20T12:00:00.000Z';
let calls: string[];

beforeEach(() => {
  calls = [];
  adminMember.set({ name: 'olga', role: 'owner', member: true });
  vi.stubGlobal('fetch', (path: string) => {
    calls.push(path);
    return Promise.resolve(
      Response.json({
        entries: [
          {
            ...{ id: 1, at, actor: 'olga', actorId: 'u1', action: 'poll.edit', kind: 'poll', subject: 'tea' },
            ...{ before: { question: 'Tea?' }, after: { question: 'Coffee?' } },
            ...{ title: 'Coffee?', path: '/admin/polls?poll=tea' },
          },
          {
            ...{ id: 0, at, actor: 'olga', actorId: 'u1', action: 'import.undo', kind: 'import', subject: '7' },
            ...{ before: null, after: null, title: null, path: null },
          },
        ],
        total: 2,
        actors: ['olga', 'terminal'],
      }),
    );
  });
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  adminMember.set(null);
  vi.unstubAllGlobals();
});

test('the audit log shows in words who changed what, with links, before and after, and is filtered', async () => {
  render(<AuditLog />);
  const entries = await screen.findByRole('list', { name: 'Entries, newest first' });
  expect(within(entries).getByText('Edited a published poll').parentElement?.textContent).toBe(
    'Edited a published poll: Coffee?',
  );
  expect(within(entries).getByRole('link', { name: 'Coffee?' }).getAttribute('href')).toBe('/admin/polls?poll=tea');
  expect(within(entries).getByText('Undid an import').parentElement?.textContent).toBe('Undid an import: 7');
  expect(within(screen.getByLabelText('What')).getByRole('option', { name: 'Closed a poll' })).toHaveProperty(
    'value',
    'poll.close',
  );
  expect(entries.textContent).toContain('"question": "Coffee?"');
  fireEvent.input(screen.getByLabelText('Search'), { target: { value: 'coffee' } });
  fireEvent.change(screen.getByLabelText('Who'), { target: { value: 'terminal' } });
  fireEvent.submit(screen.getByRole('button', { name: 'Show' }).closest('form')!);
  await waitFor(() => expect(calls).toContain('/api/admin/audit?search=coffee&actor=terminal&page=1'));
});

test('days of the audit log are those of the site’s zone, also one that begins after midnight', async () => {
  document.documentElement.dataset.zone = 'America/Santiago';
  render(<AuditLog />);
  await screen.findByRole('list', { name: 'Entries, newest first' });
  expect(screen.getAllByText('Time zone: America/Santiago.')).toHaveLength(2);
  fireEvent.input(screen.getByLabelText('From'), { target: { value: '2026-09-06' } });
  fireEvent.input(screen.getByLabelText('To'), { target: { value: '2026-09-06' } });
  fireEvent.submit(screen.getByRole('button', { name: 'Show' }).closest('form')!);
  const asked = 'from=2026-09-06T04%3A00%3A00.000Z&to=2026-09-07T03%3A00%3A00.000Z';
  await waitFor(() => expect(calls).toContain(`/api/admin/audit?${asked}&page=1`));
  delete document.documentElement.dataset.zone;
});
