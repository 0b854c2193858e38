import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { HistoricalPage } from '#api/polls/polls.contract.ts';
import type { HistoricalSort } from '#contract/vocabulary.ts';
import { allCategories, historicalSorts } from '#contract/vocabulary.ts';
import { goTo, scrollToTop, useSearch } from '#site/client/address.ts';
import { callApi } from '#site/client/api.ts';
import { failureText } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { formatCount } from '#site/ui/format.ts';
import { archiveTexts } from '#texts/archive.ts';
import { categoryLabel } from '#domain/poll-results.ts';
import styles from './Archive.module.css';
import { ArchiveCard } from './ArchiveCard.tsx';
import { Pagination, pageCount } from './Pagination.tsx';
import type { ArchiveView } from './archive-query.ts';
import { archiveAddress, archiveCallQuery, firstView, readArchiveQuery } from './archive-query.ts';

interface ArchiveProps {
  /** The query string the HTML was rendered for, including the question mark, or empty. */
  readonly search: string;
  /** The page of the archive for that query. */
  readonly initial: HistoricalPage;
}

/** The archive: filters, list, and pages, which follow the address. */
export function Archive({ search, initial }: ArchiveProps) {
  const shownSearch = useSearch(search);
  const view = readArchiveQuery(shownSearch);
  const { data, error, isFetching, isPlaceholderData, refetch } = useHistoricalPolls(
    view,
    shownSearch === search ? initial : null,
  );
  const heading = useRef<HTMLHeadingElement>(null);
  const lastSearch = useRef(shownSearch);

  useEffect(() => {
    if (lastSearch.current === shownSearch) return;
    lastSearch.current = shownSearch;
    // A select operated with the arrow keys keeps the focus.
    if (!(document.activeElement instanceof HTMLSelectElement)) heading.current?.focus({ preventScroll: true });
  }, [shownSearch]);

  if (view === null) return <Notice {...archiveTexts.invalid} level={2} href="/historical" />;

  const show = (next: ArchiveView) => goTo(archiveAddress(next));
  const showPage = (page: number) => {
    show({ ...view, page });
    scrollToTop();
  };
  const pages = pageCount(data?.total ?? 0);
  const waiting = isFetching && (isPlaceholderData || data === undefined);

  return (
    <section className={styles.archive} aria-busy={waiting}>
      <div className="section-head">
        <h2 className="section-head__title" ref={heading} tabIndex={-1}>
          {archiveTexts.listHeading(view.page)}
          {waiting && <Vane busy label={archiveTexts.loading} />}
        </h2>
        <ArchiveFilters view={view} categories={data?.categories ?? initial.categories} onView={show} />
      </div>
      {error !== null && !isFetching ? (
        <Notice
          failed
          title={archiveTexts.failed.title}
          text={failureText(error, archiveTexts.failed.text)}
          action={archiveTexts.failed.retry}
          href={archiveAddress(view)}
          onAction={() => {
            heading.current?.focus({ preventScroll: true });
            void refetch();
          }}
        />
      ) : data === undefined ? (
        <Placeholders />
      ) : data.polls.length > 0 ? (
        <ul className={`columns ${styles.grid}${waiting ? ` ${styles.waiting}` : ''}`}>
          {data.polls.map((poll) => (
            <li key={poll.id} className="columns__cell">
              <ArchiveCard poll={poll} />
            </li>
          ))}
        </ul>
      ) : view.page > pages ? (
        <Notice
          title={archiveTexts.pastTheEnd.title(view.page)}
          text={archiveTexts.pastTheEnd.text(pages)}
          action={archiveTexts.pastTheEnd.action}
          href={archiveAddress({ ...view, page: pages })}
        />
      ) : (
        <Notice
          {...archiveTexts.empty}
          {...(view.category !== allCategories && {
            action: archiveTexts.showAll,
            href: archiveAddress({ ...firstView, sort: view.sort }),
          })}
        />
      )}
      {data !== undefined && data.polls.length > 0 && (error === null || isFetching) && (
        <footer className={styles.foot}>
          <Pagination
            page={view.page}
            pages={pages}
            hrefOf={(page) => archiveAddress({ ...view, page })}
            onPage={showPage}
          />
          <p className="muted small figure">
            {archiveTexts.position(view.page, pages, formatCount(data.total), data.total)}
          </p>
        </footer>
      )}
      <p className="visually-hidden" role="status">
        {!waiting && data !== undefined && archiveTexts.listed(data.polls.length)}
      </p>
    </section>
  );
}

/** Empty cards of about the final size, shown while the first list loads. */
function Placeholders() {
  return (
    <ul className={`columns ${styles.grid}`} aria-hidden="true">
      {[0, 1, 2].map((index) => (
        <li key={index} className="columns__cell">
          <div className={`skeleton ${styles.placeholder}`} />
        </li>
      ))}
    </ul>
  );
}

/** One page of the archive. `initial`: what the HTML shows. The previous list stays visible while the next one loads. */
function useHistoricalPolls(view: ArchiveView | null, initial: HistoricalPage | null) {
  return useQuery(
    {
      queryKey: ['historicalPolls', view],
      queryFn: ({ signal }) => callApi('historicalPolls', { query: archiveCallQuery(view!), signal }),
      enabled: view !== null,
      placeholderData: keepPreviousData,
      ...(initial !== null && { initialData: initial, refetchOnMount: false }),
    },
    queryClient(),
  );
}

interface ArchiveFiltersProps {
  readonly view: ArchiveView;
  /** As listed by the API, “all” first. */
  readonly categories: readonly string[];
  readonly onView: (view: ArchiveView) => void;
}

/** Category and order. A GET form, so it works without scripts; every change starts at page 1. */
function ArchiveFilters({ view, categories, onView }: ArchiveFiltersProps) {
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
          {/* The address may contain an unknown category, which is not offered again. */}
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
