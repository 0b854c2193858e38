import * as limits from '#contract/limits.ts';

/** How many pages so many polls fill; an empty archive has one empty page. */
export function pageCount(total: number, pageSize: number = limits.historicalPageSize): number {
  return Math.max(1, Math.ceil(total / pageSize));
}

/** The page numbers to offer: a window of at most `size` around the current page that stays within 1 and `pages`. */
export function pageWindow(current: number, pages: number, size: number = limits.pageWindow): readonly number[] {
  const length = Math.min(size, pages);
  const first = Math.min(Math.max(1, current - Math.floor(length / 2)), pages - length + 1);
  return Array.from({ length }, (_, index) => first + index);
}
