import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { todayKinds } from '#api/admin/today/today.contract.ts';
import type { Today as TodayData, TodayItem } from '#api/admin/today/today.contract.ts';
import type { OperatorRole } from '#contract/vocabulary.ts';
import { adminMember } from '#site/admin/admin-session.ts';
import '#site/admin/admin-time.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Today } from './Today.tsx';
import TodayPage from './TodayPage.island.tsx';

vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

const item = (facts: Pick<TodayItem, 'kind'> & Partial<TodayItem>): TodayItem => ({
  ...{ level: 'open', count: 1, since: null, due: null, poll: null },
  ...facts,
});

let asked: string[] = [];
function show(items: TodayItem[], disk: TodayData['disk'] = null, page = <Today />) {
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(Response.json({ items, disk, polls: { open: 1, scheduled: 2 } } satisfies TodayData));
  });
  render(page);
}

const signIn = (role: OperatorRole) => adminMember.set({ name: 'olga', role, member: true });

beforeEach(() => signIn('owner'));
afterEach(() => {
  cleanup();
  adminMember.set(null);
  queryClient().clear();
  vi.unstubAllGlobals();
  asked = [];
  delete document.documentElement.dataset.zone;
});

test('each thing that needs a decision says how many there are, since when, and leads to its place', async () => {
  const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString();
  show([
    item({ kind: 'votes-held', level: 'urgent', count: 2, since: hours(3.5), due: '2026-11-24T20:00:00.000Z' }),
    item({ kind: 'reports', count: 12, since: hours(30) }),
    item({ kind: 'polls-ending', level: 'note', poll: { id: 'tea', question: 'Tea or coffee?' } }),
  ]);
  const [held, reports, ending] = await screen.findAllByRole('listitem');
  expect(held?.textContent).toMatch(
    /^Urgent 2 groups of votes are held until you decide\.Oldest: 3 hours ago · Counted after all unless you decide before Nov 24, 2026, 20:00 UTC/,
  );
  expect(reports?.textContent).toMatch(/^ 12 reports wait for a decision\.Oldest: (yesterday|2 days ago)/);
  expect(ending?.textContent).toMatch(/^Today “Tea or coffee\?” ends today\./);
  const links = screen.getAllByRole('link').map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]);
  expect(links).toEqual([
    ['Decide: 2 groups of votes are held until you decide.', '/admin/moderation#integrity'],
    ['Decide: 12 reports wait for a decision.', '/admin/moderation#reports'],
    ['Polls: “Tea or coffee?” ends today.', '/admin/polls?poll=tea'],
  ]);
  expect(screen.getByText('1 weekly poll is open; 2 more will open within a week.')).toBeTruthy();
});

test('times and “today” are those of the site’s time zone', async () => {
  document.documentElement.dataset.zone = 'America/New_York';
  show([item({ kind: 'poll-gap', due: '2026-12-01T02:00:00.000Z' })]);
  expect((await screen.findByRole('listitem')).textContent).toContain('Nov 30, 2026, 21:00 EST');
  expect(screen.getByRole('link').getAttribute('href')).toBe('/admin/polls?view=calendar&month=2026-11');
  expect(asked).toEqual(['/api/admin/today']);
});

test('nothing to decide is said in one sentence', async () => {
  show([]);
  expect(await screen.findByText('Nothing needs a decision right now.')).toBeTruthy();
  expect(screen.queryByRole('list')).toBeNull();
});

test('a full disk says what is lost, and a missing backup that there never was one', async () => {
  const disk = { level: 'full' as const, freeBytes: 2_000_000, wantedBytes: 1_000_000_000 };
  show([item({ kind: 'disk', level: 'urgent' }), item({ kind: 'backup' })], disk);
  const [full, backup] = await screen.findAllByRole('listitem');
  expect(full?.textContent).toContain('2 MB free; publishing and backups need up to 1.0 GB. Votes are being refused');
  expect(backup?.textContent).toContain('No backup has been made with npm run backup.');
});

test.each<[OperatorRole, boolean]>([
  ['owner', true],
  ['editor', false],
  ['moderator', false],
])('the setup list is for owners: %s', async (role, isShown) => {
  signIn(role);
  show([], null, <TodayPage />);
  await screen.findByText('Nothing needs a decision right now.');
  expect(asked.some((path) => path.startsWith('/api/admin/checklist'))).toBe(isShown);
});

test('every kind has a sentence and a place', async () => {
  show(todayKinds.map((kind) => item({ kind, count: 2 })));
  for (const entry of await screen.findAllByRole('listitem')) expect(entry.textContent).toMatch(/\.(.|\n)*\w$/);
  expect(screen.getAllByRole('link')).toHaveLength(todayKinds.length);
});

test.each<[OperatorRole, (string | null)[]]>([
  ['moderator', ['/admin/moderation#reports', 'For editors and owners', '/admin/polls', 'For owners', 'For owners']],
  [
    'editor',
    ['For moderators and owners', '/admin/imports#imports', '/admin/polls?poll=tea', 'For owners', 'For owners'],
  ],
  [
    'owner',
    [
      ...['/admin/moderation#reports', '/admin/imports#imports', '/admin/polls?poll=tea', '/admin/settings#webhooks'],
      '/admin?setup=open#setup-mail',
    ],
  ],
])('for a %s, only what the role may open is a link; the rest says whose it is', async (role, places) => {
  signIn(role);
  const poll = { id: 'tea', question: 'Tea or coffee?' };
  const kinds = ['reports', 'imports-unfinished', 'polls-ending', 'webhooks-paused', 'mail-failed'] as const;
  show(kinds.map((kind) => item({ kind, poll: kind === 'polls-ending' ? poll : null })));
  const shown = (await screen.findAllByRole('listitem')).map(
    ({ lastElementChild }) =>
      lastElementChild?.querySelector('a')?.getAttribute('href') ?? lastElementChild?.textContent,
  );
  expect(shown).toEqual(places);
});
