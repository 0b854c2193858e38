import { expect, test } from 'vitest';
import { eachDatabase } from '#api/testing/databases.ts';
import { auditLog } from '#api/testing/operators.ts';
import { testNow } from '#api/testing/test-app.ts';
import { record } from './record.service.ts';

eachDatabase((open) => {
  test('nobody can change or delete what an operator did', async () => {
    const { db } = await open();
    const subject = { kind: 'site', id: '' };
    await record(db, { type: 'setting.change', at: testNow, actor: 'anna', subject });
    const before = await auditLog(db);
    await expect(db('events').update({ actor: null })).rejects.toThrow('append-only');
    await expect(db('events').del()).rejects.toThrow('append-only');
    expect(await auditLog(db)).toEqual(before);
  });
});
