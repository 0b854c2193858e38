import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedOperator, sharedPassword } from '#api/testing/operators.ts';
import { startTestApp } from '#api/testing/test-app.ts';

const script = new URL('admin-password.ts', import.meta.url).pathname;

/** Runs the command and returns its exit code and output. */
function run(url: string, ...words: string[]) {
  const env = { ...process.env, DATABASE_URL: url, NODE_ENV: 'test' };
  return new Promise<{ code: number; output: string; complaint: string }>((done) => {
    execFile(process.execPath, [script, ...words], { env }, (error, output, complaint) =>
      done({ code: error === null ? 0 : Number(error.code), output, complaint }),
    );
  });
}

oneDatabase((open) => {
  test('who has the server turns the shared password off once there is an owner, and on again', async () => {
    const { db, url } = await open();
    const app = await startTestApp(db);
    const opens = async () => (await app.fetch('/api/admin/session', { headers: sharedPassword })).status;
    expect(await run(url, 'off')).toMatchObject({ code: 1, complaint: expect.stringContaining('no owner') as string });
    await seedOperator(db, app, 'olga', 'owner');
    expect(await run(url, 'off')).toMatchObject({ code: 0, output: 'The shared password is turned off.\n' });
    expect(await opens()).toBe(401);
    expect(await run(url, 'on')).toMatchObject({ code: 0, output: 'The shared password opens the desk.\n' });
    expect(await opens()).toBe(200);
    expect(await db('audit_log').orderBy('id').select('actor', 'action', 'after')).toEqual([
      { actor: 'terminal', action: 'setting.change', after: 'false' },
      { actor: 'terminal', action: 'setting.change', after: 'true' },
    ]);
  });
});

test('an unknown argument is refused, before a database is opened', async () => {
  const ran = await run('postgres://127.0.0.1:1/none', 'away');
  expect(ran).toMatchObject({ code: 2, complaint: expect.stringContaining('Unknown command: away') as string });
});
