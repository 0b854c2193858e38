import { globSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { recordEnded } from '#api/publishing/job.service.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';

oneDatabase((open) => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());
  const start = async () => {
    const { db } = await open();
    app = await startTestApp(db);
    return { db, app };
  };

  test('health reports that the database responds and when pages were last published', async () => {
    const { db, app } = await start();
    expect(await (await app.fetch('/api/health')).json()).toMatchObject({
      status: 'ok',
      database: 'ok',
      publishedAt: null,
    });
    const job = { changes: [], startedAt: 1 };
    await recordEnded(db, { ...job, changed: 3 }, 2);
    await recordEnded(db, { ...job, changed: 0 }, 4);
    expect(await (await app.fetch('/api/health')).json()).toMatchObject({ publishedAt: '1970-01-01T00:00:00.002Z' });
  });

  test('health is 503 when the database does not respond', async () => {
    const { db, app } = await start();
    await db.destroy();
    const response = await app.fetch('/api/health');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      status: 'unavailable',
      database: 'unavailable',
      disk: null,
      publishedAt: null,
    });
  });

  test('health is 503 while the service is draining, and each response closes its connection', async () => {
    const { app } = await start();
    expect((await app.fetch('/api/health')).headers.get('connection')).toBe('keep-alive');
    app.startDraining();
    const response = await app.fetch('/api/health');
    expect([response.status, response.headers.get('connection')]).toEqual([503, 'close']);
    expect(await response.json()).toMatchObject({ status: 'ending', database: 'ok' });
    expect((await app.fetch('/api/statistics')).headers.get('connection')).toBe('close');
  });

  test('[D10.1 D10.3 D10.5] unknown paths under /api get JSON, and a wrong method gets the allowed ones', async () => {
    const { app } = await start();
    const missing = await app.fetch('/api/nothing');
    const wrong = await app.fetch('/api/statistics', { method: 'DELETE' });
    expect([missing.status, wrong.status, wrong.headers.get('allow')]).toEqual([404, 405, 'HEAD, GET']);
    for (const [answer, code] of [
      [missing, 'NOT_FOUND'],
      [wrong, 'METHOD_NOT_ALLOWED'],
    ] as const) {
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await answer.json()).toEqual({ message: expect.stringMatching(/^[A-Z].+[.]$/) as string, code });
    }
  });

  test('[D10.1 D10.5] a body that is too large, of another type, or not JSON gets its own error', async () => {
    const { app } = await start();
    const post = async (
      body: BodyInit,
      type = 'application/json',
      more: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
    ) => {
      const response = await app.fetch('/api/polls/any/vote', {
        method: 'POST',
        body,
        ...more,
        headers: { 'content-type': type, 'x-device-id': 'device_abcdefgh1234', ...more.headers },
      });
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    expect(await post(JSON.stringify({ optionId: 'x'.repeat(100_001) }))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await post('optionId=1', 'application/x-www-form-urlencoded')).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(await post('{"optionId":')).toEqual([400, 'INVALID_JSON']);
    expect(await post('')).toEqual([400, 'INVALID_JSON']);
    expect(await post('null')).toEqual([400, 'VALIDATION_FAILED']);
    expect(await post('{"optionId":"a"}', 'Application/JSON ; charset=utf-16')).toEqual([404, 'POLL_NOT_FOUND']);
    const compressed = { headers: { 'content-encoding': 'gzip' } };
    expect(await post(gzipSync('{"optionId":"a"}'), 'application/json', compressed)).toEqual([400, 'INVALID_JSON']);
    const streamed = new Blob([JSON.stringify({ optionId: 'x'.repeat(300_000) })]).stream();
    expect(await post(streamed, 'application/json', { duplex: 'half' } as object)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await post('{"optionId":7}')).toEqual([400, 'VALIDATION_FAILED']);
    expect(await post('{"optionId":"a","more":1}')).toEqual([400, 'VALIDATION_FAILED']);
  });

  test('[D5.8] a write sent by a browser from another site is refused', async () => {
    const { app } = await start();
    const from = async (headers: Record<string, string>) =>
      (
        await app.fetch('/api/polls/any/vote', {
          method: 'POST',
          body: '{"optionId":"a"}',
          headers: { 'content-type': 'application/json', 'x-device-id': 'device_abcdefgh1234', ...headers },
        })
      ).status;
    expect(await from({ origin: 'https://elsewhere.example' })).toBe(403);
    expect(await from({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await from({ origin: 'http://localhost:3000' })).toBe(404);
    expect(await from({ 'sec-fetch-site': 'same-origin' })).toBe(404);
    expect(await from({})).toBe(404);
  });

  test('the OpenAPI document describes every mounted endpoint', async () => {
    const { app } = await start();
    const document = (await (await app.fetch('/api/openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { operationId: string }>>;
      components: { schemas: Record<string, unknown> };
    };
    expect(document.openapi).toBe('3.1.0');
    const described = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((call) => call.operationId),
    );
    const working = [
      'health',
      'openapi',
      'metrics',
      'pollIntegrity',
      'pollInclusion',
      'pollConsistency',
      'pollSiteEntries',
      'pollBallots',
      'siteConsistency',
      'statistics',
      'interventions',
      'ownFlags',
      'communityPollCount',
      'blocks',
      'blockAuthor',
      'unblock',
      'hideOwnComment',
      'comment',
      'editComment',
      'editCommunityPoll',
      'communityPollEdits',
      'communityPollCsv',
      'communityScreen',
      'decideVotes',
      'decideOwnFlag',
      'decideOwnVotes',
      'flaggedPolls',
      'switchChallenge',
      'raiseProtection',
      'webhooks',
      'createWebhook',
      'changeWebhook',
      'deleteWebhook',
      'rotateWebhookSecret',
      'testWebhook',
      'webhookDeliveries',
      'resendDelivery',
      'countShare',
      'pollInsights',
      'siteInsights',
      'decideFlag',
      'activePolls',
      'historicalPolls',
      'relatedPolls',
      'topic',
      'poll',
      'vote',
      'requestVoteCode',
      'holdVote',
      'guess',
      'blogs',
      'featuredBlogs',
      'blog',
      'user',
      'login',
      'register',
      'logout',
      'loginPage',
      'updateUser',
      'changePassword',
      'accountSecurity',
      'endSessions',
      'uploadPicture',
      'picture',
      'createRecoveryCodes',
      'recover',
      'resetPassword',
      'passkeyCreation',
      'addPasskey',
      'renamePasskey',
      'removePasskey',
      'passkeyChallenge',
      'loginWithPasskey',
      'requestPasswordReset',
      'changeEmail',
      'removeEmail',
      'confirmEmail',
      'findMembers',
      'createResetLink',
      'removePicture',
      'userSummary',
      'exportUser',
      'deleteUser',
      'profile',
      'activities',
      'activityDays',
      'badges',
      'announceBadges',
      'notifications',
      'readNotifications',
      'setDigest',
      'unsubscribe',
      'muteNotifications',
      'createNotificationFeed',
      'deleteNotificationFeed',
      'notificationFeed',
      'pollOpened',
      'pollShared',
      'featuredCommunityPolls',
      'communityCategories',
      'communityPolls',
      'createCommunityPoll',
      'communityPoll',
      'communityVoteStatus',
      'communityVote',
      'closeCommunityPoll',
      'deleteCommunityPoll',
      'invites',
      'invite',
      'removeInvite',
      'inviteLink',
      'createInviteLink',
      'revokeInviteLink',
      'joinPoll',
      'comments',
      'createComment',
      'deleteComment',
      'reportComment',
      'search',
      'searchSuggestions',
      'bulkUpload',
      'adminSession',
      'today',
      'pollCalendar',
      'checklist',
      'confirmStep',
      'dismissChecklist',
      'deskMail',
      'setDeskMail',
      'sendTestMail',
      'startBackupTest',
      'publishing',
      'rebuildSite',
      'pausePublishing',
      'resumePublishing',
      'reportQueue',
      'moderationScope',
      'moderate',
      'moderationLog',
      'decideAppeal',
      'moderationDecisions',
      'appeal',
      'reportPoll',
      'featureCommunityPoll',
      'imports',
      'importPreview',
      'rejectedRows',
      'fetchSpreadsheet',
      'exportPolls',
      'undoPreview',
      'undoImport',
      'managedPolls',
      'pollScreen',
      'closePoll',
      'reopenPoll',
      'editPoll',
      'createDraft',
      'editedPoll',
      'saveDraft',
      'discardDraft',
      'publishDraft',
      'unpublishPoll',
      'deletePoll',
      'setRecurrence',
      'pollVersions',
      'restorePoll',
      'removeDemonstration',
      'confirmSession',
      'invitation',
      'acceptInvitation',
      'answerNewerFile',
      'answerSignIn',
      'apiTokens',
      'auditLog',
      'becomeOwner',
      'changeRole',
      'contentEntry',
      'contentImage',
      'contentList',
      'contentVersion',
      'contentVersions',
      'createApiToken',
      'createArticle',
      'deleteContent',
      'deskSession',
      'exportAuditLog',
      'inviteOperator',
      'operators',
      'previewContent',
      'publishContent',
      'removeOperator',
      'restoreContent',
      'reviewAnswer',
      'reviewContent',
      'revokeApiToken',
      'revokeInvitation',
      'saveContent',
      'setSharedPassword',
      'unpublishContent',
      'uploadContentImage',
      'waitingAnswers',
    ];
    expect(described.sort()).toEqual(working.sort());
    expect(Object.keys(document.components.schemas)).toContain('Poll');
  });

  test('every mounted endpoint is used in the tests of its feature', async () => {
    const { app } = await start();
    const { paths } = (await (await app.fetch('/api/openapi.json')).json()) as { paths: Record<string, object> };
    const cases = globSync('api/**/*.http.test.ts')
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    // In a test, a parameter is a word or a template expression; the path is followed by its end or a query.
    const uncovered = Object.keys(paths).filter((path) => {
      const pattern = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '(?:\\$\\{[^}]*\\}|[\\w%-]+)');
      return !new RegExp(`['"\`]${pattern}['"\`?]`).test(cases);
    });
    expect(uncovered).toEqual([]);
  });
});
