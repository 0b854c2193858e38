import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { auditActions } from '#contract/audit.ts';
import type { ContentEntry, ContentList } from '#contract/content.ts';
import type { PollCalendar } from '#contract/desk.ts';
import type { ResponseOf } from '#contract/endpoints.ts';
import type { ApiToken, OperatorInvitationLink, Operators } from '#contract/operator.ts';
import type { EditedPoll, PollVersions } from '#contract/poll-editor.ts';
import type { ImportRecord, UndoPreview } from '#contract/poll-import.ts';
import { adminPasswordHeader } from '#contract/vocabulary.ts';
import type { Webhook, WebhookDelivery } from '#contract/webhook.ts';
import { operatorPassword } from './installation.ts';
import { activePolls, archive, refusing, signInNewMember, signInToDesk } from './scene.ts';
import type { Scene } from './scene.ts';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const day = 1_440;

/** Matching requests with this method get this answer. */
const answering = (page: Page, calls: string, json: unknown, method = 'GET') =>
  page.route(calls, (route) => (route.request().method() === method ? route.fulfill({ json }) : route.fallback()));

/** Matching requests get the server’s answer, changed. */
// The caller names the expected type.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const changing = <T>(page: Page, calls: string, change: (answer: T) => object) =>
  page.route(calls, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    return route.fulfill({ json: change((await (await route.fetch()).json()) as T) });
  });

const firstOpen =
  (more = '') =>
  async (origin: string) =>
    `/admin/polls?poll=${(await activePolls(origin))[0]!.id}${more}`;
const mostVoted =
  (more = '') =>
  async (origin: string) =>
    `/admin/polls?poll=${(await archive(origin)).toSorted((a, b) => b.totalVotes - a.totalVotes)[0]!.id}${more}`;

/** Signs in as a new member who is an operator. */
async function asOperator(page: Page, role: 'owner' | 'editor' | 'moderator', origin: string): Promise<void> {
  await signInNewMember(page, origin);
  const headers = { [adminPasswordHeader]: operatorPassword };
  const made = await page.request.post(`${origin}/api/admin/invitations`, { headers, data: { role } });
  const { url } = (await made.json()) as OperatorInvitationLink;
  const token = new URLSearchParams(new URL(url).hash.slice(1)).get('invitation');
  await page.request.post(`${origin}/api/user/operator-invitation`, { data: { token } });
}

const loaded = async (page: Page) => {
  await page.getByRole('button', { name: 'Logout' }).waitFor();
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' });
};

const long =
  'Should the town turn the old harbor warehouse into apartments, a market hall, or a park, and who decides?';

function crowdedMonth(): PollCalendar {
  const month = new Date().toISOString().slice(0, 7);
  const at = (date: string, time = '08:00') => `${month}-${date}T${time}:00.000Z`;
  const poll = (id: string, question: string, startsAt: string, endsAt: string) =>
    ({ ...{ id, question, startsAt, endsAt }, state: 'scheduled' }) as const;
  return {
    ...{ month, total: 200 },
    polls: [
      poll('a', long, at('03'), at('12', '20:00')),
      poll('b', 'Tea or coffee?', at('05'), at('12', '20:00')),
      poll('c', 'هل تفضل الشاي؟', at('05', '09:30'), at('09')),
      poll('d', 'Window or aisle?', at('05', '10:00'), at('20', '20:00')),
      poll('e', 'Which bridge needs repair first?', at('05', '11:00'), at('20', '20:00')),
      poll('f', 'Sundays?', at('01', '00:00'), '2099-01-01T00:00:00.000Z'),
    ],
    gaps: [
      { from: at('01', '00:00'), to: at('03') },
      { from: at('20', '20:00'), to: at('26') },
    ],
    overlaps: [{ from: at('05', '11:00'), to: at('09'), polls: 5 }],
  };
}

const versions: PollVersions = {
  more: true,
  versions: [
    {
      ...{ number: 3, at: ago(30), by: 'ines' },
      before: { question: 'Tea or coffee?', tags: ['drinks'], endsAt: ago(-day) },
      after: { question: 'Tea or coffee at breakfast?', tags: ['drinks', 'morning'], endsAt: ago(-3 * day) },
    },
    { ...{ number: 2, at: ago(300), by: null }, before: { summary: null }, after: { summary: 'Most said tea.' } },
    { ...{ number: 1, at: ago(9_000), by: 'mo' }, before: {}, after: {} },
  ],
};

