import { expect, test } from 'vitest';
import { ask, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedPolls } from '#api/testing/factories.ts';
import { sharedPassword, seedOperator } from '#api/testing/operators.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import { sharedActs } from '#api/events/events.ts';
import type { AuditedEvent, PollEventType } from '#api/events/events.ts';
import { record } from '#api/events/record.service.ts';
import type { AuditAction, AuditLog, AuditRecord } from './audit.contract.ts';
import type { Database } from '#platform/database.ts';
import { auditExport } from './audit-log.service.ts';

const hour = 3_600_000;

test('a database error during an export is an error of the file alone', async () => {
  const broken = (() => {
    throw new Error('connection lost');
  }) as unknown as Database;
  for (const format of ['csv', 'json'] as const)
    await expect(auditExport(broken, format, {}).toArray()).rejects.toThrow('connection lost');
});

oneDatabase((open) => {
  type Entry = Partial<Pick<AuditedEvent, 'at' | 'actor' | 'subject' | 'before' | 'after'>> & { action?: AuditAction };
  const add = (db: Database, { action = 'poll.edit', ...entry }: Entry) =>
    record(db, {
      ...{ at: testNow, actor: 'operator', subject: { kind: 'poll', id: 'tea' } },
      ...{ ...entry, type: ({ ...sharedActs }[action as keyof typeof sharedActs] ?? action) as PollEventType },
      ...{ poll: { kind: 'poll', listed: true }, whole: null },
    });

  test('entries of the audit log can be neither changed nor deleted', async () => {
    const { db } = await open();
    await add(db, {});
    await expect(db('events').whereNotNull('actor').update({ actor: 'somebody else' })).rejects.toThrow('append-only');
    await expect(db('events').whereNotNull('actor').del()).rejects.toThrow('append-only');
    expect(await db('events').whereNotNull('actor')).toHaveLength(1);
  });

  test('owners search the audit log by words, person, action, and time, and page through it', async () => {
    const { db } = await open();
    const app = await startTestApp(db);
    const olga = await seedOperator(db, app, 'olga', 'owner');
    await add(db, { before: { question: 'Tea or coffee?' }, after: { question: 'Tee oder 100%iger Kaffee?' } });
    await add(db, { at: testNow + hour, actor: { id: olga.user.id, name: 'olga' }, action: 'poll.close' });
    await add(db, {
      at: testNow + 2 * hour,
      actor: 'terminal',
      action: 'site.publish',
      subject: { kind: 'site', id: '' },
    });
    const find = async (query: string) => (await ask<AuditLog>(olga, `/api/admin/audit?${query}`)).body;
    const actionsFor = async (query: string) => (await find(query)).entries.map(({ action }) => action);
    expect(await find('')).toMatchObject({ total: 3, actors: ['olga', 'operator', 'terminal'] });
    expect((await find('')).entries[2]).toEqual({
      ...{
        id: expect.any(Number) as number,
        at: '2026-11-20T12:00:00.000Z',
        actor: 'operator',
        actorId: null,
        action: 'poll.edit',
      },
      ...{ kind: 'poll', subject: 'tea', title: 'Tee oder 100%iger Kaffee?', path: null },
      before: { question: 'Tea or coffee?' },
      after: { question: 'Tee oder 100%iger Kaffee?' },
    });
    expect(await actionsFor('search=COFFEE%20tea')).toEqual(['poll.edit']);
    expect(await actionsFor('search=100%25iger')).toEqual(['poll.edit']);
    expect(await actionsFor('search=%25%25')).toEqual([]);
    expect(await actionsFor('search=Edited%20published')).toEqual(['poll.edit']);
    expect(await actionsFor('search=poll.CLOSE')).toEqual(['poll.close']);
    await add(db, { action: 'poll.reopen', after: { question: 'Über "Straßen"?' } });
    for (const word of ['Über', '"Straßen"', 'Über straßen'])
      expect(await actionsFor(`search=${encodeURIComponent(word)}`)).toEqual(['poll.reopen']);
    expect((await find('search=tea')).actors).toBeUndefined();
    expect((await find('page=2')).actors).toBeUndefined();
    expect(await actionsFor('actor=olga')).toEqual(['poll.close']);
    expect(await actionsFor('action=site.publish')).toEqual(['site.publish']);
    expect(await actionsFor('from=2026-11-20T13:00:00Z&to=2026-11-20T14:00:00Z')).toEqual(['poll.close']);
    expect((await find('page=2')).entries).toEqual([]);
    expect((await olga.fetch('/api/admin/audit?action=poll.explode')).status).toBe(400);
  });

  test('entries name what they are about and link to it, also an unlisted poll, as far as it exists and is not private', async () => {
    const { db } = await open();
    const app = await startTestApp(db);
    const olga = await seedOperator(db, app, 'olga', 'owner');
    await seedPolls(db, [{ id: 'tea', question: 'Tea or coffee?' }]);
    const shown = await made(olga);
    const linked = await made(olga, { visibility: 'unlisted' });
    const secret = await made(olga, { visibility: 'private' });
    const draft = { name: 'on-ties', title: 'On ties' };
    expect((await ask(olga, '/api/admin/content', 'POST', draft)).status).toBe(201);
    const subjects: readonly [kind: string, id: string, title: string | null, path: string | null][] = [
      ['content', 'blog/on-ties', 'On ties', '/admin/content?entry=blog/on-ties'],
      ['poll', 'tea', 'Tea or coffee?', '/admin/polls?poll=tea'],
      ['poll', shown.id, 'Tea or coffee?', `/community-polls/${shown.id}`],
      ['community-poll', linked.id, 'Tea or coffee?', `/community-polls/${linked.id}`],
      ['community-poll', secret.id, null, null],
      ['member', olga.user.id, 'olga', '/admin/moderation?name=olga#members'],
      ['setup', 'mail', 'Mail', '/admin?setup=open#setup'],
      ['import', '7', null, '/admin/imports'],
      ['poll', 'gone', null, null],
      ['site', '', null, null],
    ];
    for (const [kind, id] of subjects.slice(1)) await add(db, { subject: { kind, id } });
    await add(db, { action: 'poll.delete', subject: { kind: 'poll', id: 'gone' }, before: { question: 'Was it?' } });
    const { entries } = (await ask<AuditLog>(olga, '/api/admin/audit')).body;
    expect(entries.map(({ kind, subject, title, path }) => [kind, subject, title, path]).reverse()).toEqual([
      ...subjects,
      ['poll', 'gone', 'Was it?', null],
    ]);
  });

  test('the audit log is exported as CSV, whose cells are no formulas, and as JSON', async () => {
    const { db } = await open();
    const app = await startTestApp(db);
    const file = (query: string) => app.fetch(`/api/admin/audit/export?${query}`, { headers: sharedPassword });
    expect(await (await file('format=json')).json()).toEqual([]);
    await add(db, { actor: '=HYPERLINK("x")', after: { question: 'Ünï, "quoted"' } });
    await add(db, { actor: 'anna', action: 'poll.close' });
    const csv = await file('');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
    expect(await csv.text()).toBe(
      [
        'id,at,actor,actorId,action,kind,subject,before,after',
        '2,2026-11-20T12:00:00.000Z,anna,,poll.close,poll,tea,,',
        `1,2026-11-20T12:00:00.000Z,"'=HYPERLINK(""x"")",,poll.edit,poll,tea,,"{""question"":""Ünï, \\""quoted\\""""}"`,
        '',
      ].join('\r\n'),
    );
    const json = (await (await file('format=json&actor=anna')).json()) as AuditRecord[];
    expect(json).toMatchObject([{ id: 2, actor: 'anna', action: 'poll.close' }]);
  });
});
