import { expect, test } from 'vitest';
import { activitiesAddress, readActivitiesView } from './activities-view.ts';

test('the address says which activities are listed', () => {
  for (const search of ['', '?type=vote', '?q=tea+or+coffee', '?type=comment&q=caf%C3%A9&polls=3'])
    expect(activitiesAddress(readActivitiesView(search))).toBe(`/profile/activities${search}`);
  expect(readActivitiesView('?type=badge_earned&q=+tea+&polls=2')).toEqual({
    type: 'badge_earned',
    q: 'tea',
    polls: 2,
  });
});

test('what means nothing in an address lists everything', () => {
  for (const search of ['?type=likes', '?polls=0', '?polls=-1', '?polls=two', '?polls=99999999', '?q=+++'])
    expect(readActivitiesView(search)).toEqual({ type: null, q: '', polls: 1 });
});

test('a search takes as much text as the call does', () => {
  expect(readActivitiesView(`?q=${'a'.repeat(300)}`).q).toHaveLength(100);
});