const record = (id: string, fileName: string, more: Partial<ImportRecord> = {}): ImportRecord => ({
  ...{ id, fileName, startedAt: ago(60 * Number(id)), finishedAt: ago(60 * Number(id) - 1), message: '' },
  ...{ origin: 'page', mode: 'partial', state: 'done', inserted: 1_204, updated: 1, unchanged: 7, rejected: 0 },
  ...{ undoable: true, undo: null, ...more },
});
const undoPreview: UndoPreview = {
  ...{ removed: 1_190, restored: 1, keptVoted: 2, keptChanged: 1, keptLater: 1, votes: 71, series: ['Weekly'] },
  kept: [
    { id: 'tea', question: 'Tea or coffee?', because: 'votes' },
    { id: 'warehouse', question: long, because: 'later' },
    { id: 'aisle', question: 'Window or aisle?', because: 'changes' },
  ],
  later: [{ id: '1', fileName: 'autumn-of-2026-final-corrected.csv', startedAt: ago(20), polls: 1 }],
};

const people: Operators = {
  operators: (['owner', 'editor', 'moderator'] as const).map((role, place) => ({
    ...{ id: role, role, username: ['ines', 'tomasz.nowak-from-the-harbor', 'mo'][place]!, name: 'Ines Vane' },
    ...{ createdAt: ago(9_000), invitedBy: 'operator', passkeys: place, you: place === 0 },
  })),
  invitations: [{ id: 7, role: 'editor', madeBy: 'ines', createdAt: ago(60), expiresAt: ago(-3 * day) }],
  sharedPassword: true,
};

const token = (id: number, name: string, more: Partial<ApiToken> = {}): ApiToken => ({
  ...{ id, name, scopes: ['import', 'publish'], madeBy: 'ines', createdAt: ago(9_000) },
  ...{ expiresAt: ago(-90 * day), lastUsedAt: ago(day), ...more },
});
const webhook = (id: string, more: Partial<Webhook> = {}): Webhook => ({
  ...{ id, url: `https://hooks.example.com/services/${id}/k3y`, events: ['poll.opened', 'votes.set-aside'] },
  ...{ pausedBy: null, failingSince: null, previousSecretUntil: null, createdAt: ago(9_000), ...more },
});
const delivery = (id: number, more: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  ...{ id, messageId: `msg_${id}`, type: 'poll.opened', state: 'delivered', createdAt: ago(10 * id), attempts: 1 },
  ...{ attemptedAt: ago(10 * id), nextAttemptAt: null, status: 204, milliseconds: 41, answer: '', ...more },
});

const auditEntries: ResponseOf<'auditLog'>['entries'] = auditActions.slice(0, 12).map((action, place) => ({
  ...{ id: place + 1, at: ago(60 * place), actor: place % 3 === 0 ? 'operator' : 'ines', actorId: null, action },
  ...{ kind: 'poll', subject: 'tea', title: place === 1 ? long : 'Tea or coffee?', path: '/admin/polls?poll=tea' },
  ...{ before: { question: 'Tea?' }, after: place === 0 ? { question: long, tags: ['drinks'] } : null },
}));

async function withSettings(page: Page): Promise<void> {
  await answering(page, '**/api/admin/operators', people);
  const tokens = [token(1, 'Nightly import'), token(2, 'Wall display', { expiresAt: ago(day), lastUsedAt: null })];
  await answering(page, '**/api/admin/tokens', { tokens });
  await answering(page, '**/api/admin/tokens', { ...token(3, 'Newsroom'), token: `wv_${'k3y'.repeat(14)}` }, 'POST');
  const webhooks = [
    webhook('w1', { failingSince: ago(90), previousSecretUntil: ago(-day) }),
    webhook('w2', { pausedBy: 'failures' }),
  ];
  await answering(page, '**/api/admin/webhooks', { webhooks });
  await answering(page, '**/api/admin/webhooks', { webhook: webhook('w3'), secret: 'whsec_c2VjcmV0' }, 'POST');
  const deliveries = [
    delivery(1, { state: 'waiting', attempts: 2, status: 503, answer: 'try later', nextAttemptAt: ago(-6) }),
    delivery(2),
    delivery(3, { state: 'failed', attempts: 8, status: null, answer: 'The connection was refused.' }),
  ];
  await answering(page, '**/api/admin/webhooks/w1/deliveries*', { deliveries, page: 1, pages: 3 });
  await answering(page, '**/api/admin/audit?*', { entries: auditEntries, total: 1_204, actors: ['ines', 'operator'] });
}

