import type { Page } from 'playwright';
import { todayKinds } from '#contract/desk.ts';
import type { Checklist, Today, TodayItem, TodayKind } from '#contract/desk.ts';
import type { ResponseOf } from '#contract/endpoints.ts';
import type { PublishedChange } from '#contract/publishing.ts';
import { operatorPassword } from './installation.ts';
import { refusing, neverResponding, signInToDesk } from './scene.ts';
import type { Scene } from './scene.ts';

/** Opens the editor of the first poll in a state. */
async function openFirstPoll(page: Page, state: 'open' | 'closed'): Promise<void> {
  await signInToDesk(page);
  await page.getByLabel('State').selectOption(state);
  await page.waitForURL(/state=/);
  await page
    .getByRole('link', { name: /^Edit:/ })
    .first()
    .click();
  await page.getByRole('form', { name: 'Poll', exact: true }).waitFor();
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** Reported comments, polls, and members, and an appeal. */
function reportedThings(): ResponseOf<'reportQueue'> {
  const member = { id: 'm1', username: 'ben.ito', suspended: false, suspendedUntil: null };
  return {
    total: 127,
    reported: [
      {
        ...{ kind: 'comment', id: 'c1', pollId: 'aaaaaaaaaaaaaaaaaaaa', member, hidden: false },
        title: 'Which single change would make your street better to live on?',
        text: `Buy it here: https://example.org/${'bargain-'.repeat(12)}now\nOnly today.`,
        ...{ reports: 4, reportedAt: ago(3) },
        reasons: [
          { category: 'spam', reason: 'Advertising' },
          { category: 'spam', reason: 'هذا إعلان' },
          { category: 'other', reason: null },
        ],
      },
      {
        ...{ kind: 'poll', id: 'bbbbbbbbbbbbbbbbbbbb', pollId: 'bbbbbbbbbbbbbbbbbbbb', member: null, hidden: true },
        ...{ title: 'Tea or coffee?', text: 'Only one is right.', reports: 1, reportedAt: ago(3_000) },
        reasons: [{ category: 'abuse', reason: null }],
      },
      {
        ...{ kind: 'member', id: 'm2', pollId: null, title: 'Rosa Wind', text: '', hidden: true },
        member: { ...member, id: 'm2', username: 'rosa', suspended: true },
        ...{ reports: 12, reportedAt: ago(30), reasons: [{ category: 'private', reason: 'My address.' }] },
      },
    ],
    appeals: [
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
        ...{ reason: 'Advertising.', createdAt: ago(60), until: null, endedAt: null, granted: null },
        ...{ decisionReason: null, appeal: 'Somebody else used my account.', appealedAt: ago(20) },
      },
    ],
  };
}

/** Everything that Today can list. */
async function withDecisions(page: Page): Promise<void> {
  const counts: Partial<Record<TodayKind, number>> = { reports: 12, appeals: 1, 'votes-held': 2, suspicions: 3 };
  const items = todayKinds.map((kind, place): TodayItem => ({
    ...{ kind, level: place < 3 ? 'urgent' : kind === 'polls-ending' ? 'note' : 'open', count: counts[kind] ?? 1 },
    since: kind === 'disk' || kind.startsWith('poll') ? null : ago(70 * (place + 1)),
    due: ['votes-held', 'no-open-poll', 'poll-gap', 'polls-ending'].includes(kind) ? ago(-300) : null,
    poll: kind === 'polls-ending' ? { id: 'p1', question: 'Which single change would make your street better?' } : null,
  }));
  const disk = { level: 'critical' as const, freeBytes: 52_000_000, wantedBytes: 1_000_000_000 };
  const json: Today = { items, disk, polls: { open: 0, scheduled: 2 } };
  await page.route('**/api/admin/today?*', (route) => route.fulfill({ json }));
}

