import { describe, expect, test } from 'vitest';
import { badgeKeys, badgeTargets } from '#api/members/badges/badges.contract.ts';
import { badgeCategoryNames, badgeWords, emblemLabel } from './badges.ts';

test('[S3.21 D7.2] every badge has its own name, description, and requirement', () => {
  expect(Object.keys(badgeWords)).toEqual(badgeKeys);
  for (const part of ['name', 'description', 'requirement'] as const)
    expect(new Set(badgeKeys.map((key) => badgeWords[key][part])).size).toBe(badgeKeys.length);
});

describe.each(badgeKeys)('the words of %s', (key) => {
  const { name, description, requirement } = badgeWords[key];

  test('fit: a short name, one sentence, and a requirement without a full stop', () => {
    expect(name.length).toBeLessThanOrEqual(22);
    expect(description).toMatch(/^[A-Z][^.!?]*[.?]$/);
    expect(requirement).toMatch(/^[A-Z].*[^.]$/);
  });

  test('[D7.8] name the number to reach', () => {
    const target = badgeTargets[key];
    // Three visibilities, three actions, and four seasons are listed by name.
    const listed = ['every_visibility', 'hat_trick', 'four_seasons'].includes(key);
    if (target > 1 && !listed) expect(requirement.match(/\d[\d,]*/g)).toContain(target.toLocaleString('en-US'));
  });
});

test('categories are called as specified', () => {
  expect(Object.values(badgeCategoryNames)).toEqual(['Voting', 'Creator', 'Activity', 'Community', 'Fun']);
});

test('an emblem shows whether its badge is earned', () => {
  expect(emblemLabel('votes_1', true)).toBe('Badge: Light Air');
  expect(emblemLabel('votes_1', false)).toBe('Badge: Light Air, not earned yet');
});