const suspicion: ResponseOf<'suspicions'>['polls'][number] = {
  ...{ id: 'attacked', kind: 'poll', question: long, score: 96, scoredAt: ago(2) },
  ...{ countedVotes: 1_300, setAsideVotes: 200, heldVotes: 200, challenge: 'auto', challengedUntil: ago(-60) },
  figures: { votes: 1_500, largestNetwork: 0.8, newDevices: 0.9, newAccounts: 0, hourly: 62.5, hourlyBefore: 3 },
  clusters: [
    {
      criteria: { networks: [77], optionId: 'o2', from: 29_000_000, to: 29_000_100 },
      ...{ option: 'A market hall', reason: 'automated-network', score: 96, hold: true, votes: 1_200, counted: 1_000 },
      signals: [
        { kind: 'rate', strength: 0.2, value: 600, usual: 3 },
        { kind: 'choice', strength: 1, value: 1, usual: 0.45 },
      ],
      chart: { from: 29_000_000, step: 5, votes: [5, 9, 50, 100, 80, 120, 50, 4] },
    },
  ],
  decisions: [
    {
      ...{ number: 1, action: 'hold', state: 'held', reason: 'automated-network', votes: 200, madeBy: 'detector' },
      ...{ madeAt: ago(50), decidedAt: null, expiresAt: ago(-6 * day), note: '' },
    },
  ],
};

async function withSuspicions(page: Page): Promise<void> {
  const action = { actor: 'detector', action: 'hold', pollId: 'attacked', reason: 'automated-network' } as const;
  await answering(page, '**/api/admin/suspicions*', {
    polls: [suspicion, { ...suspicion, id: 'hidden', kind: 'community', question: null, clusters: [] }],
    log: {
      behindSeconds: 7_200,
      overdue: 2,
      problems: [{ pollId: 'attacked', problem: 'The head of the log of 2026-11-20 is missing.' }],
    },
    actions: [{ ...action, at: ago(50), votes: 200, note: 'One network.' }],
  } satisfies ResponseOf<'suspicions'>);
}

/** The editor’s poll after somebody else has saved the same fields. */
async function withPollConflict(page: Page): Promise<void> {
  await refusing(page, '**/api/admin/polls/*/draft', 409, { code: 'CONFLICT', message: 'mo changed it.' }, 'PATCH');
  let reads = 0;
  await changing<EditedPoll>(page, '**/api/admin/polls/demo*', (poll) =>
    reads++ === 0
      ? poll
      : {
          ...{ ...poll, version: 9, changedBy: 'mo', changedAt: ago(1) },
          content: { ...poll.content, description: 'The council decides in spring, said the mayor.' },
        },
  );
}

const entry = 'blog/what-a-tie-means';
const entryApi = '**/api/admin/content/blog/what-a-tie-means';

async function openArticle(page: Page): Promise<void> {
  await signInToDesk(page);
  await page.getByRole('region', { name: 'Preview' }).locator('p').first().waitFor();
}

const press = (name: string | RegExp) => async (page: Page) => {
  await signInToDesk(page);
  await page.getByRole('main').getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
};

