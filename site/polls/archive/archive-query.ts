import * as limits from '#contract/limits.ts';
import type { HistoricalSort } from '#contract/vocabulary.ts';
import { allCategories, historicalSorts } from '#contract/vocabulary.ts';

/** Which part of the archive is shown. */
export interface ArchiveView {
  readonly page: number;
  readonly sort: HistoricalSort;
  /** A stored category, or “all”. */
  readonly category: string;
}

/** The pre-rendered view. */
export const firstView: ArchiveView = { page: 1, sort: historicalSorts[0], category: allCategories };

const lastPage = 1_000_000;

/** Parses the query of an archive address; null if it is invalid. */
export function readArchiveQuery(search: string): ArchiveView | null {
  const query = new URLSearchParams(search);
  const page = query.get('page') ?? '1';
  const sort = query.get('sort') ?? firstView.sort;
  const category = query.get('category') ?? '';
  if (!/^[1-9]\d{0,6}$/.test(page) || Number(page) > lastPage) return null;
  if (!isSort(sort) || category.length > limits.importShortText) return null;
  return { page: Number(page), sort, category: category === '' ? allCategories : category };
}

function isSort(value: string): value is HistoricalSort {
  return (historicalSorts as readonly string[]).includes(value);
}

/** The address of a view, without default values. */
export function archiveAddress(view: ArchiveView): string {
  const query = new URLSearchParams();
  if (view.page !== firstView.page) query.set('page', String(view.page));
  if (view.sort !== firstView.sort) query.set('sort', view.sort);
  if (view.category !== firstView.category) query.set('category', view.category);
  return query.size > 0 ? `/historical?${query}` : '/historical';
}

/** The query of the API call that lists a view. */
export function archiveCallQuery(view: ArchiveView) {
  return {
    page: view.page,
    limit: limits.historicalPageSize,
    sort: view.sort,
    ...(view.category !== allCategories && { category: view.category }),
  };
}
