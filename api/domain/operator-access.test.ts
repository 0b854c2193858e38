import { expect, test } from 'vitest';
import { isBulkDecision, missingConfirmation, roleAllows } from './operator-access.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const minutes = (count: number) => now - count * 60_000;
const missing = (session: { hasPasskey?: boolean; passwordAt?: number; passkeyAt?: number }, isDangerous = false) =>
  missingConfirmation({ hasPasskey: false, passwordAt: null, passkeyAt: null, ...session }, isDangerous, now);

test('owners may do everything, editors and moderators what their role allows, and every operator what is for all', () => {
  const allowed = (role: Parameters<typeof roleAllows>[0]) =>
    (['operator', 'moderator', 'editor', 'owner'] as const).filter((permission) => roleAllows(role, permission));
  expect(allowed('owner')).toEqual(['operator', 'moderator', 'editor', 'owner']);
  expect(allowed('editor')).toEqual(['operator', 'editor']);
  expect(allowed('moderator')).toEqual(['operator', 'moderator']);
});

test('suspending or deleting several, or all of a member or network, is dangerous; a single one, or hiding, is not', () => {
  expect(isBulkDecision({ action: 'suspend', ids: ['a'] })).toBe(false);
  expect(isBulkDecision({ action: 'hide', ids: ['a', 'b'], scope: 'network' })).toBe(false);
  expect(isBulkDecision({ action: 'suspend', ids: ['a', 'b'] })).toBe(true);
  expect(isBulkDecision({ action: 'suspend', ids: ['a'], scope: 'network' })).toBe(true);
  expect(isBulkDecision({ action: 'delete', ids: ['a'] })).toBe(false);
  expect(isBulkDecision({ action: 'delete', ids: ['a', 'b'] })).toBe(true);
  expect(isBulkDecision({ action: 'delete', ids: ['a'], scope: 'member' })).toBe(true);
});

test('a password opens the admin pages for 12 hours', () => {
  expect(missing({})).toBe('any');
  expect(missing({ passwordAt: minutes(12 * 60 - 1) })).toBeNull();
  expect(missing({ passwordAt: minutes(12 * 60) })).toBe('any');
});

test('an operator who has a passkey needs it to open the admin pages, whatever the password', () => {
  expect(missing({ hasPasskey: true, passwordAt: minutes(1) })).toBe('passkey');
  expect(missing({ hasPasskey: true, passkeyAt: minutes(1) })).toBeNull();
  expect(missing({ hasPasskey: true, passwordAt: minutes(1), passkeyAt: minutes(12 * 60) })).toBe('passkey');
});

test('a dangerous action needs a password or passkey of the last ten minutes', () => {
  expect(missing({ passwordAt: minutes(9) }, true)).toBeNull();
  expect(missing({ passwordAt: minutes(10) }, true)).toBe('any');
  expect(missing({ hasPasskey: true, passkeyAt: minutes(60) }, true)).toBe('any');
  expect(missing({ hasPasskey: true, passkeyAt: minutes(60), passwordAt: minutes(1) }, true)).toBeNull();
});
