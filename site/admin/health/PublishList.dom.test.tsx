import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { PublishedChange, Publishing, SiteBuild } from '#api/publishing/publishing.contract.ts';
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

const build = (given: Partial<SiteBuild>): SiteBuild => ({
  ...{ id: 1, status: 'succeeded', reason: 'poll tea', about: [closed], step: null, done: null, total: null },
  ...{ startedAt: '2026-11-22T08:00:00.000Z', finishedAt: '2026-11-22T08:00:00.043Z', error: null, isUnchanged: false },
  ...given,
});

const show = (...builds: readonly SiteBuild[]) => <PublishList builds={[...builds]} />;
const progress = (given: Partial<Publishing>) => (
  <BuildProgress {...{ waiting: 1, retryAt: null, pausedSince: null, builds: [] }} {...given} />
);
const entries = () => screen.getAllByRole('listitem');

test('a publish says what changed, when, and in how many milliseconds', () => {
  render(show(build({})));
  expect(entries().map(({ textContent }) => textContent)).toEqual([
    '“Tea or coffee?” closedNov 22, 2026, 08:00 UTC · 43 ms',
  ]);
});

test('attempts that fail with the same reason are one entry with their number', () => {
  const failed = (id: number, error: string) => build({ id, status: 'failed', error });
  render(show(failed(3, 'The disk is full.'), failed(2, 'The disk is full.'), failed(1, 'A page is broken.')));
  expect(entries().map(({ textContent }) => /(The disk is full|A page is broken)/.exec(textContent)?.[0])).toEqual([
    'The disk is full',
    'A page is broken',
  ]);
  expect(entries()[0]!.textContent).toContain('tried 2 times');
  expect(entries()[0]!.textContent).toContain('Failed');
});

test('a publish after which no page was different says so', () => {
  render(show(build({ about: [change('content', null, '')], isUnchanged: true })));
  expect(entries()[0]!.textContent).toContain('No page was different');
});

test('a publish that appears while the page is open is read out once; those before it are not', () => {
  const { rerender } = render(show(build({})));
  const status = screen.getByRole('status');
  expect(status.textContent).toBe('');
  rerender(show(build({ id: 2 }), build({})));
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
  for (const words of ['The disk is full.', next, 'press “Publish all again”']) expect(alert).toContain(words);
});

test('a pause says since when, and how many changes wait', () => {
  render(progress({ waiting: 3, pausedSince: '2026-11-22T08:00:00.000Z' }));
  expect(screen.getByRole('status').textContent).toBe(
    'Publishing has been paused since Nov 22, 2026, 08:00 UTC. Only removals are published. 3 changes wait.',
  );
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
