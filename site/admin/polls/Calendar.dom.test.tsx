import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PollCalendar } from '#api/admin/today/today.contract.ts';
import { adminMember } from '#site/admin/admin-session.ts';
import '#site/admin/admin-time.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Calendar } from './Calendar.tsx';

let asked: string[];

beforeEach(() => {
  asked = [];
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T12:00:00Z') });
  adminMember.set({ name: 'olga', role: 'editor', member: true });
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path.replace('/api/admin/calendar?', ''));
    const month = /month=(\d{4}-\d\d)/.exec(path)?.[1] ?? '';
    const calendar: PollCalendar = {
      month,
      polls: [
        {
          ...{ id: 'tea', question: 'Tea or coffee?', state: 'scheduled' },
          ...{ startsAt: `${month}-25T08:00:00.000Z`, endsAt: `${month}-27T20:00:00.000Z` },
        },
        {
          ...{ id: 'new', question: '', state: 'draft' },
          ...{ startsAt: `${month}-25T09:00:00.000Z`, endsAt: `${month}-27T09:00:00.000Z` },
        },
      ],
      total: 2,
      gaps: [{ from: `${month}-20T20:00:00.000Z`, to: `${month}-25T08:00:00.000Z` }],
      overlaps: [],
    };
    return Promise.resolve(Response.json(calendar));
  });
  history.replaceState(null, '', '/admin/polls?view=calendar');
});
afterEach(() => {
  cleanup();
  queryClient().clear();
  adminMember.set(null);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a page that is just starting asks for the current month only', async () => {
  const container = document.createElement('div');
  container.innerHTML = renderToString(<Calendar />);
  document.body.append(container);
  render(<Calendar />, { container, hydrate: true });
  expect(await screen.findByRole('heading', { level: 2, name: 'November 2026' })).toBeTruthy();
  expect(asked).toEqual(['month=2026-11']);
});

test('a month lists its openings, closings, and gaps, with links to the polls', async () => {
  render(<Calendar />);
  const opening = await screen.findByRole('link', { name: 'Opens 08:00: Tea or coffee?' });
  expect(opening.getAttribute('href')).toBe('/admin/polls?poll=tea');
  expect(opening.closest('li')?.textContent).toContain('scheduled');
  expect(screen.getByRole('link', { name: 'Closes 20:00: Tea or coffee?' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Opens 09:00: Untitled poll' }).textContent).toBe('Untitled poll');
  expect(screen.getByText('Nov 20, 2026, 20:00 UTC – Nov 25, 2026, 08:00 UTC')).toBeTruthy();
  expect(screen.getAllByText('No open poll')).toHaveLength(6);
  expect(document.querySelector('[aria-current=date]')?.textContent).toContain('Fri, Nov 20');
  // Moderators can't open the editor.
  act(() => adminMember.set({ name: 'mo', role: 'moderator', member: true }));
  expect(screen.queryByRole('link', { name: /Tea or coffee/ })).toBeNull();
  expect(screen.getAllByText('Tea or coffee?')).toHaveLength(2);
});

test('the month is in the address: it can be linked to, and Back returns to the one before', async () => {
  history.replaceState(null, '', '/admin/polls?view=calendar&month=2026-12');
  render(<Calendar />);
  expect(screen.getByRole('heading', { level: 2, name: 'December 2026' })).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: 'Next month' }));
  expect(await screen.findByRole('heading', { level: 2, name: 'January 2027' })).toBeTruthy();
  expect(location.search).toBe('?view=calendar&month=2027-01');
  fireEvent.click(screen.getByRole('link', { name: 'This month' }));
  expect(location.search).toBe('?view=calendar');
  expect(asked).toEqual(['month=2026-12', 'month=2027-01', 'month=2026-11']);
});

test('an empty day of the future begins a poll for the next free weekly slot from that day on', async () => {
  render(<Calendar />);
  await screen.findByRole('link', { name: 'Opens 08:00: Tea or coffee?' });
  // Neither the past, nor the days of the opening and the closing.
  expect(screen.getAllByText('New poll')).toHaveLength(9);
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', (path: string, { body }: RequestInit) => {
    bodies.push([path, JSON.parse(body as string)]);
    return new Promise(() => undefined);
  });
  fireEvent.click(screen.getByRole('button', { name: 'New poll for the next free weekly slot from Sat, Nov 28 on' }));
  await waitFor(() => expect(bodies).toEqual([['/api/admin/polls', { from: '2026-11-28' }]]));
  act(() => adminMember.set({ name: 'mo', role: 'moderator', member: true }));
  expect(screen.queryByText('New poll')).toBeNull();
});

test('an address with an impossible month shows the current one', () => {
  history.replaceState(null, '', '/admin/polls?view=calendar&month=2026-13');
  render(<Calendar />);
  expect(screen.getByRole('heading', { level: 2, name: 'November 2026' })).toBeTruthy();
});
