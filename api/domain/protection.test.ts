import { expect, test } from 'vitest';
import { mayChangeProtection, nextProtection, offeredProtections } from './protection.ts';

const all = { mail: true, checks: true };

test('a poll can need any browser, a check, a confirmed address, or an account; a private one needs an invitation', () => {
  expect(offeredProtections(all)).toEqual(['browser', 'check', 'email', 'members']);
  expect(offeredProtections(all, 'private')).toEqual(['invited']);
});

test('without mail no confirmed address is offered, and without https no check', () => {
  expect(offeredProtections({ mail: false, checks: true })).toEqual(['browser', 'check', 'members']);
  expect(offeredProtections({ mail: true, checks: false })).toEqual(['browser', 'email', 'members']);
});

test('the next level is the lowest higher one that the site offers', () => {
  expect(nextProtection('browser', offeredProtections(all))).toBe('check');
  expect(nextProtection('check', offeredProtections({ ...all, mail: false }))).toBe('members');
  expect(nextProtection('members', offeredProtections(all))).toBeNull();
  expect(nextProtection('invited', offeredProtections(all, 'private'))).toBeNull();
});

test('with votes a level can only be raised, and after the end not at all', () => {
  const running = { hasVotes: true, closed: false };
  expect(mayChangeProtection('check', 'email', running)).toBe(true);
  expect(mayChangeProtection('email', 'check', running)).toBe(false);
  expect(mayChangeProtection('email', 'check', { ...running, hasVotes: false })).toBe(true);
  expect(mayChangeProtection('check', 'email', { hasVotes: true, closed: true })).toBe(false);
});
