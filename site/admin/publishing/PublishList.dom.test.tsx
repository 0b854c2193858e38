import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { PublishedChange, Publishing, SiteBuild, SiteRelease } from '#contract/publishing.ts';
import { publishTexts } from '#texts/admin-publishing.ts';
import { Audit } from './Audit.tsx';
import { BuildProgress } from './BuildProgress.tsx';
import { PublishList } from './PublishList.tsx';

afterEach(cleanup);

const change = (kind: PublishedChange['kind'], event: PublishedChange['event'], ...titles: (string | null)[]) => ({
  ...{ kind, event, count: titles.length },
  subjects: titles.map((title, place) => ({ key: `p${place + 1}`, title })),
});
const closed = change('poll', 'closed', 'Tea or coffee?');

const release = (given: Partial<SiteRelease>): SiteRelease => ({
  ...{ id: 'r1', createdAt: '2026-11-22T08:00:00.000Z', reason: 'poll tea', about: [closed], milliseconds: 43 },
  ...{ changed: 2, addresses: [], pages: 1_230, bytes: 4_000_000, current: false, pinned: false },
  ...given,
});

const build = (given: Partial<SiteBuild>): SiteBuild => ({
  ...{ id: 1, status: 'succeeded', reason: 'poll tea', about: [closed], step: null, done: null, total: null },
  ...{ startedAt: '2026-11-22T08:00:00.000Z', finishedAt: '2026-11-22T08:00:00.043Z', error: null, releaseId: null },
  ...given,
});

const show = (builds: readonly SiteBuild[], releases: readonly SiteRelease[], onServe = vi.fn()) => (
  <PublishList builds={[...builds]} releases={[...releases]} onServe={onServe} />
);
const progress = (given: Partial<Publishing>) => (
  <BuildProgress {...{ waiting: 1, retryAt: null, builds: [], releases: [] }} {...given} />
);
const entries = () => screen.getAllByRole('listitem').filter((item) => item.closest('details') === null);

test('a publish says what changed, when, and in how many milliseconds, and links the addresses', () => {
  const addresses = [
    { address: '/poll/tea', removed: false },
    { address: '/poll/milk', removed: true },
  ];
  render(show([build({ releaseId: 'r1' })], [release({ changed: 30, addresses, current: true })]));
  const [entry] = entries();
  expect(entries()).toHaveLength(1);
  const text = entry!.textContent;
  for (const words of [
    '“Tea or coffee?” closed',
    'Nov 22, 2026, 08:00 UTC',
    '43 ms',
    'Live now',
    '30 changed addresses',
  ])
    expect(text).toContain(words);
  const links = within(entry!).getAllByRole('link', { hidden: true });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/poll/tea']);
  expect(text).toContain('/poll/milk removed');
  expect(text).toContain('…and 28 more.');
});

test('the newest publish is first, and only releases that are not live can be served again', () => {
  const onServe = vi.fn();
  const older = release({
    id: 'r0',
    createdAt: '2026-11-22T07:00:00.000Z',
    about: [change('poll', 'imported', 'Milk?')],
  });
  render(show([], [older, release({ current: true, pinned: true })], onServe));
  const [first, second] = entries();
  expect(first!.textContent).toContain('Live now, pinned');
  expect(within(first!).queryByRole('button')).toBeNull();
  within(second!).getByRole('button', { name: 'Serve again: “Milk?” imported, Nov 22, 2026, 07:00 UTC' }).click();
  expect(onServe).toHaveBeenCalledWith(older);
});

test('attempts that fail with the same reason are one entry with their number', () => {
  const failed = (id: number, error: string) => build({ id, status: 'failed', error });
  render(show([failed(3, 'The disk is full.'), failed(2, 'The disk is full.'), failed(1, 'A page is broken.')], []));
  expect(entries().map(({ textContent }) => /(The disk is full|A page is broken)/.exec(textContent)?.[0])).toEqual([
    'The disk is full',
    'A page is broken',
  ]);
  expect(entries()[0]!.textContent).toContain('tried 2 times');
  expect(entries()[0]!.textContent).toContain('Failed');
});

test('a release in which one page failed says that it was published and which page failed', () => {
  const failed = build({ status: 'failed', error: 'The page /poll/milk could not be rendered.', releaseId: 'r1' });
  render(show([failed], [release({ current: true })]));
  expect(entries()).toHaveLength(1);
  expect(entries()[0]!.textContent).toContain('Live now');
  expect(entries()[0]!.textContent).toContain('The page /poll/milk could not be rendered.');
});

