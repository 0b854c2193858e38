import { expect, test } from 'vitest';
import { searchLength } from '#api/search/search.contract.ts';
import { readSearchView, searchAddress } from './search-view.ts';

test('the address of a search keeps its text, type, and page', () => {
  const view = { q: 'tea & “coffee”', type: 'report', page: 3 } as const;
  expect(readSearchView(new URL(searchAddress(view), 'http://localhost').search)).toEqual(view);
  expect(searchAddress({ q: '', type: null, page: 1 })).toBe('/search');
});

test('invalid parts of an address are ignored, and a long text is cut', () => {
  expect(readSearchView('?q=+tea%00+&type=vote&page=0')).toEqual({ q: 'tea', type: null, page: 1 });
  expect(readSearchView('?page=99').page).toBe(15);
  expect(readSearchView(`?q=${'x'.repeat(searchLength + 1)}`).q).toHaveLength(searchLength);
});
