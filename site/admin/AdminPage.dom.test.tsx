import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatMoment } from '#site/ui/format.ts';
import { AdminPage } from './AdminPage.tsx';
import { AdminSection } from './AdminSection.tsx';
import { lock, unlock } from './admin-session.ts';
import { fromLocalTime, toLocalTime } from './admin-time.ts';
import { setAddress, useAddress } from './use-address.ts';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

beforeEach(() => {
  history.replaceState(null, '', '/admin/polls');
  unlock('a password of the operator');
});
afterEach(() => {
  cleanup();
  lock();
  delete document.documentElement.dataset.zone;
});

const focusAt = (element: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(element));
const moment = '2026-11-20T12:00:00.000Z';

test('every admin page links to all others and marks itself', () => {
  render(<AdminPage page="polls">content</AdminPage>);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Polls');
  const links = [...screen.getByRole('navigation').querySelectorAll('li a')];
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    ...['/admin', '/admin/polls', '/admin/imports', '/admin/moderation'],
    ...['/admin/content', '/admin/health', '/admin/settings'],
  ]);
  expect(links.filter((link) => link.hasAttribute('aria-current')).map((link) => link.textContent)).toEqual(['Polls']);
});

test('the heading gets the focus after signing in and after logging out, and not when a page is opened', async () => {
  lock();
  render(<AdminPage page="polls">content</AdminPage>);
  expect(screen.queryByText('content')).toBeNull();
  expect(document.activeElement).toBe(document.body);
  act(() => screen.getByLabelText('Admin password').focus());
  act(() => unlock('a password of the operator'));
  await focusAt(screen.getByRole('heading', { level: 1, name: 'Polls' }));
  const logout = screen.getByRole('button', { name: 'Logout' });
  act(() => logout.focus());
  fireEvent.click(logout);
  await focusAt(screen.getByRole('heading', { level: 1, name: 'Admin Access' }));
});

test('when an action removes or disables the focused button, the nearest heading gets the focus', async () => {
  const Row = ({ name, disables }: { readonly name: string; readonly disables?: boolean }) => {
    const [isDone, setIsDone] = useState(false);
    const button = <button disabled={isDone} onClick={() => setIsDone(true)} children={name} />;
    return isDone && !disables ? null : <div>{button}</div>;
  };
  render(
    <AdminPage page="polls">
      <AdminSection anchor="a" heading="Days" text="">
        <Row name="Remove" />
        <Row name="Use up" disables />
      </AdminSection>
      <Row name="Outside" />
    </AdminPage>,
  );
  for (const [name, heading] of [
    ['Remove', 'Days'],
    ['Use up', 'Days'],
    ['Outside', 'Polls'],
  ] as const) {
    const button = screen.getByRole('button', { name });
    act(() => button.focus());
    fireEvent.click(button);
    await focusAt(screen.getByRole('heading', { name: heading }));
  }
  // Somebody who works with a mouse is not moved.
  const remaining = screen.getByRole('button', { name: 'Logout' });
  act(() => remaining.focus());
  fireEvent.pointerDown(document.body);
  remaining.blur();
  act(() => lock());
  expect(document.activeElement).toBe(document.body);
});

test('all times of the operator’s pages are in the site’s time zone, which is named', () => {
  document.documentElement.dataset.zone = 'Asia/Kathmandu';
  const Shown = () => <p>at {formatMoment(moment)}</p>;
  render(
    <AdminPage page="polls">
      <Shown />
    </AdminPage>,
  );
  expect(screen.getByText('at Nov 20, 2026, 17:45 GMT+5:45')).toBeTruthy();
  expect(screen.getByText(/Times in Asia\/Kathmandu/)).toBeTruthy();
  expect([toLocalTime(moment), fromLocalTime('2026-11-20T17:45'), fromLocalTime('')]).toEqual([
    ...['2026-11-20T17:45', moment, null],
  ]);
});

test('what a page shows is in its address', () => {
  const Shown = () => <p>poll {useAddress()[0].get('poll') ?? 'none'}</p>;
  render(<Shown />);
  act(() => setAddress({ poll: 'tea' }));
  expect([screen.getByText('poll tea') !== null, location.search]).toEqual([true, '?poll=tea']);
  act(() => setAddress({ poll: null }));
  expect([screen.getByText('poll none') !== null, location.search]).toEqual([true, '']);
});
