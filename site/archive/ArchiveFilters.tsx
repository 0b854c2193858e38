import { allCategories, historicalSorts, type HistoricalSort } from '#contract/vocabulary.ts';
import { categoryLabel } from '#domain/poll-results.ts';
import { archiveTexts } from '#texts/archive.ts';
import type { ArchiveView } from './archive-query.ts';
import styles from './Archive.module.css';

interface ArchiveFiltersProps {
  readonly view: ArchiveView;
  /** As the API lists them, "all" first. */
  readonly categories: readonly string[];
  readonly onView: (view: ArchiveView) => void;
}

/** Category and order. A form of its own, so that it works without scripts; every change begins at page 1. */
export function ArchiveFilters({ view, categories, onView }: ArchiveFiltersProps) {
  return (
    <form
      className={`no-print ${styles.filters}`}
      action="/historical"
      method="get"
      aria-label={archiveTexts.filters}
      data-touch
    >
      <label className="field">
        <span className="field__label">{archiveTexts.category}</span>
        <select
          className="input"
          name="category"
          value={view.category}
          onChange={(event) => onView({ ...view, page: 1, category: event.target.value })}
        >
          {/* The address may ask for anything; only the archive's own categories are offered. */}
          {!categories.includes(view.category) && (
            <option value={view.category} disabled hidden>
              {archiveTexts.unknownCategory}
            </option>
          )}
          {categories.map((category) => (
            <option key={category} value={category}>
              {category === allCategories ? archiveTexts.allCategories : categoryLabel(category)}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="field__label">{archiveTexts.sort}</span>
        <select
          className="input"
          name="sort"
          value={view.sort}
          onChange={(event) => onView({ ...view, page: 1, sort: event.target.value as HistoricalSort })}
        >
          {historicalSorts.map((sort) => (
            <option key={sort} value={sort}>
              {archiveTexts.sorts[sort]}
            </option>
          ))}
        </select>
      </label>
      <button className="button no-js-only" type="submit">
        {archiveTexts.apply}
      </button>
    </form>
  );
}
