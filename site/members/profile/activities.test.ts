import { expect, test } from 'vitest';
import { activitiesAddress, daysOf, hasTime, readActivitiesView } from './activities-view.ts';
import { metadataLabels } from './Entries.tsx';
import { vote } from './fixtures/member-data.ts';

test('the URL stores which activities are listed', () => {
  for (const search of ['', '?type=vote', '?q=tea+or+coffee', '?type=comment&q=caf%C3%A9&polls=3'])
    expect(activitiesAddress(readActivitiesView(search))).toBe(`/profile/activities${search}`);
  expect(readActivitiesView('?type=badge_earned&q=+tea+&polls=2')).toEqual({
    type: 'badge_earned',
    q: 'tea',
    polls: 2,
  });
});

test('invalid parameters in the URL are ignored', () => {
  for (const search of ['?type=likes', '?polls=0', '?polls=-1', '?polls=two', '?polls=99999999', '?q=+++'])
    expect(readActivitiesView(search)).toEqual({ type: null, q: '', polls: 1 });
});

test('the search text is cut to the length that the API accepts', () => {
  expect(readActivitiesView(`?q=${'a'.repeat(300)}`).q).toHaveLength(100);
});

test('activities are grouped by UTC day in their order', () => {
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

test('a vote of which only the day is known is on that day everywhere, without a time', () => {
  const [known, day] = [
    vote(0, { id: 2, createdAt: '2026-11-21T02:00:00.000Z' }),
    vote(0, { id: 1, createdAt: '2026-11-21T00:00:00.000Z' }),
  ];
  expect([known, day].map(hasTime)).toEqual([true, false]);
  const days = daysOf([known, day], 'America/New_York');
  expect(days.map(({ day: date, activities }) => [date, activities.map(({ id }) => id)])).toEqual([
    ['2026-11-21', [1]],
    ['2026-11-20', [2]],
  ]);
});

test('an activity on two pages is listed once', () => {
  const [first, second] = [vote(1), vote(1.1)];
  expect(daysOf([first, second, second, first]).flatMap(({ activities }) => activities)).toEqual([first, second]);
});

test('[S2.114] the metadata of an activity is shown as labels', () => {
  const labels = (more: Parameters<typeof vote>[1]) => metadataLabels(vote(1, more));
  expect(labels({ metadata: { category: 'world-news' } })).toEqual(['World News']);
  expect(labels({ metadata: { category: null } })).toEqual([]);
  const poll = { visibility: 'private', category: 'Science', options: 2 };
  expect(labels({ activityType: 'poll_created', metadata: poll })).toEqual(['Private', 'Science', '2 options']);
  expect(labels({ activityType: 'comment', metadata: { pollId: 'c1' } })).toEqual(['On a community poll']);
  expect(labels({ activityType: 'badge_earned', metadata: { category: 'fun', tier: 'core' } })).toEqual(['Fun']);
  expect(labels({ activityType: 'badge_earned', metadata: { category: 'fun', tier: 'legacy' } })).toEqual(['Surprise']);
  expect(labels({ activityType: 'badge_earned', metadata: { tier: 7, nested: { a: 1 } } })).toEqual([]);
});
