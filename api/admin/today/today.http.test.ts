import { readdir } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import type { BackupTest } from './today.contract.ts';
import type { ResponseOf } from '#api/endpoints.contract.ts';
import { fixedClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { recordBackup } from '#api/backup/last-backup.service.ts';
import { recordChanges } from '#api/publishing/changes.service.ts';
import { recordEnded } from '#api/publishing/job.service.ts';
import { setPaused } from '#api/publishing/state.service.ts';
import { forgetPages } from '#api/testing/changes.ts';
import { ask, made } from '#api/testing/community-polls.ts';
import { eachDatabase } from '#api/testing/databases.ts';
import { emptyPlaces } from '#api/testing/empty-places.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { startMailServer } from '#api/testing/mail-server.ts';
import { startMailing } from '#api/testing/mailing.ts';
import { auditLog, seedOperator } from '#api/testing/operators.ts';
import { registered } from '#api/testing/people.ts';
import { startTestApp, testAdminPassword, testNow } from '#api/testing/test-app.ts';
import { headerText } from '#site/client/api.ts';
import { deskMail, reportUndecided, setDeskMail } from './notice.service.ts';
import { replaceRecord } from './records.queries.ts';
import type { BackupTestRecord } from './records.queries.ts';

const hour = 3_600_000;
const day = 24 * hour;
const iso = (moment: number) => new Date(moment).toISOString();
const empty = emptyPlaces();

async function start(db: Database, config: NonNullable<Parameters<typeof startTestApp>[1]>['config'] = {}) {
  const dataDir = await empty.folder();
  const app = await startTestApp(db, { config: { dataDir, ...config } });
  const headers = { 'x-admin-password': headerText(testAdminPassword), 'content-type': 'application/json' };
  // The caller names the expected type; the contract's tests check shapes.
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  const call = async <T = unknown>(path: string, body?: object, more: Record<string, string> = {}) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await app.fetch(path, { headers: { ...headers, ...more }, ...init });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
  };
  const today = async () =>
    (await call<ResponseOf<'today'>>('/api/admin/today')).body.items.filter(({ kind }) => kind !== 'disk');
  const checklist = async (query = '', more: Record<string, string> = {}) =>
    (await call<ResponseOf<'checklist'>>(`/api/admin/checklist?${query}`, undefined, more)).body;
  const stateOf = async (step: string, query = '') =>
    (await checklist(query)).steps.find((one) => one.step === step)?.state;
  return { app, dataDir, call, today, checklist, stateOf };
}