/** Reported comments, vote bursts, a failed build, and a full disk. */
async function withProblems(page: Page): Promise<void> {
  await page.route('**/api/admin/reports?*', (route) => route.fulfill({ json: reportedThings() }));
  await page.route('**/api/admin/bursts', (route) =>
    route.fulfill({
      json: {
        since: ago(1_440),
        minutes: 5,
        polls: [
          { id: 'p1', kind: 'poll', question: 'Four-day week?', startsAt: ago(12), votes: 12_408, usual: 31.4 },
          { id: 'p2', kind: 'community', question: null, startsAt: ago(300), votes: 140, usual: null },
        ],
      },
    }),
  );
  await page.route('**/api/admin/publishing', async (route) => {
    const answer = (await (await route.fetch()).json()) as { builds: object[] };
    const failed = {
      ...answer.builds[0],
      id: 9_999,
      status: 'failed',
      error: 'The disk is full: no room for 48 MB in the data folder. Make room.',
      releaseId: null,
    };
    const disk = { level: 'critical', freeBytes: 52_000_000, wantedBytes: 1_000_000_000 };
    await route.fulfill({ json: { ...answer, builds: [failed, ...answer.builds], disk } });
  });
}

const wholeSite: PublishedChange = {
  ...{ kind: 'site', event: null, count: 1 },
  subjects: [{ key: 'code, texts, or settings changed', title: null }],
};

/** A checklist with problems and a running backup test. */
async function withSetupProblems(page: Page): Promise<void> {
  await page.route('**/api/admin/checklist?*', async (route) => {
    const checklist = (await (await route.fetch()).json()) as Checklist;
    const steps = checklist.steps.map((step) =>
      ['proxy', 'mail'].includes(step.step) ? { ...step, state: 'problem' as const } : step,
    );
    const json: Checklist = {
      ...{ ...checklist, steps, site: { ...checklist.site, sendsMail: true } },
      proxy: { ...checklist.proxy, problems: ['plain-http', 'no-client-address', 'clock'] },
      backupTest: {
        ...{ state: 'running', startedAt: ago(1), finishedAt: null, phase: 'packing', percent: 42 },
        ...{ bytes: null, error: null },
      },
    };
    await route.fulfill({ json });
  });
}

/** A code build that has rendered some of its pages. */
async function withRunningBuild(page: Page): Promise<void> {
  await page.route('**/api/admin/publishing', async (route) => {
    const answer = (await (await route.fetch()).json()) as { builds: object[] };
    const running = {
      ...{ ...answer.builds[0], id: 9_999, about: [wholeSite], finishedAt: null },
      ...{ status: 'running', step: 'pages', done: 412, total: 1_230 },
    };
    await route.fulfill({ json: { ...answer, builds: [running, ...answer.builds] } });
  });
}

