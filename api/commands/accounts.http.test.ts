import { auditLog } from '#api/testing/operators.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { oneDatabase } from '#api/testing/databases.ts';
import { registered, signedIn, visitor } from '#api/testing/people.ts';
import { runCommandOn } from '#api/testing/empty-places.ts';
import { runCommandHere } from '#api/testing/run-command.ts';
import { startTestApp } from '#api/testing/test-app.ts';
import { fixedClock } from '#platform/clock.ts';

const runAccounts = (url: string, ...words: string[]) => runCommandHere('accounts', { url }, ...words);

beforeAll(() => void vi.stubEnv('PUBLIC_URL', 'https://polls.example.org'));
afterAll(() => void vi.unstubAllEnvs());

oneDatabase((open) => {
  test('the operator prints a link that lets a member set a new password', async () => {
    const { db, url } = await open();
    // The command uses the system’s clock.
    const app = await startTestApp(db, { clock: fixedClock(Date.now()) });
    await registered(app, 'anna');
    const { code, output } = await runCommandOn('accounts', { url }, 'reset', 'Anna');
    expect(code).toBe(0);
    expect(output).toContain('Send this link to anna.');
    const token = /^https:\/\/polls\.example\.org\/auth\/recover#reset=([\w-]{43})&username=anna$/m.exec(output)?.[1];
    const json = { token, newPassword: 'another windy day' };
    expect((await visitor(app).fetch('/api/reset-password', { method: 'POST', json })).status).toBe(200);
    await signedIn(app, 'anna', 'another windy day');
    expect(await db('reset_links').pluck('made_by')).toEqual(['command']);
  });

  test('the operator ends every session of one member', async () => {
    const { db, url } = await open();
    const app = await startTestApp(db);
    const [anna, ben] = [await registered(app, 'anna'), await registered(app, 'ben')];
    expect(await runAccounts(url, 'sign-out', 'anna')).toMatchObject({
      ...{ code: 0, output: 'anna is signed out on every device.\n' },
    });
    expect([(await anna.fetch('/api/user')).status, (await ben.fetch('/api/user')).status]).toEqual([401, 200]);
  });

  test('the operator removes the picture of a member', async () => {
    const { db, url } = await open();
    const app = await startTestApp(db);
    const anna = await registered(app, 'anna');
    const body = Uint8Array.from(Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'));
    expect((await anna.fetch('/api/user/picture', { method: 'POST', body })).status).toBe(200);
    expect(await runAccounts(url, 'remove-picture', 'anna')).toMatchObject({
      code: 0,
      output: 'anna has no picture.\n',
    });
    expect(await (await anna.fetch('/api/user')).json()).toMatchObject({ profileImageUrl: null });
    expect(await db('member_pictures')).toEqual([]);
  });

  test('whoever has the server removes the passkeys of a member who lost them', async () => {
    const { db, url } = await open();
    const app = await startTestApp(db);
    const { user } = await registered(app, 'anna');
    const times = { created_at: 1, last_used_at: null };
    const row = { id: 'p', user_id: user.id, name: 'Phone', credential_id: 'c', public_key: 'k', counter: 0, ...times };
    await db('passkeys').insert(row);
    expect(await runAccounts(url, 'remove-passkeys', 'anna')).toMatchObject({
      ...{ code: 0, output: 'anna has no passkeys.\n' },
    });
    expect(await db('passkeys')).toEqual([]);
    expect(await auditLog(db).select('actor', 'action', 'subject')).toEqual([
      { actor: 'terminal', action: 'member.remove-passkeys', subject: user.id },
    ]);
  });

  test('an unknown name, and an address of several accounts, are reported, and no link is created', async () => {
    const { db, url } = await open();
    const app = await startTestApp(db);
    for (const name of ['anna', 'ben']) await registered(app, name, { email: 'club@example.org' });
    expect(await runAccounts(url, 'reset', 'nobody')).toEqual({
      ...{ code: 1, output: '', complaint: 'There is no account “nobody”.\n' },
    });
    const several = await runAccounts(url, 'reset', 'club@example.org');
    expect(several).toMatchObject({ code: 1, output: '' });
    expect(several.complaint).toMatch(/Several accounts .*(anna, ben|ben, anna)/);
    expect(await db('reset_links')).toEqual([]);
  });
});

test.each([
  [[], 'Missing command: use reset NAME'],
  [['delete', 'x'], 'Unknown command: delete. Use reset NAME'],
  [['reset'], 'Missing username: npm run operate -- accounts reset NAME'],
  [['sign-out'], 'Missing username: npm run operate -- accounts sign-out NAME'],
  [['reset', 'a', 'b'], 'One account at a time'],
])('%j prints an error message', async (words, sentence) => {
  const { code, output, complaint } = await runAccounts('sqlite::memory:', ...words);
  expect(complaint).toContain(sentence);
  expect({ code, output }).toEqual({ code: 2, output: '' });
});