eachDatabase((open, _engine, once) => {
  once('an empty site needs a poll and a backup, and nothing else', async () => {
    const { db } = await open();
    const { app, dataDir, today } = await start(db);
    expect(await today()).toMatchObject([
      { kind: 'no-open-poll', level: 'urgent', count: 1, since: null, due: null },
      { kind: 'backup', level: 'open', since: null },
    ]);
    await seedPolls(db, [{ id: 'open', endsAt: testNow + 30 * day }]);
    await recordBackup(dataDir, iso(testNow - 2 * day));
    expect(await today()).toEqual([]);
    app.clock.set(testNow + hour);
    expect(await today()).toMatchObject([{ kind: 'backup', since: iso(testNow - 2 * day) }]);
  });

  test('everything that waits for a decision is listed with its number and its oldest, most urgent first', async () => {
    const { db } = await open();
    await seedPolls(db, [
      { id: 'watched', endsAt: testNow + 30 * day },
      { id: 'flagged', endsAt: testNow + 30 * day },
    ]);
    const { app, dataDir, today, call } = await start(db);
    await recordBackup(dataDir, iso(testNow));
    const [author, reader] = [await registered(app, 'author'), await registered(app, 'reader')];
    const spammer = await registered(app, 'spammer');
    const polls = [await made(author), await made(author)];
    for (const { id } of polls)
      expect((await ask(reader, `/api/community-polls/${id}/report`, 'POST', { category: 'spam' })).status).toBe(204);
    await db('reports')
      .where('subject', polls[1]!.id)
      .update({ created_at: testNow - 3 * day });
    const hidden = { action: 'suspend', kind: 'member', ids: [spammer.user.id], reason: 'Advertising' };
    expect((await call('/api/admin/moderation', hidden)).status).toBe(200);
    await db('moderation_actions').update({ appeal: 'Why?', appealed_at: testNow - 5 * hour });
    const keyOf = async (id: string) => (await db('ballots').where({ id }).first('key'))!.key;
    const [key, flagged] = [await keyOf('watched'), await keyOf('flagged')];
    const decision = {
      ...{
        ballot_key: key,
        action: 'hold' as const,
        reason: 'unusual-rate' as const,
        votes: 3,
        cluster: '{}',
        first_id: 1,
        last_id: 3,
      },
      ...{ state: 'held' as const, made_by: 'detector', made_at: testNow - 6 * day },
    };
    await db('vote_decisions').insert([
      { ...decision, number: 1, expires_at: testNow + day },
      { ...decision, number: 2, expires_at: testNow + 2 * day },
      // Its creator decides about a written answer, which neither waits here nor hides the flag.
      { ...decision, ballot_key: flagged, number: 1, reason: 'written-answer', made_at: testNow - 30 * day },
    ]);
    await db('ballots').where({ key }).update({ set_aside_votes: 6, held_votes: 6 });
    await db('ballots').where({ key: flagged }).update({ set_aside_votes: 3, held_votes: 3 });
    await db('unfinished_decisions').insert({
      ...{ key: 1, ballot_key: key, is_staged: true, after_id: 0, last_id: 3, touched_at: testNow - hour },
    });
    await db('integrity_scores').insert({ ballot_key: flagged, score: 90, detection: '{}', scored_at: testNow - hour });
    await db('vote_logs').insert({
      ...{ origin: 'x', ballot_key: key, is_public: true, problem: 'It differs.' },
      ...{ opened_at: 0, published_at: testNow, checked_at: testNow },
    });
    const job = { changes: [], startedAt: 0, changed: 0 };
    for (const [hours, error] of [[9, 'no disk'], [8], [7, 'no disk'], [6, 'no disk']] as const)
      await recordEnded(db, { ...job, error }, testNow - hours * hour);
    await setPaused(db, fixedClock(testNow - 2 * hour), true);
    await forgetPages(db);
    await recordChanges(db, testNow - 2 * hour, [
      { kind: 'poll', key: 'watched' },
      { kind: 'content', key: 'about.md' },
    ]);
    const mail = { kind: 'mail', first_due_at: testNow - hour, due_at: testNow + hour };
    await db('jobs').insert([
      { ...mail, attempts: 2 },
      { ...mail, attempts: 1 },
    ]);
    await db('webhooks').insert({
      ...{ id: 'w1', url: 'https://hooks.example.com/', events: 'poll.opened', secret: 'whsec_' },
      ...{ paused_by: 'failures', failing_since: testNow - 121 * hour, created_at: 0 },
    });
    await db('poll_imports').insert({
      ...{ started_at: testNow - 4 * hour, heartbeat_at: testNow - 4 * hour, origin: 'page', mode: 'partial' },
      ...{ state: 'undoing', busy: true },
    });
    const waiting = (await today()).map(({ kind, level, count, since, due }) => [
      ...[kind, level, count, since && (testNow - Date.parse(since)) / hour, due && (Date.parse(due) - testNow) / hour],
    ]);
    expect(waiting).toEqual([
      ['vote-log', 'urgent', 1, null, null],
      ['decisions-unfinished', 'urgent', 1, 1, null],
      ['publish-failed', 'urgent', 2, 7, null],
      ['votes-held', 'open', 2, 144, 24],
      ['reports', 'open', 2, 72, null],
      ['appeals', 'open', 1, 5, null],
      ['flags', 'open', 1, 1, null],
      ['publish-paused', 'open', 2, 2, null],
      ['mail-failed', 'open', 1, 1, null],
      ['webhooks-paused', 'open', 1, 121, null],
      ['imports-unfinished', 'open', 1, 4, null],
    ]);
    // Only what a pause holds back waits for a decision.
    await setPaused(db, app.clock, false);
    expect((await today()).map(({ kind }) => kind)).not.toContain('publish-paused');
    // Whoever acts on a flagged poll has seen it, and an undecided hold becomes urgent on its last day.
    await db('integrity_actions').insert({
      ...{ at: testNow, actor: 'operator', action: 'challenge-on', ballot_key: flagged, ballot_id: 'flagged' },
    });
    app.clock.set(testNow + 1);
    const next = await today();
    expect(next.map(({ kind }) => kind)).not.toContain('flags');
    expect(next.find(({ kind }) => kind === 'votes-held')?.level).toBe('urgent');
  });

  once('polls that end today in the site’s time zone, and gaps in the coming week, are listed', async () => {
    const { db } = await open();
    // It is 13:00 in Berlin, and 07:00 in New York.
    await seedPolls(db, [
      { id: 'ends', endsAt: testNow + 11 * hour, question: 'Does it end?' },
      { id: 'next', startsAt: testNow + 2 * day, endsAt: testNow + 3 * day },
      { id: 'later', startsAt: testNow + 4 * day, endsAt: testNow + 30 * day },
      { id: 'inactive', startsAt: testNow + day, endsAt: testNow + 30 * day, isActive: false },
    ]);
    const { dataDir, today } = await start(db);
    await recordBackup(dataDir, iso(testNow));
    expect(await today()).toMatchObject([
      { kind: 'poll-gap', count: 2, due: iso(testNow + 11 * hour) },
      { kind: 'polls-ending', level: 'note', count: 1, poll: { id: 'ends', question: 'Does it end?' } },
    ]);
    const berlin = await start(db, { dataDir, timeZone: 'Europe/Berlin' });
    expect(await berlin.today()).toMatchObject([{ kind: 'poll-gap' }]);
    await db('ballots')
      .where('id', 'ends')
      .update({ is_active: false, closed_at: testNow - hour });
    expect((await today())[0]).toMatchObject({
      ...{ kind: 'no-open-poll', level: 'urgent', since: iso(testNow - hour), due: iso(testNow + 2 * day) },
    });
  });

  once(
    'a month shows the weekly polls that are open in it, with gaps from the first poll on and overlaps',
    async () => {
      const { db } = await open();
      await seedPolls(db, [
        { id: 'first', startsAt: Date.parse('2026-10-05T08:00Z'), closedAt: Date.parse('2026-10-31T23:30Z') },
        { id: 'planned', startsAt: Date.parse('2026-12-01T08:00Z'), endsAt: Date.parse('2026-12-02T08:00Z') },
        ...Array.from({ length: 9 }, (_, n) => ({
          ...{ id: `busy-${n}`, startsAt: Date.parse('2026-11-10T08:00Z') + n * hour },
          endsAt: Date.parse('2026-11-20T08:00Z'),
        })),
      ]);
      const draft = { version: 1, created_at: testNow, changed_at: testNow, changed_by: 'operator' };
      const content = (startsAt: string | null) => JSON.stringify({ startsAt, endsAt: null });
      await db('poll_drafts').insert([
        { ...draft, id: 'idea', question: 'Idea?', content: content('2026-12-24T08:00:00.000Z') },
        { ...draft, id: 'undated', question: 'When?', content: content(null) },
        // Changes to a published poll are no draft of a new one.
        { ...draft, id: 'planned', question: 'Planned?', content: content('2026-12-03T08:00:00.000Z') },
      ]);
      const { call } = await start(db);
      const month = async (query: string) =>
        (await call<ResponseOf<'pollCalendar'>>(`/api/admin/calendar?${query}`)).body;
      expect(await month('month=2026-10')).toMatchObject({
        ...{ month: '2026-10', total: 1, polls: [{ id: 'first', state: 'closed' }] },
        gaps: [{ from: '2026-10-31T23:30:00.000Z', to: '2026-11-01T00:00:00.000Z' }],
      });
      const november = await month('');
      expect(november).toMatchObject({ month: '2026-11', total: 9 });
      expect(november.gaps).toEqual([
        { from: '2026-11-01T00:00:00.000Z', to: '2026-11-10T08:00:00.000Z' },
        { from: '2026-11-20T08:00:00.000Z', to: '2026-12-01T00:00:00.000Z' },
      ]);
      expect(november.overlaps).toEqual([
        { from: '2026-11-10T16:00:00.000Z', to: '2026-11-20T08:00:00.000Z', polls: 9 },
      ]);
      expect(await month('month=2026-12')).toMatchObject({
        total: 2,
        polls: [
          { id: 'idea', state: 'draft', startsAt: '2026-12-24T08:00:00.000Z', endsAt: null },
          { id: 'planned', state: 'scheduled' },
        ],
      });
      expect((await month('month=2026-12')).gaps).toHaveLength(2);
      expect(await month('month=2026-09')).toMatchObject({ polls: [], gaps: [] });
      for (const wrong of ['month=2026-13', 'month=soon', 'zone=UTC'])
        expect([wrong, (await call(`/api/admin/calendar?${wrong}`)).status]).toEqual([wrong, 400]);
    },
  );

  once('the checklist derives what it can, and the operator confirms the rest', async () => {
    const { db } = await open();
    const { app, checklist, stateOf, call } = await start(db);
    expect((await checklist()).steps.map(({ step, state }) => `${step} ${state}`)).toEqual([
      ...['site-name todo', 'public-url todo', 'proxy todo', 'owner todo', 'support-email todo', 'legal-texts todo'],
      ...['mail todo', 'backup todo', 'demonstration done'],
    ]);
    expect((await call('/api/admin/checklist/steps/legal-texts', { confirmed: true })).status).toBe(204);
    expect((await call('/api/admin/checklist/steps/backup', { confirmed: true })).status).toBe(204);
    expect([await stateOf('legal-texts'), await stateOf('backup')]).toEqual(['done', 'done']);
    expect((await call('/api/admin/checklist/steps/legal-texts', { confirmed: false })).status).toBe(204);
    expect(await stateOf('legal-texts')).toBe('todo');
    expect((await call('/api/admin/checklist/steps/public-url', { confirmed: true })).status).toBe(404);
    await seedOperator(db, app, 'mona', 'moderator');
    expect(await stateOf('owner')).toBe('todo');
    await seedOperator(db, app, 'olga', 'owner');
    expect(await stateOf('owner')).toBe('done');
    expect((await call('/api/admin/checklist/dismissed', { dismissed: true })).status).toBe(204);
    expect((await checklist()).dismissed).toBe(true);
    expect((await call('/api/admin/checklist/test-mail', { email: 'me@example.com' })).status).toBe(404);
    expect(await auditLog(db).orderBy('id').pluck('action')).toEqual([
      ...['setup.confirm', 'setup.confirm', 'setup.confirm', 'setup.dismiss'],
    ]);
  });

  once('the checklist says what is wrong between browser and server', async () => {
    const { db } = await open();
    const settings = { publicUrl: 'https://polls.example.org', siteName: 'The Gauge', supportEmail: 'desk@gauge.org' };
    const { checklist, stateOf } = await start(db, settings);
    const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };
    const good = await checklist(`origin=https://polls.example.org&clock=${iso(testNow + 30_000)}`, forwarded);
    expect(good.proxy).toEqual({ protocol: 'https', address: '203.0.113.9', secureCookies: true, problems: [] });
    expect(good.steps.slice(0, 5).map(({ state }) => state)).toEqual(['done', 'done', 'done', 'todo', 'done']);
    const plain = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http' };
    expect((await checklist('origin=http://10.0.0.7', plain)).proxy.problems).toEqual([
      ...['other-address', 'plain-http', 'other-protocol'],
    ]);
    expect((await checklist(`clock=${iso(testNow - 90_000)}`)).proxy.problems).toEqual(['no-client-address', 'clock']);
    expect(await stateOf('proxy')).toBe('problem');
  });

  once('a test mail reaches its address, or the mail server’s reason is shown', async () => {
    const { db } = await open();
    const server = await startMailServer();
    const { call, stateOf } = await start(db, { smtpUrl: server.url, mailFrom: 'desk@example.org' });
    const send = async (to: string) =>
      (await call<{ accepted: boolean; reason: string }>('/api/admin/checklist/test-mail', { email: to })).body;
    expect(await send('me@example.com')).toEqual({ accepted: true, reason: null });
    expect(server.received.map(({ to }) => to)).toEqual([['me@example.com']]);
    expect(await stateOf('mail')).toBe('done');
    server.refuse = 'recipient';
    expect(await send('nobody@example.com')).toMatchObject({ accepted: false, reason: expect.stringContaining('550') });
    expect(await stateOf('mail')).toBe('problem');
    await server.close();
    expect(await send('me@example.com')).toMatchObject({
      accepted: false,
      reason: expect.stringContaining('ECONNREFUSED'),
    });
    expect((await call('/api/admin/checklist/test-mail', { email: 'a, b' })).status).toBe(400);
    expect(JSON.stringify(await auditLog(db).select())).not.toContain('example.com');
  });

  once(
    'operators get one mail a day about what needs a decision, or when something of a new kind comes up',
    async () => {
      const { db } = await open();
      const { app, clock, server, deliver, operators } = await startMailing(db);
      const [ann, ben] = [await registered(app, 'ann'), await registered(app, 'ben')];
      for (const { user } of [ann, ben]) {
        const email = `${user.username}@example.org`;
        await db('users').where({ id: user.id }).update({ email, email_confirmed_at: testNow });
        await db('operators').insert({
          ...{ user_id: user.id, role: 'owner', created_at: testNow, invited_by: 'operator' },
        });
      }
      const benAsOperator = { id: ben.user.id, name: 'ben', role: 'owner' } as const;
      await setDeskMail({ db }, benAsOperator, false);
      const mailed = async () => {
        const before = server.received.length;
        await deliver();
        return server.received.slice(before);
      };
      const [first, ...others] = await mailed();
      expect([first?.to, others]).toEqual([['ann@example.org'], []]);
      expect(first?.text).toContain('- No weekly poll is open.');
      expect(first?.text).toContain('https://polls.example.org/admin/settings#today-mail');
      clock.set(testNow + hour);
      expect(await mailed()).toEqual([]);
      await db('jobs').insert({
        ...{ kind: 'mail', attempts: 2, first_due_at: testNow, due_at: testNow + 6 * hour },
      });
      expect((await mailed()).map(({ text }) => text.includes('has not accepted 1 mail'))).toEqual([true]);
      await db('jobs').del();
      clock.set(testNow + 2 * hour + day);
      // Of several processes, one reports it.
      expect((await Promise.all([reportUndecided(operators), reportUndecided(operators)])).filter(Boolean)).toEqual([
        true,
      ]);
      await seedPolls(db, [{ id: 'open', startsAt: testNow, endsAt: testNow + 30 * day }]);
      // What was decided before the mail is sent is not in it.
      expect((await mailed()).map(({ text }) => text).join()).not.toContain('No weekly poll');
      expect(await deskMail({ db, mail: operators.mail }, benAsOperator)).toEqual({
        ...{ sendsMail: true, member: true, address: 'ben@example.org', on: false },
      });
    },
  );

  once('mail about decisions is a setting of each operator, and the shared password has none', async () => {
    const { db } = await open();
    const { call } = await start(db);
    expect((await call('/api/admin/desk-mail')).body).toMatchObject({ member: false, address: null, on: false });
    expect((await call('/api/admin/desk-mail', { on: true })).status).toBe(409);
  });

  once('a backup test makes a real backup, reads it back, and leaves nothing behind', { timeout: 30_000 }, async () => {
    const { db, url } = await open();
    await seedPolls(db, [{ id: 'kept' }]);
    const dataDir = await empty.folder();
    const { call, checklist, stateOf, today } = await start(db, { databaseUrl: url, dataDir });
    const begin = () => call<BackupTest>('/api/admin/checklist/backup-test', {});
    const [one, other] = await Promise.all([begin(), begin()]);
    expect([one.status, other.status].sort()).toEqual([202, 409]);
    await vi.waitFor(async () => expect((await checklist()).backupTest?.state).not.toBe('running'), {
      ...{ timeout: 25_000, interval: 100 },
    });
    const { backupTest } = await checklist();
    expect(backupTest).toMatchObject({ state: 'passed', error: null, percent: 100 });
    expect(backupTest?.bytes).toBeGreaterThan(1_000);
    expect(await stateOf('backup')).toBe('done');
    expect(await readdir(dataDir)).toEqual([]);
    // A test is no backup.
    expect((await today()).map(({ kind }) => kind)).toContain('backup');
  });

  once('a backup test whose process died counts as failed, and can be started again', async () => {
    const { db, url } = await open();
    const { app, checklist, call } = await start(db, { databaseUrl: url, dataDir: await empty.folder() });
    const dead: BackupTestRecord = {
      ...{ state: 'running', startedAt: testNow, heartbeatAt: testNow, finishedAt: null },
      ...{ phase: 'packing', percent: 7, bytes: null, error: null },
    };
    await replaceRecord(db, 'desk.backup-test', null, dead);
    expect((await call('/api/admin/checklist/backup-test', {})).status).toBe(409);
    app.clock.set(testNow + 31_000);
    expect((await checklist()).backupTest).toMatchObject({ state: 'failed', error: expect.stringContaining('again') });
    expect((await call('/api/admin/checklist/backup-test', {})).status).toBe(202);
  });
});
