import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { fixedClock } from '#platform/clock.ts';
import { previewLinks } from './preview-links.service.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const lifetime = limits.previewLinkDays * 86_400_000;
const clock = fixedClock(now);
const ours = previewLinks(['the newest key', 'the key before'], clock);

test('[D4.5] a preview token opens one poll until it expires', () => {
  clock.set(now);
  const token = ours.issue('poll-1');
  expect(ours.isValid('poll-1', token)).toBe(true);
  expect(ours.isValid('poll-2', token)).toBe(false);
  clock.set(now + lifetime - 1);
  expect(ours.isValid('poll-1', token)).toBe(true);
  clock.set(now + lifetime);
  expect(ours.isValid('poll-1', token)).toBe(false);
});

test('[D4.5] a preview token can’t be forged, extended, or signed with a foreign key', () => {
  clock.set(now);
  const [expires = '', signature = ''] = ours.issue('poll-1').split('.');
  const later = (parseInt(expires, 36) + 1).toString(36);
  const theirs = previewLinks(['another key'], clock).issue('poll-1');
  const changed = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  for (const token of ['', '.', expires, `${later}.${signature}`, `${expires}.${changed}`, `${expires}.`, theirs])
    expect([token, ours.isValid('poll-1', token)]).toEqual([token, false]);
});

test('a preview token stays valid when a newer key is added, until its key is removed', () => {
  clock.set(now);
  const token = previewLinks(['the key before'], clock).issue('poll-1');
  expect(ours.isValid('poll-1', token)).toBe(true);
  expect(previewLinks(['the newest key'], clock).isValid('poll-1', token)).toBe(false);
});