/** The admin page. */
export const adminScenes: readonly Scene[] = [
  { name: 'admin-locked', path: () => '/admin' },
  {
    name: 'admin-wrong',
    path: () => '/admin',
    async act(page) {
      await page.getByLabel('Admin password').fill('guess');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('The admin password is incorrect.').waitFor();
    },
  },
  {
    name: 'admin-too-many',
    path: () => '/admin',
    prepare: (page) =>
      refusing(page, '**/api/admin/session', 429, {
        message: 'Too many attempts. Please try again in a minute.',
        code: 'RATE_LIMITED',
      }),
    async act(page) {
      await page.getByLabel('Admin password').fill('guess');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Too many attempts').waitFor();
    },
  },
  { name: 'admin-no-javascript', path: () => '/admin', javaScript: false },
  { name: 'admin-today', path: () => '/admin', act: signInToDesk },
  { name: 'admin-decisions', path: () => '/admin', prepare: withDecisions, act: signInToDesk },
  { name: 'admin-setup', path: () => '/admin?setup=open', prepare: withSetupProblems, act: signInToDesk },
  { name: 'admin-polls', path: () => '/admin/polls', act: signInToDesk },
  { name: 'admin-calendar', path: () => '/admin/calendar', act: signInToDesk },
  { name: 'admin-calendar-empty', path: () => '/admin/calendar?month=2099-02', act: signInToDesk },
  { name: 'admin-reports', path: () => '/admin/reports', prepare: withProblems, act: signInToDesk },
  { name: 'admin-members', path: () => '/admin/members', act: signInToDesk },
  { name: 'admin-imports', path: () => '/admin/imports', act: signInToDesk },
  { name: 'admin-publishing', path: () => '/admin/publishing', act: signInToDesk },
  { name: 'admin-publish-failed', path: () => '/admin/publishing', prepare: withProblems, act: signInToDesk },
  { name: 'admin-building', path: () => '/admin/publishing', prepare: withRunningBuild, act: signInToDesk },
  { name: 'admin-settings', path: () => '/admin/settings', act: signInToDesk },
  {
    name: 'admin-failed',
    path: () => '/admin',
    prepare: (page) => page.route('**/api/admin/{today,checklist}*', (route) => route.abort()),
    async act(page) {
      await signInToDesk(page);
      await page.getByText('Try again').first().waitFor();
    },
  },
  {
    name: 'admin-loading',
    path: () => '/admin',
    prepare: (page) => neverResponding(page, '**/api/admin/{today,checklist}*'),
    async act(page) {
      await page.getByLabel('Admin password').fill(operatorPassword);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Loading', { exact: true }).first().waitFor();
    },
  },
  {
    name: 'admin-import-mapping',
    path: () => '/admin/imports',
    async act(page) {
      await signInToDesk(page);
      await page.locator('input[type=file]').setInputFiles('api/poll-import/fixtures/semicolons.csv');
      await page.getByText('The first rows, as they would be imported').waitFor();
    },
  },
  {
    name: 'admin-uploading',
    path: () => '/admin',
    fullPage: false,
    async act(page) {
      await signInToDesk(page);
      await neverResponding(page, '**/api/polls/bulk-upload*');
      await page.locator('input[type=file]').setInputFiles('api/poll-import/fixtures/mixed.csv');
    },
  },
  {
    name: 'admin-no-poll-found',
    path: () => '/admin/polls',
    async act(page) {
      await signInToDesk(page);
      await page.getByLabel('Question or id').fill('zebra');
      await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
      await page.getByText('No matching polls.').waitFor();
    },
  },
  {
    name: 'admin-close-poll',
    path: () => '/admin/polls',
    fullPage: false,
    async act(page) {
      await openFirstPoll(page, 'open');
      await page.getByRole('button', { name: 'Close now' }).click();
    },
  },
  {
    name: 'admin-edit-wrong',
    path: () => '/admin/polls',
    async act(page) {
      await signInToDesk(page);
      await page.getByRole('button', { name: 'New poll' }).click();
      await page.getByRole('button', { name: 'Publish now' }).click();
      await page.locator('[aria-invalid]').first().waitFor();
    },
  },
  {
    name: 'admin-remove-demonstration',
    path: () => '/admin/polls',
    fullPage: false,
    async act(page) {
      await signInToDesk(page);
      await page
        .getByRole('button', { name: /^Remove/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'admin-dry-run',
    path: () => '/admin',
    async act(page) {
      await signInToDesk(page);
      await page.locator('input[type=file]').setInputFiles('api/poll-import/fixtures/mixed.csv');
      await page.getByText(/^Dry run/).waitFor();
      await page.getByText('CSV format guide').click();
    },
  },
  {
    name: 'admin-undo',
    path: () => '/admin/imports',
    async act(page) {
      await signInToDesk(page);
      await page.locator('input[type=file]').setInputFiles('api/poll-import/fixtures/three-polls.csv');
      await page.getByText(/^Dry run/).waitFor();
      await page.getByRole('button', { name: 'Upload CSV' }).click();
      await page.getByRole('heading', { name: 'Result' }).waitFor();
      await page
        .getByRole('button', { name: /^Undo: import/ })
        .first()
        .click();
      await page.getByText('No votes cast here will be lost.').waitFor();
    },
    fullPage: false,
  },
  {
    name: 'admin-import-result',
    path: () => '/admin/imports',
    async act(page) {
      await signInToDesk(page);
      await page.locator('input[type=file]').setInputFiles('api/poll-import/fixtures/mixed.csv');
      await page.getByText(/^Dry run/).waitFor();
      await page.getByRole('button', { name: 'Upload CSV' }).click();
      await page.getByRole('heading', { name: 'Result' }).waitFor();
    },
  },
  {
    name: 'admin-edit-poll',
    path: () => '/admin/polls',
    act: (page) => openFirstPoll(page, 'open'),
  },
  {
    name: 'admin-delete-poll',
    path: () => '/admin/polls',
    fullPage: false,
    async act(page) {
      await openFirstPoll(page, 'closed');
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByLabel('Reason').waitFor();
    },
  },
  {
    name: 'admin-reopen-poll',
    path: () => '/admin/polls',
    async act(page) {
      await openFirstPoll(page, 'closed');
      await page.getByRole('button', { name: 'Reopen' }).click();
      await page.getByLabel('New end').waitFor();
    },
    fullPage: false,
  },
];
