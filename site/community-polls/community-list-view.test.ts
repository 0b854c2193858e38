import { expect, test } from 'vitest';
import { communityAddress, communityCallQuery, firstCommunityView, readCommunityView } from './community-list-view.ts';

test('the plain address is the first page of everybody’s polls', () => {
  expect(readCommunityView('')).toEqual(firstCommunityView);
  expect(communityAddress(firstCommunityView)).toBe('/community-polls');
  // A form without scripts sends what is empty, too.
  expect(readCommunityView('?category=')).toEqual(firstCommunityView);
});

test.each([
  '?page=2',
  '?category=World+News',
  '?category=Business+%26+Finance&page=12',
  '?show=mine',
  '?show=mine&category=Science&page=3',
])('the view of %s has that address again', (search) => {
  expect(communityAddress(readCommunityView(search)!)).toBe(`/community-polls${search}`);
});

test.each(['?page=0', '?page=-1', '?page=1.5', '?page=2000000', '?page=x', '?category=Nothing', '?show=theirs'])(
  '%s asks for something that there is not',
  (search) => {
    expect(readCommunityView(search)).toBeNull();
  },
);

test('the call asks for six polls from where the page begins', () => {
  expect(communityCallQuery({ page: 3, category: 'Health', mine: false })).toEqual({
    visibility: 'public',
    limit: 6,
    offset: 12,
    category: 'Health',
  });
  expect(communityCallQuery({ ...firstCommunityView, mine: true })).toEqual({
    visibility: 'mine',
    limit: 6,
    offset: 0,
  });
});
