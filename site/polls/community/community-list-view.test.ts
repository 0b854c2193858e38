import { expect, test } from 'vitest';
import { communityAddress, communityCallQuery, firstCommunityView, readCommunityView } from './community-list-view.ts';

test('the plain address is the first page of everyone’s polls', () => {
  expect(readCommunityView('')).toEqual(firstCommunityView);
  expect(communityAddress(firstCommunityView)).toBe('/community-polls');
  // A form without scripts also sends empty values.
  expect(readCommunityView('?category=')).toEqual(firstCommunityView);
});

test.each([
  '?page=2',
  '?category=World+News',
  '?category=Business+%26+Finance&page=12',
  '?show=mine',
  '?show=mine&category=Science&page=3',
  '?show=invited',
  '?category=Science&state=unvoted&sort=ending-soon&page=2',
])('the address %s survives a round trip', (search) => {
  expect(communityAddress(readCommunityView(search)!)).toBe(`/community-polls${search}`);
});

test.each([
  '?page=0',
  '?page=-1',
  '?page=1.5',
  '?page=2000000',
  '?page=x',
  '?category=Nothing',
  '?show=theirs',
  '?sort=oldest',
  '?state=upcoming',
])('%s is invalid', (search) => {
  expect(readCommunityView(search)).toBeNull();
});

test('[S7.19] the call requests six polls from the start of the page', () => {
  expect(communityCallQuery({ ...firstCommunityView, page: 3, category: 'Health', sort: 'trending' })).toEqual({
    visibility: 'public',
    limit: 6,
    offset: 12,
    category: 'Health',
    sort: 'trending',
  });
  expect(communityCallQuery({ ...firstCommunityView, scope: 'mine' })).toEqual({
    visibility: 'mine',
    limit: 6,
    offset: 0,
  });
});
