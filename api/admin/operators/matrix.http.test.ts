import { expect, test } from 'vitest';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedOperator, sharedPassword } from '#api/testing/operators.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import { endpoints } from '#api/endpoints.contract.ts';
import type { Endpoint } from '#contract/route.ts';
import type { EndpointName } from '#api/endpoints.contract.ts';
import { apiScopes } from '#contract/vocabulary.ts';
import type { ApiToken, NewApiToken } from './operators.contract.ts';
import { switchSharedPassword } from './shared-password.service.ts';
import { createToken } from './tokens.service.ts';

/**
 * Who may call each admin endpoint: the permission, `!` for a dangerous action, and the scope of API tokens. Written
 * down apart from the contract, so that what a change allows is decided twice.
 */
const rows: Readonly<Record<string, string>> = {
  publishing: 'operator read',
  rebuildSite: 'editor publish',
  pausePublishing: 'editor!',
  resumePublishing: 'editor publish',
  reportQueue: 'moderator',
  moderationScope: 'moderator',
  moderationLog: 'moderator',
  moderate: 'moderator',
  decideAppeal: 'moderator',
  removePicture: 'moderator',
  featureCommunityPoll: 'moderator',
  today: 'operator read',
  pollCalendar: 'operator read',
  checklist: 'owner',
  confirmStep: 'owner',
  dismissChecklist: 'owner',
  sendTestMail: 'owner',
  startBackupTest: 'owner',
  deskMail: 'operator',
  setDeskMail: 'operator',
  imports: 'editor read',
  undoPreview: 'editor',
  undoImport: 'editor!',
  managedPolls: 'operator read',
  pollScreen: 'operator',
  closePoll: 'editor',
  reopenPoll: 'editor',
  editPoll: 'editor',
  createDraft: 'editor',
  editedPoll: 'editor',
  saveDraft: 'editor',
  discardDraft: 'editor',
  publishDraft: 'editor',
  unpublishPoll: 'editor!',
  deletePoll: 'editor!',
  setRecurrence: 'editor',
  pollVersions: 'editor',
  restorePoll: 'editor',
  contentList: 'editor content',
  createArticle: 'editor content',
  uploadContentImage: 'editor content',
  contentEntry: 'editor content',
  saveContent: 'editor content',
  deleteContent: 'editor!',
  previewContent: 'editor content',
  publishContent: 'editor content',
  unpublishContent: 'editor content',
  reviewContent: 'editor',
  contentVersions: 'editor content',
  contentVersion: 'editor content',
  restoreContent: 'editor',
  answerNewerFile: 'editor',
  flaggedPolls: 'moderator',
  switchChallenge: 'moderator',
  raiseProtection: 'moderator',
  decideFlag: 'moderator!',
  decideVotes: 'moderator',
  findMembers: 'moderator',
  createResetLink: 'owner!',
  removeDemonstration: 'owner!',
  importPreview: 'editor',
  fetchSpreadsheet: 'editor',
  rejectedRows: 'editor',
  exportPolls: 'editor read',
  pollInsights: 'operator read',
  siteInsights: 'operator read',
  webhooks: 'owner',
  createWebhook: 'owner',
  changeWebhook: 'owner',
  rotateWebhookSecret: 'owner',
  deleteWebhook: 'owner',
  testWebhook: 'owner',
  webhookDeliveries: 'owner',
  resendDelivery: 'owner',
  deskSession: 'operator',
  operators: 'owner',
  becomeOwner: 'owner!',
  inviteOperator: 'owner!',
  revokeInvitation: 'owner',
  changeRole: 'owner!',
  removeOperator: 'owner!',
  setSharedPassword: 'owner!',
  apiTokens: 'owner',
  createApiToken: 'owner!',
  revokeApiToken: 'owner!',
  auditLog: 'owner',
  exportAuditLog: 'owner',
};

/** Endpoints that authorize in their own way, with tests of their own. */
const special: ReadonlySet<string> = new Set(['bulkUpload', 'metrics', 'adminSession']);

const all = Object.entries(endpoints) as [EndpointName, Endpoint][];
const ofAdmin = all.filter(([, { path, admin }]) => admin !== undefined || path.startsWith('/api/admin/'));

