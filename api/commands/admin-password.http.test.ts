import { expect, test } from 'vitest';
import { oneDatabase } from '#api/testing/databases.ts';
import { auditLog, seedOperator, sharedPassword } from '#api/testing/operators.ts';
import { runCommandOn } from '#api/testing/empty-places.ts';
import { runCommandHere } from '#api/testing/run-command.ts';
import { startTestApp } from '#api/testing/test-app.ts';

const run = (url: string, ...words: string[]) => runCommandHere('admin-password', { url }, ...words);

oneDatabase((open) => {
  test('who has the server turns the shared password off once there is an owner, and on again', async () => {
    const { db, url } = await open();
    const app = await startTestApp(db);
    const opens = async () => (await app.fetch('/api/admin/session', { headers: sharedPassword })).status;
    expect(await runCommandOn('admin-password', { url }, 'off')).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('no owner') as string,
    });
    await seedOperator(db, app, 'olga', 'owner');
    expect(await run(url, 'off')).toMatchObject({ code: 0, output: 'The shared password is turned off.\n' });
    expect(await opens()).toBe(401);
    expect(await run(url, 'on')).toMatchObject({ code: 0, output: 'The shared password opens the admin pages.\n' });
    expect(await opens()).toBe(200);
    expect(await auditLog(db).orderBy('id').select('actor', 'action', 'after')).toEqual([
      { actor: 'terminal', action: 'setting.change', after: 'false' },
      { actor: 'terminal', action: 'setting.change', after: 'true' },
    ]);
  });
});

test('an unknown argument is refused, before a database is opened', async () => {
  const ran = await run('postgres://127.0.0.1:1/none', 'away');
  expect(ran).toMatchObject({ code: 2, complaint: expect.stringContaining('Unknown command: away') as string });
});