/** States of the desk that the demonstration data alone does not show. Nothing is changed. */
export const deskScenes: readonly Scene[] = [
  {
    name: 'admin-invited',
    path: () => '/admin/settings#invitation=secret',
    act: (page) => page.getByText('You’re invited').waitFor(),
  },
  {
    name: 'admin-session-ended',
    path: () => '/admin/polls',
    fullPage: false,
    async act(page) {
      await signInToDesk(page);
      await refusing(page, '**/api/admin/polls*', 401, { code: 'ADMIN_REQUIRED', message: 'Ended.' });
      await page.getByRole('button', { name: 'New poll' }).click();
      await page.getByText('Admin Access').first().waitFor();
    },
  },

  { name: 'admin-poll-insights', path: mostVoted('&view=insights'), act: signInToDesk },
  {
    name: 'admin-poll-missing',
    path: () => '/admin/polls?poll=nowhere',
    async act(page) {
      await page.getByLabel('Admin password').waitFor();
      await signInToDesk(page);
    },
  },
  { name: 'admin-edit-closed', path: mostVoted(), act: signInToDesk },
  {
    name: 'admin-edit-long',
    path: firstOpen(),
    prepare: (page) =>
      changing<EditedPoll>(page, '**/api/admin/polls/demo*', (poll) => ({
        ...{ ...poll, state: 'draft', published: null, version: 3, changedBy: 'ines', changedAt: ago(3) },
        ...{ publishedAt: null, hasVotes: false },
        content: {
          ...poll.content,
          question: `${long} ${long}`.slice(0, 200),
          options: Array.from({ length: 10 }, (_, place) => ({ id: `o${place}`, text: `${long} ${place}` })),
        },
      })),
    act: signInToDesk,
  },
  {
    name: 'admin-edit-dropped',
    path: firstOpen(),
    prepare: (page) =>
      changing<EditedPoll>(page, '**/api/admin/polls/demo*', (poll) => ({
        ...{ ...poll, dropped: ['startsAt', 'options'], version: 3, changedBy: 'ines', changedAt: ago(3) },
      })),
    act: signInToDesk,
  },
  {
    name: 'admin-edit-not-saved',
    path: firstOpen(),
    prepare: (page) => page.route('**/api/admin/polls/*/draft', (route) => route.abort()),
    async act(page) {
      await signInToDesk(page);
      await page.getByLabel('Description').fill('Asked by the Harbor Gazette.');
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
  {
    name: 'admin-edit-gone',
    path: firstOpen(),
    prepare: (page) =>
      refusing(page, '**/api/admin/polls/*/draft', 404, { code: 'POLL_NOT_FOUND', message: 'Not found.' }, 'PATCH'),
    async act(page) {
      await signInToDesk(page);
      await page.getByLabel('Question', { exact: true }).fill('Don’t you agree that phones are bad?');
      await page.getByRole('button', { name: 'Save as a new poll' }).waitFor();
    },
  },
  {
    name: 'admin-edit-conflict',
    path: firstOpen(),
    prepare: withPollConflict,
    async act(page) {
      await signInToDesk(page);
      await page.getByLabel('Description').fill('Asked by the Harbor Gazette, and decided in spring.');
      await page.getByRole('button', { name: 'Keep yours' }).waitFor();
    },
  },
  {
    name: 'admin-edit-history',
    path: firstOpen(),
    prepare: (page) => answering(page, '**/api/admin/polls/*/versions*', versions),
    async act(page) {
      await signInToDesk(page);
      await page.getByRole('button', { name: 'Show changes' }).click();
      await page.getByText('First version').waitFor();
      await page.getByText('Preview link', { exact: true }).first().click();
    },
  },
  { name: 'admin-unpublish-poll', path: firstOpen(), fullPage: false, act: press('Unpublish') },
  { name: 'admin-unpublish-refused', path: mostVoted(), fullPage: false, act: press('Unpublish') },
  {
    name: 'admin-discard-changes',
    path: firstOpen(),
    fullPage: false,
    prepare: (page) =>
      changing<EditedPoll>(page, '**/api/admin/polls/demo*', (poll) => ({ ...poll, version: 3, changedBy: 'mo' })),
    act: press('Discard changes'),
  },
  {
    name: 'admin-no-polls',
    path: () => '/admin/polls',
    prepare: (page) =>
      changing<object>(page, '**/api/admin/polls?*', (list) => ({
        ...list,
        polls: [],
        total: 0,
        pages: 1,
        demonstration: 0,
      })),
    act: signInToDesk,
  },
  {
    name: 'admin-poll-preview',
    async path(origin) {
      const id = (await activePolls(origin))[0]!.id;
      const headers = { [adminPasswordHeader]: operatorPassword };
      const read = await fetch(`${origin}/api/admin/polls/${id}`, { headers });
      const { previewToken } = (await read.json()) as EditedPoll;
      return `/poll/${id}/preview?preview=${encodeURIComponent(previewToken)}`;
    },
  },
  {
    name: 'admin-poll-preview-expired',
    path: async (origin) => `/poll/${(await activePolls(origin))[0]!.id}/preview?preview=x`,
  },
  {
    name: 'admin-calendar-crowded',
    path: () => '/admin/calendar',
    prepare: (page) => answering(page, '**/api/admin/calendar?*', crowdedMonth()),
    act: signInToDesk,
  },

  {
    name: 'admin-content-states',
    path: () => '/admin/content',
    prepare: (page) =>
      changing<ContentList>(page, '**/api/admin/content', (list) => ({
        ...list,
        entries: list.entries.map((one, place) => ({
          ...one,
          ...[
            { title: long, isChanged: true },
            { state: 'draft' },
            { state: 'scheduled', publishAt: ago(-day), problem: 'Summary is missing.' },
            { state: 'unpublished', hasNewerFile: true },
            { isDeleted: true, hasNewerFile: true },
          ][place],
          ...(one.folder === 'legal' && { reviewedAt: ago(day), reviewedBy: 'ines' }),
        })),
      })),
    act: signInToDesk,
  },
  {
    name: 'admin-content-legal',
    path: () => '/admin/content?entry=legal/privacy',
    act: openArticle,
  },
  {
    name: 'admin-content-missing',
    path: () => '/admin/content?entry=blog/nowhere',
    act: signInToDesk,
  },
  {
    name: 'admin-content-rename-refused',
    path: () => `/admin/content?entry=${entry}`,
    async prepare(page) {
      await changing<ContentEntry>(page, entryApi, (one) => ({
        ...one,
        state: 'draft',
        canRename: true,
        published: null,
      }));
      const message = 'There already is an article at /blog/tea. Choose another address.';
      await refusing(page, entryApi, 409, { code: 'CONFLICT', message }, 'PATCH');
    },
    async act(page) {
      await openArticle(page);
      await page.getByLabel('Address').fill('tea');
      await page.getByLabel('Address').blur();
      await page.getByText('There already is').waitFor();
    },
  },
  {
    name: 'admin-content-conflict',
    path: () => `/admin/content?entry=${entry}`,
    async prepare(page) {
      await refusing(page, entryApi, 409, { code: 'CONFLICT', message: 'mo saved this.' }, 'PATCH');
      let reads = 0;
      await changing<ContentEntry>(page, entryApi, (one) =>
        reads++ === 0 ? one : { ...one, version: one.version + 4, text: 'Theirs.', updatedBy: 'mo' },
      );
    },
    async act(page) {
      await openArticle(page);
      await page.getByLabel('Text', { exact: true }).fill('Mine.');
      await page.getByRole('button', { name: /^Keep yours/ }).waitFor();
    },
  },
  {
    name: 'admin-content-gone',
    path: () => `/admin/content?entry=${entry}`,
    prepare: (page) => refusing(page, entryApi, 404, { code: 'NOT_FOUND', message: 'Not found.' }, 'PATCH'),
    async act(page) {
      await openArticle(page);
      await page.getByLabel('Text', { exact: true }).fill('Mine.');
      await page.getByRole('button', { name: 'Make a new draft of it' }).waitFor();
    },
  },
  {
    name: 'admin-content-newer-file',
    path: () => `/admin/content?entry=${entry}`,
    prepare: (page) =>
      changing<ContentEntry>(page, entryApi, (one) => ({
        ...{ ...one, hasNewerFile: true, newerFile: one.source.replace('Virginia', 'Maine').slice(0, -300) },
      })),
    act: openArticle,
  },
  {
    name: 'admin-content-history',
    path: () => `/admin/content?entry=${entry}`,
    async prepare(page) {
      const version = (number: number, event: string) =>
        ({ version: number, event, actor: 'ines', createdAt: ago(60 * (9 - number)), publishedAt: null }) as const;
      const list = [version(3, 'saved'), version(2, 'restored'), { ...version(1, 'file'), publishedAt: ago(day) }];
      await answering(page, `${entryApi}/versions`, list);
      await answering(page, `${entryApi}/versions/2`, {
        source: (await readFile(`content/${entry}.md`, 'utf8')).replaceAll('Virginia', 'Maine').slice(0, -500),
      });
      await changing<ContentEntry>(page, entryApi, (one) => ({ ...one, version: 3 }));
    },
    async act(page) {
      await openArticle(page);
      await page.getByText('History', { exact: true }).click();
      await page
        .getByRole('button', { name: /^Compare/ })
        .first()
        .click();
      await page.locator('ins').first().waitFor();
    },
  },
  ...(['Schedule…', 'Unpublish…', 'Delete…', 'Insert picture…', 'Insert chart…'] as const).map((name): Scene => ({
    name: `admin-content-${name.toLowerCase().replace(/\W/g, '')}`,
    path: () => `/admin/content?entry=${entry}`,
    fullPage: false,
    prepare: (page) => changing<ContentEntry>(page, entryApi, (one) => ({ ...one, isChanged: true, published: 'x' })),
    async act(page) {
      await openArticle(page);
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
    },
  })),

  {
    name: 'admin-import-fetch-failed',
    path: () => '/admin/imports',
    async act(page) {
      await signInToDesk(page);
      await page.getByPlaceholder('https://').fill('http://127.0.0.1/polls.csv');
      await page.getByRole('button', { name: 'Fetch' }).click();
      await page.locator('[aria-invalid]').waitFor();
    },
  },
  {
    name: 'admin-import-unreadable',
    path: () => '/admin/imports',
    async act(page) {
      await signInToDesk(page);
      const file = { name: 'holiday.xlsx', mimeType: 'application/x', buffer: Buffer.from('not a workbook') };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'admin-import-unmapped',
    path: () => '/admin/imports',
    async act(page) {
      await signInToDesk(page);
      const csv =
        'Headline;Intro;option_1;option_2;Opens;Last day;Notes\n' +
        `${long};"Asked at the market";Yes;No;01/05/2026;11/22/2036;front page\nNo option?;;Yes;;01/05/2026;13/45/2036;\n`;
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
      await page.getByText('Choose the columns for: End.').waitFor();
    },
  },
  {
    name: 'admin-import-history',
    path: () => '/admin/imports',
    prepare: (page) =>
      answering(page, '**/api/admin/imports?*', {
        imports: [
          record('1', 'autumn-of-2026-final-corrected.csv', { state: 'running', undoable: false, finishedAt: null }),
          record('2', 'summer.csv', { rejected: 41 }),
          record('3', 'polls.xlsx', { state: 'stopped', message: 'The disk is full.', undoable: false }),
          record('4', 'spring.csv', { origin: 'terminal', mode: 'all-or-nothing' }),
        ],
        ...{ page: 1, pages: 3, total: 41 },
      }),
    act: signInToDesk,
  },
  {
    name: 'admin-undo-dependents',
    path: () => '/admin/imports',
    fullPage: false,
    async prepare(page) {
      await answering(page, '**/api/admin/imports?*', {
        imports: [record('2', 'summer.csv')],
        page: 1,
        pages: 1,
        total: 1,
      });
      await answering(page, '**/api/admin/imports/2/undo?*', undoPreview);
    },
    async act(page) {
      await signInToDesk(page);
      await page.getByRole('button', { name: /^Undo: import/ }).click();
      await page.getByText('1,190 polls').waitFor();
    },
  },

  {
    name: 'admin-members-found',
    path: () => '/admin/members?name=rosa',
    async prepare(page) {
      const member = { name: 'Rosa Wind', profileImageUrl: null, createdAt: ago(9_000) };
      await answering(page, '**/api/admin/members?*', {
        members: [
          { ...member, id: 'u1', username: 'rosa', suspended: false, operator: false },
          { ...member, id: 'u2', username: 'rosa.of-the-very-long-name-here', suspended: true, operator: false },
          { ...member, id: 'u3', username: 'rosalind', suspended: false, operator: true },
        ],
      });
      const url = 'https://polls.example.org/auth/recover#reset=3f9c0b6d21';
      await answering(page, '**/api/admin/members/u1/reset-link', { url, expiresAt: ago(-60) }, 'POST');
    },
    async act(page) {
      await signInToDesk(page);
      await page.getByRole('button', { name: 'Create reset link for rosa', exact: true }).click();
      await page.getByRole('textbox', { name: 'Reset link for rosa' }).waitFor();
    },
  },
  {
    name: 'admin-members-none',
    path: () => '/admin/members?name=nobody',
    act: signInToDesk,
  },
  { name: 'admin-reports-empty', path: () => '/admin/reports', act: signInToDesk },
  { name: 'admin-suspicions', path: () => '/admin/reports', prepare: withSuspicions, act: signInToDesk },
  {
    name: 'admin-settings-full',
    path: () => '/admin/settings',
    prepare: withSettings,
    async act(page) {
      await signInToDesk(page);
      await page.getByRole('button', { name: 'Deliveries: hooks.example.com' }).first().click();
      await page.getByText('The connection was refused.').waitFor();
      await page.getByText('Before and after').first().click();
      await page.getByLabel('Name', { exact: true }).fill('Newsroom');
      await page.getByLabel('Import polls').check();
      await page.getByRole('button', { name: 'Create a token' }).click();
      await page.getByLabel('Token', { exact: true }).waitFor();
    },
  },
  ...(
    [
      ['webhook', 'Add webhook'],
      ['webhook-edit', 'Edit: hooks.example.com'],
      ['webhook-secret', 'New secret: hooks.example.com'],
      ['webhook-delete', 'Delete: hooks.example.com'],
      ['token-revoke', 'Revoke Nightly import'],
      ['operator-remove', 'Remove mo'],
    ] as const
  ).map(([name, label]): Scene => ({
    name: `admin-${name}`,
    path: () => '/admin/settings',
    fullPage: false,
    prepare: withSettings,
    act: press(label),
  })),
  {
    name: 'admin-publish-details',
    path: () => '/admin/publishing',
    async act(page) {
      await signInToDesk(page);
      await page.locator('summary').first().click();
    },
  },
];

/** What members see who are operators, or become one; new ones every time. */
export const operatorScenes: readonly Scene[] = [
  {
    name: 'admin-invited-member',
    path: () => '/admin/settings#invitation=secret',
    prepare: signInNewMember,
    act: (page) => page.getByRole('button', { name: 'Accept' }).waitFor(),
  },
  {
    name: 'admin-as-moderator',
    path: () => '/admin/imports',
    prepare: (page, origin) => asOperator(page, 'moderator', origin),
    act: loaded,
  },
  {
    name: 'admin-settings-editor',
    path: () => '/admin/settings',
    prepare: (page, origin) => asOperator(page, 'editor', origin),
    act: loaded,
  },
  {
    name: 'admin-left',
    path: () => '/admin/members',
    async prepare(page, origin) {
      await asOperator(page, 'owner', origin);
      await page.addInitScript((password) => sessionStorage.setItem('adminPassword', password), operatorPassword);
    },
    async act(page) {
      await page.getByRole('button', { name: 'Logout' }).click();
      await page.getByRole('button', { name: /^Open the desk/ }).waitFor();
    },
  },
  {
    name: 'admin-not-operator',
    path: () => '/admin',
    prepare: signInNewMember,
    act: (page) => page.getByText(/^You’re signed in/).waitFor(),
  },
  ...(['any', 'passkey'] as const).map((confirmation): Scene => ({
    name: `admin-confirm-${confirmation}`,
    path: () => '/admin',
    async prepare(page, origin) {
      await asOperator(page, 'owner', origin);
      const body = { code: 'CONFIRMATION_REQUIRED', message: 'Confirm.', confirmation };
      await refusing(page, '**/api/admin/session', 403, body, 'GET');
    },
    act: (page) => page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor(),
  })),
  {
    name: 'admin-confirm-action',
    path: () => '/admin/settings',
    fullPage: false,
    async prepare(page, origin) {
      await asOperator(page, 'owner', origin);
      await withSettings(page);
      const body = { code: 'CONFIRMATION_REQUIRED', message: 'Confirm.', confirmation: 'any' };
      await refusing(page, '**/api/admin/tokens', 403, body);
    },
    async act(page) {
      await loaded(page);
      await page.getByLabel('Name', { exact: true }).fill('Newsroom');
      await page.getByLabel('Import polls').check();
      await page.getByRole('button', { name: 'Create a token' }).click();
      await page.getByRole('dialog').getByLabel('Password').waitFor();
    },
  },
];
