import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { endpoints } from '#api/endpoints.contract.ts';
import type { EndpointName } from '#api/endpoints.contract.ts';
import { createLogger } from '#platform/logger.ts';
import { castVote, made } from '#api/testing/community-polls.ts';
import { oneDatabase } from '#api/testing/databases.ts';
import { seedDiscussedPoll, seedMember } from '#api/testing/discussions.ts';
import { registered, visitor } from '#api/testing/people.ts';
import type { Visitor } from '#api/testing/people.ts';
import { startTestApp, testAdminPassword } from '#api/testing/test-app.ts';
import type { TestApp } from '#api/testing/test-app.ts';
import { headerText } from '#site/client/api.ts';

const device = 'device_plantedplantedplanted01';
const password = 'planted password 77';
const address = '198.51.100.23';
const email = 'planted@secret.example';

/** Bodies with secrets, for the endpoints that accept them; the others get an empty one. */
const bodies: Partial<Record<EndpointName, object>> = {
  vote: { optionId: 'a', deviceId: device },
  communityVote: { optionId: 'a', voterFingerprint: device },
  login: { username: 'ann', password },
  register: { username: 'planted', password, email },
  updateUser: { email, profileImageUrl: `https://pictures.example/?${device}` },
  changePassword: { currentPassword: password, newPassword: password },
  endSessions: { password },
  createRecoveryCodes: { password },
  resetPassword: { token: password, newPassword: password },
  passkeyCreation: { password },
  removePasskey: { password },
  requestPasswordReset: { username: email },
  changeEmail: { email, password },
  removeEmail: { password },
  confirmEmail: { token: password },
  recover: { username: 'ann', code: password, newPassword: password },
  adminSession: { password },
};
/** Endpoints that end the session come last. */
const last: readonly EndpointName[] = ['logout', 'deleteUser', 'login', 'register'];

let app: TestApp | undefined;
let dataDir: string | undefined;
afterEach(async () => {
  await app?.close();
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

oneDatabase((open) => {
  const start = async () => {
    const { db } = await open();
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    dataDir = await mkdtemp(join(tmpdir(), 'weathervane-lines-'));
    const log = createLogger('api', { level: 'debug', json: true, destination });
    app = await startTestApp(db, { log, config: { dataDir } });
    return { db, app, lines };
  };

  /** A request to every endpoint, with a secret wherever one is possible. */
  const callAll = async (browser: Visitor): Promise<void> => {
    const names = Object.keys(endpoints) as EndpointName[];
    for (const name of [...names.filter((one) => !last.includes(one)), ...last]) {
      const { method, path } = endpoints[name];
      const query = `?fingerprint=${device}&password=${encodeURIComponent(password)}`;
      const response = await browser.fetch(path.replace(/:\w+/g, 'talk-1') + query, {
        method,
        headers: {
          'x-device-id': device,
          'x-forwarded-for': address,
          'x-admin-password': headerText(name === 'publishing' ? testAdminPassword : `${password}!`),
          authorization: `Bearer ${password}`,
        },
        ...(method !== 'GET' && { json: bodies[name] ?? {} }),
      });
      await response.arrayBuffer();
    }
  };

  const expectNoSecret = (lines: readonly string[], browser: Visitor) => {
    const secrets = [
      device,
      browser.device,
      password,
      testAdminPassword,
      headerText(testAdminPassword),
      address,
      email,
    ];
    const cookies = [...browser.cookies].filter(([, value]) => value.length > 8).flat();
    for (const secret of [...secrets, encodeURIComponent(password), ...cookies])
      expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  };

  test('no log line contains a device id, an address, a password, a cookie, or a query', async () => {
    const { db, app, lines } = await start();
    await seedMember(db, 'ben');
    await seedDiscussedPoll(db, { id: 'talk-1', createdBy: 'ben' });
    const ann = await registered(app, 'ann', { password });
    const cookies = new Map(ann.cookies);
    await callAll(ann);
    const stranger = await visitor(app).fetch(`/api/${device}/${encodeURIComponent(password)}`);
    expect(stranger.status).toBe(404);
    expectNoSecret(lines, { ...ann, cookies });
    const said = new Set(lines.map((line) => (JSON.parse(line) as { call?: string }).call));
    expect([...Object.keys(endpoints)].filter((name) => !said.has(name))).toEqual([]);
  });

  test('the log line of a request that fails because the database is down contains none either', async () => {
    const { db, app, lines } = await start();
    const ann = await registered(app, 'ann', { password });
    await db.destroy();
    const cookies = new Map(ann.cookies);
    await callAll(ann);
    expect(lines.filter((line) => line.includes('a request failed unexpectedly')).length).toBeGreaterThan(10);
    expectNoSecret(lines, { ...ann, cookies });
  });

  test('a response carries its request id, and an error quotes it in its body and in the log', async () => {
    const { db, app, lines } = await start();
    const good = await app.fetch('/api/statistics', { headers: { 'x-request-id': 'from-the-proxy-1' } });
    expect(good.headers.get('x-request-id')).toBe('from-the-proxy-1');
    const made = (await app.fetch('/api/nothing', { headers: { 'x-request-id': 'no' } })).headers.get('x-request-id');
    expect(made).toMatch(/^[0-9a-f-]{36}$/);
    await db.destroy();
    const failed = await app.fetch('/api/statistics', { headers: { 'x-request-id': 'from-the-proxy-2' } });
    expect([failed.status, await failed.json()]).toMatchObject([500, { requestId: 'from-the-proxy-2' }]);
    const told = lines.map((line) => JSON.parse(line) as { requestId?: string; msg: string; level: number });
    expect(told.filter(({ requestId }) => requestId === 'from-the-proxy-2').map(({ level }) => level)).toEqual([
      50, 40,
    ]);
    expect(told.find(({ requestId }) => requestId === made)?.msg).toMatch(
      /^GET \(unknown address\) 404 NOT_FOUND in \d+ ms$/,
    );
  });

  test('accepted votes and reads are logged only at the debug level', async () => {
    const { db } = await open();
    const lines: string[] = [];
    const log = createLogger('api', { json: true, destination: { write: (line) => void lines.push(line) } });
    app = await startTestApp(db, { log });
    const { id } = await made(await registered(app, 'ben'));
    lines.length = 0;
    const browser = visitor(app);
    expect((await castVote(browser, id)).status).toBe(200);
    await browser.fetch('/api/polls/active');
    expect(lines).toEqual([]);
    expect((await castVote(browser, id)).status).toBe(409);
    expect(JSON.parse(lines.join(''))).toMatchObject({
      msg: expect.stringMatching(/^POST \/api\/community-polls\/:id\/vote 409 ALREADY_VOTED in \d+ ms$/) as string,
    });
  });
});
