import { describe, expect, it } from 'vitest';
import { archiveAddress, archiveCallQuery, firstView, readArchiveQuery } from './archive-query.ts';

describe('the address of an archive list', () => {
  it('means the newest polls of all categories when it has no query', () => {
    expect(readArchiveQuery('')).toEqual({ page: 1, sort: 'newest', category: 'all' });
  });

  it('says page, order and category', () => {
    expect(readArchiveQuery('?page=3&sort=most-voted&category=climate-change')).toEqual({
      page: 3,
      sort: 'most-voted',
      category: 'climate-change',
    });
  });

  it('may come from the form, with defaults and an empty category', () => {
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

  it('leaves the defaults out', () => {
    expect(archiveAddress(firstView)).toBe('/historical');
    expect(archiveAddress({ page: 2, sort: 'oldest', category: 'arts & culture' })).toBe(
      '/historical?page=2&sort=oldest&category=arts+%26+culture',
    );
  });

  it('survives being written and read', () => {
    const view = { page: 7, sort: 'least-voted', category: 'Größe & 50% + mehr' } as const;
    expect(readArchiveQuery(new URL(archiveAddress(view), 'http://localhost').search)).toEqual(view);
  });

  it('asks the API for nine polls and for a category only when one is chosen', () => {
    expect(archiveCallQuery(firstView)).toEqual({ page: 1, limit: 9, sort: 'newest' });
    expect(archiveCallQuery({ ...firstView, category: 'science' })).toMatchObject({ category: 'science' });
  });
});
