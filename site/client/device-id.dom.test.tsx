import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const key = 'weathervane-device-id';

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
});
afterEach(() => vi.restoreAllMocks());

const load = async () => (await import('./device-id.ts')).deviceId;

test('[S1.6] a new browser gets an id and keeps it across reloads', async () => {
  const first = (await load())();
  expect(first).toMatch(/^device_[0-9a-z]{36}$/);
  expect(localStorage.getItem(key)).toBe(first);
  vi.resetModules();
  expect((await load())()).toBe(first);
});

test('[S1.6 D2.2] a stored id in another format is reused if it is well formed, and replaced otherwise', async () => {
  localStorage.setItem(key, 'device_abcdefgh');
  expect((await load())()).toBe('device_abcdefgh');
  localStorage.setItem(key, 'device_NO');
  vi.resetModules();
  const fresh = (await load())();
  expect(fresh).toMatch(/^device_[0-9a-z]{36}$/);
  expect(localStorage.getItem(key)).toBe(fresh);
});

test('tabs opened together agree on the id that was stored last', async () => {
  const deviceId = await load();
  deviceId();
  localStorage.setItem(key, 'device_othertab01');
  expect(deviceId()).toBe('device_othertab01');
});

test('where storage is blocked, the id lasts as long as the page', async () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
    setItem: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
  });
  const deviceId = await load();
  expect(deviceId()).toMatch(/^device_[0-9a-z]{36}$/);
  expect(deviceId()).toBe(deviceId());
  vi.unstubAllGlobals();
});

test('[D2.1] two identical browsers get different ids', async () => {
  const first = (await load())();
  localStorage.clear();
  vi.resetModules();
  expect((await load())()).not.toBe(first);
});
