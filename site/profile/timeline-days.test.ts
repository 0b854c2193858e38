import { expect, test } from 'vitest';
import { vote } from './fixtures/member-data.ts';
import { metadataWords } from './metadata-words.ts';
import { daysOf } from './activities-view.ts';

test('activities are grouped by their day in UTC, in the order in which they came', () => {
  const at = (createdAt: string, id: number) => vote(0, { id, createdAt });
  const days = daysOf([
    at('2026-11-21T00:00:00.000Z', 3),
    at('2026-11-20T23:59:59.999Z', 2),
    at('2026-11-20T00:00:00.000Z', 1),
  ]);
  expect(days.map(({ day, activities }) => [day, activities.map(({ id }) => id)])).toEqual([
    ['2026-11-21', [3]],
    ['2026-11-20', [2, 1]],
  ]);
});

test('what two pages both have is there once', () => {
  const [first, second] = [vote(1), vote(1.1)];
  expect(daysOf([first, second, second, first]).flatMap(({ activities }) => activities)).toEqual([first, second]);
});

test('what is known of an activity is said in words', () => {
  const words = (more: Parameters<typeof vote>[1]) => metadataWords(vote(1, more));
  expect(words({ metadata: { category: 'world-news' } })).toEqual(['World News']);
  expect(words({ metadata: { category: null } })).toEqual([]);
  const poll = { visibility: 'private', category: 'Science', options: 2 };
  expect(words({ activityType: 'poll_created', metadata: poll })).toEqual(['Private', 'Science', '2 options']);
  expect(words({ activityType: 'comment', metadata: { pollId: 'c1' } })).toEqual(['On a community poll']);
  expect(words({ activityType: 'badge_earned', metadata: { category: 'fun', tier: 'core' } })).toEqual(['Fun']);
  expect(words({ activityType: 'badge_earned', metadata: { category: 'fun', tier: 'legacy' } })).toEqual(['Legacy']);
  expect(words({ activityType: 'badge_earned', metadata: { tier: 7, nested: { a: 1 } } })).toEqual([]);
});