const adminRequired = '401 ADMIN_REQUIRED';
const forbidden = '403 FORBIDDEN';
const confirmation = '403 CONFIRMATION_REQUIRED';
/** The codes by which calls are refused before their handlers run. */
const refusals = /ADMIN_REQUIRED|FORBIDDEN|CONFIRMATION_REQUIRED|INVALID_TOKEN|UNAUTHENTICATED|ACCOUNT_SUSPENDED/;

test('every admin endpoint has a row that says who may call it, and its contract says the same', () => {
  const stated = ofAdmin
    .filter(([name]) => !special.has(name))
    .map(([name, { admin, confirm, scope }]) => [
      name,
      `${admin}${confirm ? '!' : ''}${scope === undefined ? '' : ` ${scope}`}`,
    ]);
  expect(Object.fromEntries(stated)).toEqual(rows);
});

test('what is dangerous is for operators, who confirm it, and never for API tokens', () => {
  // The matrix below calls everything that has a row.
  expect(all.filter(([name, { confirm }]) => confirm && !rows[name]?.includes('!'))).toEqual([]);
  expect(all.filter(([, { confirm, scope }]) => confirm && scope !== undefined)).toEqual([]);
});

oneDatabase((open) => {
  /** What each endpoint answers a caller: nothing if it is let in, or status and code of the refusal. */
  async function answers(browser: Visitor, headers: Record<string, string> = {}): Promise<Record<string, string>> {
    const told: Record<string, string> = {};
    for (const [name, { method, path }] of ofAdmin) {
      if (special.has(name)) continue;
      // Nothing has these ids, and no body fits: those who are let in change nothing.
      const address = path.replace(/(imports|moderation|tokens|invitations)\/:id/, '$1/9').replace(/:\w+/g, 'x9');
      const json = method === 'GET' ? {} : { json: {} };
      const response = await browser.fetch(address, { method, headers, ...json });
      const text = await response.text();
      const code = response.status < 400 ? '' : (JSON.parse(text) as { code: string }).code;
      told[name] = refusals.test(code) ? `${response.status} ${code}` : '';
    }
    return told;
  }
  const expected = (answer: (row: { role: string; dangerous: boolean; scope: string | undefined }) => string) =>
    Object.fromEntries(
      Object.entries(rows).map(([name, row]) => {
        const [permission = '', scope] = row.split(' ');
        return [name, answer({ role: permission.replace('!', ''), dangerous: permission.endsWith('!'), scope })];
      }),
    );

  test(
    'members, each role, the shared password, and API tokens may call what their row says, and get the exact error elsewhere',
    { timeout: 60_000 },
    async () => {
      const { db } = await open();
      const app = await startTestApp(db);
      const [member, nobody] = [await registered(app, 'member'), visitor(app)];
      const [owner, editor, moderator] = [
        await seedOperator(db, app, 'olga', 'owner'),
        await seedOperator(db, app, 'edna', 'editor'),
        await seedOperator(db, app, 'moritz', 'moderator'),
      ];
      const roles = { owner, editor, moderator };
      const allowed = (role: string) => (row: { role: string }) =>
        role === 'owner' || row.role === 'operator' || row.role === role ? '' : forbidden;

      expect(await answers(nobody)).toEqual(expected(() => adminRequired));
      expect(await answers(member)).toEqual(expected(() => adminRequired));
      for (const [role, browser] of Object.entries(roles))
        expect(await answers(browser)).toEqual(expected(allowed(role)));

      const minutesLater = async (minutes: number) => {
        await db('sessions').update({ password_at: app.clock.now() - minutes * 60_000 });
      };
      // Roles are refused before anyone is asked to confirm.
      await minutesLater(11);
      for (const [role, browser] of Object.entries(roles))
        expect(await answers(browser)).toEqual(
          expected((row) => allowed(role)(row) || (row.dangerous ? confirmation : '')),
        );
      await minutesLater(12 * 60);
      expect(await answers(editor)).toEqual(expected((row) => allowed('editor')(row) || confirmation));

      // The shared password travels with each call; it can’t make an owner of nobody.
      const shared = { ...expected(() => ''), becomeOwner: '401 UNAUTHENTICATED' };
      expect(await answers(nobody, sharedPassword)).toEqual(shared);
      await switchSharedPassword({ db, clock: app.clock }, { id: null, name: 'terminal' }, false);
      expect(await answers(nobody, sharedPassword)).toEqual(expected(() => adminRequired));

      const operator = { id: owner.user.id, name: 'olga', role: 'owner' } as const;
      for (const scope of apiScopes) {
        const { token } = await createToken({ db, clock: app.clock }, operator, { name: scope, scopes: [scope] });
        const headers = { authorization: `Bearer ${token}` };
        expect(await answers(nobody, headers)).toEqual(expected((row) => (row.scope === scope ? '' : forbidden)));
      }
      const wrong = await owner.fetch('/api/admin/session', { headers: { authorization: 'Bearer wv_wrong' } });
      expect(await wrong.json()).toMatchObject({ code: 'INVALID_TOKEN' });
    },
  );

  test('endpoints for members let every operator in as a member, but neither the shared password nor API tokens', async () => {
    const { db } = await open();
    const app = await startTestApp(db);
    const [owner, nobody] = [await seedOperator(db, app, 'olga', 'owner'), visitor(app)];
    const made = await owner.fetch('/api/admin/tokens', { method: 'POST', json: { name: 'all', scopes: apiScopes } });
    const { token } = (await made.json()) as NewApiToken & ApiToken;
    const callers = [
      ['401 UNAUTHENTICATED', nobody, {}],
      ['401 UNAUTHENTICATED', nobody, sharedPassword],
      ['401 UNAUTHENTICATED', nobody, { authorization: `Bearer ${token}` }],
      ['', owner, {}],
    ] as const;
    for (const [name, { method, path, signedIn }] of all) {
      if (signedIn !== true) continue;
      for (const [answer, browser, headers] of callers) {
        const json = method === 'GET' ? {} : { json: {} };
        const response = await browser.fetch(path.replace(/:\w+/g, 'x9'), { method, headers, ...json });
        const text = await response.text();
        const code = response.status < 400 ? '' : (JSON.parse(text) as { code: string }).code;
        const told = code === 'UNAUTHENTICATED' ? `${response.status} ${code}` : '';
        expect([name, told]).toEqual([name, answer]);
      }
    }
  });

  test('files and metrics are for the roles and scopes they need', async () => {
    const { db } = await open();
    const app = await startTestApp(db, { config: { trustedProxies: [] } });
    const [editor, moderator] = [
      await seedOperator(db, app, 'edna', 'editor'),
      await seedOperator(db, app, 'moritz', 'moderator'),
    ];
    const operator = { id: null, name: 'operator', role: 'owner' } as const;
    const upload = async (browser: Visitor, headers: Record<string, string> = {}) => {
      const body = new FormData();
      body.set('csvFile', new File(['id,question\n'], 'polls.csv', { type: 'text/csv' }));
      const response = await browser.fetch('/api/polls/bulk-upload?dryRun=true', { method: 'POST', body, headers });
      return ((await response.json()) as { code?: string }).code;
    };
    const metrics = async (headers: Record<string, string>) =>
      // From another machine, which doesn’t count as local monitoring.
      (await app.fetch('/api/metrics', { headers: { 'x-forwarded-for': '203.0.113.9', ...headers } })).status;
    const tokenFor = async (scope: 'import' | 'read') => {
      const { token } = await createToken({ db, clock: app.clock }, operator, { name: scope, scopes: [scope] });
      return { authorization: `Bearer ${token}` };
    };
    const [imports, reads] = [await tokenFor('import'), await tokenFor('read')];
    expect(await upload(visitor(app))).toBe('ADMIN_REQUIRED');
    expect(await upload(moderator)).toBe('FORBIDDEN');
    expect(await upload(visitor(app), reads)).toBe('FORBIDDEN');
    // The file is read, and refused for its content.
    expect(await upload(editor)).toBe('VALIDATION_FAILED');
    expect(await upload(visitor(app), imports)).toBe('VALIDATION_FAILED');
    expect([await metrics({}), await metrics(imports), await metrics(reads)]).toEqual([401, 403, 200]);
  });
});
