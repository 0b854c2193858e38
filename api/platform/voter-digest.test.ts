import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { voterDigests } from './voter-digest.ts';

const key = 'an installation key with 32 characters';
const digests = voterDigests(key);
const hmac = (value: string) => createHmac('sha256', key).update(value).digest('hex');

test('a device is stored as the first 16 bytes of a digest under the installation’s key', () => {
  const fingerprint = 'x-_'.padEnd(43, 'A');
  expect(digests.device(fingerprint)).toBe(hmac(fingerprint).slice(0, 32));
  for (const [otherKey, value] of [
    ['a key longer than a block of the hash function '.repeat(2), 'é'.repeat(300)],
    [key, ''],
  ] as const)
    expect(voterDigests(otherKey).device(value)).toBe(
      createHmac('sha256', otherKey).update(value).digest('hex').slice(0, 32),
    );
  // A short message after a long one.
  expect(digests.device('é'.repeat(300))).toBe(hmac('é'.repeat(300)).slice(0, 32));
  expect(digests.device(fingerprint)).toBe(hmac(fingerprint).slice(0, 32));
  expect(voterDigests(`${key}.`).device(fingerprint)).not.toBe(digests.device(fingerprint));
});

test.each([
  ['milliseconds', Date.parse('2026-11-22T12:00:00.999Z').toString(36).padEnd(40, 'f'), 1_795_348_800],
  ['seconds', (1_700_000_000).toString(36).padEnd(38, 'f'), 1_700_000_000],
  ['no time', 'f'.repeat(32), 0],
  ['the latest time', 'z'.repeat(40), 2_821_109_907],
  ['something else', '!'.repeat(38), 0],
])('a cookie that begins with %s is stored as its time and 12 bytes of a digest', (_, value, seconds) => {
  const digest = digests.cookie(value);
  expect(digest).toMatch(/^[0-9a-f]{32}$/);
  expect(parseInt(digest.slice(0, 8), 16)).toBe(seconds);
  expect(digest.slice(8)).toBe(hmac(value).slice(0, 24));
});
