import { describe, expect, it } from 'vitest';
import { archiveAddress, archiveCallQuery, firstView, readArchiveQuery } from './archive-query.ts';

describe('the address of an archive list', () => {
  it('[S4.14] without a query means the newest polls of all categories', () => {
    expect(readArchiveQuery('')).toEqual({ page: 1, sort: 'newest', category: 'all' });
  });

  it('[S4.14] contains page, order, and category', () => {
    expect(readArchiveQuery('?page=3&sort=most-voted&category=climate-change')).toEqual({
      page: 3,
      sort: 'most-voted',
      category: 'climate-change',
    });
  });

  it('accepts the form’s defaults and empty category', () => {
    expect(readArchiveQuery('?category=all&sort=newest')).toEqual(firstView);
    expect(readArchiveQuery('?category=')).toEqual(firstView);
  });

  it.each([
    '?page=0',
    '?page=-1',
    '?page=1.5',
    '?page=x',
    '?page=',
    '?page=99999999',
    '?sort=random',
    `?category=${'x'.repeat(201)}`,
  ])('is refused for %s', (search) => {
    expect(readArchiveQuery(search)).toBeNull();
  });

  it('omits defaults', () => {
    expect(archiveAddress(firstView)).toBe('/historical');
    expect(archiveAddress({ page: 2, sort: 'oldest', category: 'arts & culture' })).toBe(
      '/historical?page=2&sort=oldest&category=arts+%26+culture',
    );
  });

  it('survives a round trip', () => {
    const view = { page: 7, sort: 'least-voted', category: 'Größe & 50% + mehr' } as const;
    expect(readArchiveQuery(new URL(archiveAddress(view), 'http://localhost').search)).toEqual(view);
  });

  it('[S7.13 S9.1] requests nine polls from the API, and a category only if one is chosen', () => {
    expect(archiveCallQuery(firstView)).toEqual({ page: 1, limit: 9, sort: 'newest' });
    expect(archiveCallQuery({ ...firstView, category: 'science' })).toMatchObject({ category: 'science' });
  });
});
