import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verifyPassword } from './password-hash.ts';
import { ensureSecrets, ensureVoterKey, newAdminPassword, readSecretsFile } from './secrets.ts';

vi.mock('./password-hash.ts', { spy: true });

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weathervane-secrets-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const config = () => ({
  dataDir,
  adminPassword: null,
  sessionKeys: null,
  voterKey: null,
  logKeys: null,
  witnessKey: null,
});

test('[D1.8] the first start generates an admin password that is shown once and stored as a hash only', async () => {
  const first = await ensureSecrets(config());
  expect(await first.isAdminPassword('')).toBe(false);
  const password = (await newAdminPassword(config())) ?? '';
  expect(password).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
  expect(await first.isAdminPassword(password)).toBe(true);
  const second = await ensureSecrets(config());
  expect(await newAdminPassword(config())).toBeNull();
  expect(await second.isAdminPassword(password)).toBe(true);
  expect(await second.isAdminPassword(`${password}x`)).toBe(false);
  const kept = readFileSync(join(dataDir, 'secrets.json'), 'utf8');
  expect(JSON.parse(kept)).toMatchObject({ adminPasswordHash: expect.stringMatching(/^\$argon2id\$/) as string });
  expect(kept).not.toContain(password);
});

test('[D1.8 D1.9] each installation gets its own password and keys', async () => {
  const made = [];
  for (const name of ['one', 'two', 'three']) {
    const own = { ...config(), dataDir: join(dataDir, name) };
    made.push({ ...(await ensureSecrets(own)), password: await newAdminPassword(own) });
  }
  expect(new Set(made.map(({ password }) => password)).size).toBe(3);
  expect(new Set(made.flatMap(({ sessionKeys }) => sessionKeys)).size).toBe(3);
});

test('[D1.9] session keys stay the same, and other users of the machine cannot read them', async () => {
  const first = await ensureSecrets(config());
  expect((await ensureSecrets(config())).sessionKeys).toEqual(first.sessionKeys);
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
});

test('[D1.8] processes that start together agree on one password', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => ensureSecrets(config())));
  const passwords = await Promise.all(all.map(() => newAdminPassword(config())));
  const shown = passwords.flatMap((password) => password ?? []);
  expect(shown).toHaveLength(1);
  for (const one of all) expect(await one.isAdminPassword(shown[0] ?? '')).toBe(true);
});

test('[D1.8] a password that the operator sets is checked against a memory-hard hash like any other', async () => {
  const secrets = await ensureSecrets({ ...config(), adminPassword: 'chosen by hand' });
  vi.mocked(verifyPassword).mockClear();
  for (const candidate of ['guess', 'chosen by hand'])
    expect(await secrets.isAdminPassword(candidate)).toBe(candidate === 'chosen by hand');
  const argon2id = expect.stringMatching(/^\$argon2id\$v=19\$m=19456,/) as string;
  expect(vi.mocked(verifyPassword).mock.calls).toEqual([
    ['guess', argon2id],
    ['chosen by hand', argon2id],
  ]);
});

test('[D1.8] a password and keys set by the operator take precedence', async () => {
  const byHand = {
    dataDir,
    adminPassword: 'chosen by hand',
    sessionKeys: ['a key by hand 123'],
    voterKey: 'a voter key by hand with 32 letters',
    logKeys: ['ab'.repeat(32)],
    witnessKey: 'cd'.repeat(32),
  };
  const secrets = await ensureSecrets(byHand);
  expect(await newAdminPassword(byHand)).toBeNull();
  expect(secrets.voterKey).toBe('a voter key by hand with 32 letters');
  expect(secrets.sessionKeys).toEqual(['a key by hand 123']);
  expect(await secrets.isAdminPassword('chosen by hand')).toBe(true);
  expect(await secrets.isAdminPassword('')).toBe(false);
});

test('after the hash is removed from the file, the next start generates a new admin password and keeps the keys', async () => {
  const first = await ensureSecrets(config());
  const password = await newAdminPassword(config());
  const file = join(dataDir, 'secrets.json');
  const stored = JSON.parse(readFileSync(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...stored, adminPasswordHash: null }));
  const second = await ensureSecrets(config());
  const next = await newAdminPassword(config());
  expect(next).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
  expect(next).not.toBe(password);
  expect(second.sessionKeys).toEqual(first.sessionKeys);
  expect(await second.isAdminPassword(password ?? '')).toBe(false);
});

test('the voter key is generated once, also for commands that need no other secret', async () => {
  const key = await ensureVoterKey(config());
  expect(key).toMatch(/^[\w-]{43}$/);
  const first = await ensureSecrets(config());
  expect([first.voterKey, await newAdminPassword(config())]).toEqual([key, expect.any(String)]);
  expect(await ensureVoterKey({ dataDir, voterKey: 'set by the operator' })).toBe('set by the operator');
});

test('secrets of an earlier release get the same voter key and log key from all processes that start together, and keep the rest', async () => {
  await ensureSecrets(config());
  const { sessionKeys, siteKey, adminPasswordHash } = (await readSecretsFile(dataDir))!;
  const earlier = { sessionKeys, siteKey, adminPasswordHash };
  const file = join(dataDir, 'secrets.json');
  await writeFile(file, JSON.stringify(earlier));
  const all = await Promise.all(Array.from({ length: 4 }, () => ensureSecrets(config())));
  expect(new Set(all.map(({ voterKey }) => voterKey)).size).toBe(1);
  expect(new Set(all.map(({ logKeys }) => logKeys.join())).size).toBe(1);
  expect(new Set(all.map(({ witnessKey }) => witnessKey)).size).toBe(1);
  const { voterKey, logKeys, witnessKey } = all[0]!;
  expect(witnessKey).not.toBe(logKeys[0]);
  const [logKey] = logKeys;
  expect(voterKey).toMatch(/^[\w-]{43}$/);
  expect(await readSecretsFile(dataDir)).toEqual({ ...earlier, voterKey, logKey, witnessKey });
  // Stored, so that other session keys change nothing.
  await writeFile(file, JSON.stringify({ ...earlier, voterKey, logKey, witnessKey, sessionKeys: ['another'] }));
  expect(await ensureSecrets(config())).toMatchObject({ voterKey, logKeys, witnessKey });
});

test('damaged secrets stop the start with a message that names the file', async () => {
  for (const text of ['{"half', '{}', 'null']) {
    await writeFile(join(dataDir, 'secrets.json'), text);
    await expect(ensureSecrets(config())).rejects.toThrow(/secrets\.json is damaged/);
  }
});

test('a process that was killed while it generated the admin password leaves the next start able to', async () => {
  await ensureSecrets(config());
  const claim = join(dataDir, 'secrets.json.password');
  await writeFile(claim, '');
  expect(await newAdminPassword(config())).toBeNull();
  await utimes(claim, 0, 0);
  expect(await newAdminPassword(config())).toEqual(expect.any(String));
});

test('missing secrets beside a database that was used with them stop the start, and no others are made', async () => {
  const isUsed = () => Promise.resolve(true);
  await expect(ensureSecrets(config(), isUsed)).rejects.toThrow(/secrets\.json is missing, but the database was used/);
  expect(await readSecretsFile(dataDir)).toBeNull();
  const others = { voterKey: 'a voter key by hand with 32 letters', logKeys: ['ab'.repeat(32)] };
  expect(await ensureSecrets({ ...config(), ...others }, isUsed)).toMatchObject(others);
});
