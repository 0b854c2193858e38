import { expect, test } from 'vitest';
import { eachDatabase } from '#api/testing/databases.ts';
import { auditLog, sharedPassword } from '#api/testing/operators.ts';
import { startTestApp, testNow } from '#api/testing/test-app.ts';
import type { AuditRecord } from '#contract/audit.ts';
import { migrate } from '#platform/database.ts';
import { record } from './record.service.ts';

const step = { name: '115_events.ts' };

eachDatabase((open) => {
  test('an update keeps every entry of the audit log as it was, and nobody can change it afterward', async () => {
    const { db } = await open();
    await db.migrate.down(step);
    const entry = (action: string, more: object = {}) => ({
      ...{
        at: testNow,
        actor: 'anna',
        actor_id: null,
        action,
        kind: 'poll',
        subject: 'tea',
        before: null,
        after: null,
      },
      ...more,
    });
    const acts = ['poll.publish', 'poll.edit', 'poll.close', 'poll.reopen', 'poll.delete', 'site.publish'];
    for (const action of acts) await db('audit_log').insert(entry(action, { after: `{"n":"${action} ü"}` }));
    const before = await db('audit_log').orderBy('id').select('*');
    await migrate(db);
    expect(
      await auditLog(db)
        .orderBy('id')
        .select(Object.keys(before[0] as object)),
    ).toEqual(before);
    const app = await startTestApp(db);
    const shown = await app.fetch('/api/admin/audit/export?format=json', { headers: sharedPassword });
    expect(((await shown.json()) as AuditRecord[]).map(({ action }) => action)).toEqual(acts.toReversed());
    await expect(db('events').update({ actor: null })).rejects.toThrow('append-only');
    await expect(db('events').del()).rejects.toThrow('append-only');
    const subject = { kind: 'site', id: '' };
    await record(db, { type: 'setting.change', at: testNow, actor: 'anna', subject });
    expect(await auditLog(db)).toHaveLength(acts.length + 1);
    await db.migrate.down(step);
    expect(await db('audit_log').orderBy('id').limit(acts.length).select('*')).toEqual(before);
  });
});