test('a publish after which no page was different says so', () => {
  render(show([build({ about: [change('content', null, '')] })], []));
  expect(entries()[0]!.textContent).toContain('No page was different');
});

test('a publish that appears while the page is open is read out once; those before it are not', () => {
  const { rerender } = render(show([], [release({})]));
  const status = screen.getByRole('status');
  expect(status.textContent).toBe('');
  rerender(show([], [release({ id: 'r2', createdAt: '2026-11-22T09:00:00.000Z' }), release({})]));
  expect(status.textContent).toBe('Published: “Tea or coffee?” closed');
});

test.each<[PublishedChange, string]>([
  [{ ...change('poll', 'imported', 'A', 'B', 'C'), count: 450 }, '450 polls imported'],
  [change('report', 'edited', 'A', 'B'), '“A” and “B” edited'],
  [change('poll', 'removed', 'A'), '“A” removed'],
  [change('poll', 'edited', null), 'A deleted poll edited'],
  [change('poll', 'edited', null, 'A', null), '“A” and 2 deleted polls edited'],
  [change('community', 'edited', null), 'A deleted or hidden community poll edited'],
  [change('community', 'created', 'A'), 'Community poll “A” created'],
  [change('related', null, null), 'Related polls in p1 updated'],
  [
    { ...change('content', null, 'On tea'), subjects: [{ key: 'content/blog/tea.md', title: 'On tea' }] },
    'Article “On tea” edited',
  ],
  [
    { ...change('site', null, null), subjects: [{ key: 'code, texts, or settings changed', title: null }] },
    'All pages rendered: code, texts, or settings changed',
  ],
])('what changed is said in words', (about, words) => {
  expect(publishTexts.about([about], '')).toEqual([words]);
});

test.each([
  [7, '7 ms'],
  [4_720, '4.7 s'],
  [200_000, '3 min 20 s'],
])('%i milliseconds are “%s”', (milliseconds, words) => {
  expect(publishTexts.took(milliseconds)).toBe(words);
});

test('rendering all pages has a progress bar, and the publish of a poll only a line', () => {
  const running = { status: 'running', finishedAt: null, step: 'pages', done: 412, total: 1_230 } as const;
  const { rerender } = render(progress({ builds: [build({ ...running, about: [change('site', null, null)] })] }));
  expect(screen.getByRole('progressbar', { name: 'Rendering pages' })).toHaveProperty('value', 412 / 1_230);
  expect(screen.getByText('412 of 1,230')).toBeDefined();
  rerender(progress({ builds: [build(running)] }));
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.getByText('Publishing: “Tea or coffee?” closed')).toBeDefined();
});

const noRoom = build({ status: 'failed', error: 'The disk is full.' });
test.each([
  ['of the newest publish', [noRoom], null, 'It’s tried again automatically'],
  ['of a change that is tried again later', [build({ id: 2 }), noRoom], '2026-11-22T08:20:00.000Z', '08:20 UTC'],
])('a failure %s says why, and what to do', (_of, builds, retryAt, next) => {
  render(progress({ builds, retryAt }));
  const alert = screen.getByRole('alert').textContent;
  for (const words of ['The disk is full.', next, 'press “Render all pages again”']) expect(alert).toContain(words);
});

test('a pinned release says how many changes wait', () => {
  const pinned = release({ current: true, pinned: true });
  render(progress({ waiting: 3, releases: [pinned] }));
  expect(screen.getByRole('status').textContent).toContain('3 changes wait.');
});

const audit = { startedAt: '2026-11-22T03:00:00.000Z', finishedAt: '2026-11-22T03:10:00.000Z', pages: 1_230 };
test.each([
  [null, /^AuditNo audit has run yet/],
  [
    { ...audit, missed: [] },
    /^AuditLast audit: Nov 22, 2026, 03:10 UTC\. 1,230 files compared\. No change was missed\.$/,
  ],
  [
    { ...audit, finishedAt: null, missed: [] },
    /Running since .*: 1,230 files compared so far\. No change was missed\.$/,
  ],
  [{ ...audit, missed: ['/poll/tea'] }, /1 file differed although no change was recorded.*\/poll\/tea$/],
])('the audit says when it was, how many files it compared, and what was missed', (given, words) => {
  const { container } = render(<Audit audit={given} />);
  expect(container.textContent).toMatch(words);
});
