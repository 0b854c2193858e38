import { describe, expect, it } from 'vitest';
import { pageCount, pageWindow } from './Pagination.tsx';

describe('the window of page numbers', () => {
  it.each([
    { current: 1, pages: 10, shown: [1, 2, 3, 4, 5] },
    { current: 2, pages: 10, shown: [1, 2, 3, 4, 5] },
    { current: 3, pages: 10, shown: [1, 2, 3, 4, 5] },
    { current: 4, pages: 10, shown: [2, 3, 4, 5, 6] },
    { current: 8, pages: 10, shown: [6, 7, 8, 9, 10] },
    { current: 10, pages: 10, shown: [6, 7, 8, 9, 10] },
    { current: 1, pages: 1, shown: [1] },
    { current: 3, pages: 3, shown: [1, 2, 3] },
    { current: 99, pages: 4, shown: [1, 2, 3, 4] },
  ])('shows $shown on page $current of $pages', ({ current, pages, shown }) => {
    expect(pageWindow(current, pages)).toEqual(shown);
  });

  it('never shows more than five numbers, and always the current page', () => {
    for (let pages = 1; pages <= 30; pages++) {
      for (let current = 1; current <= pages; current++) {
        const shown = pageWindow(current, pages);
        expect(shown).toHaveLength(Math.min(5, pages));
        expect(shown).toContain(current);
        expect(shown[0]).toBeGreaterThanOrEqual(1);
        expect(shown.at(-1)).toBeLessThanOrEqual(pages);
      }
    }
  });
});

describe('the number of pages', () => {
  it.each([
    { total: 0, pages: 1 },
    { total: 9, pages: 1 },
    { total: 10, pages: 2 },
    { total: 900, pages: 100 },
  ])('$total polls fill $pages', ({ total, pages }) => {
    expect(pageCount(total)).toBe(pages);
  });
});
