import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { HistoricalPage } from '#contract/poll.ts';
import { allCategories } from '#contract/vocabulary.ts';
import { goTo, scrollToTop, useSearch } from '#site/client/address.ts';
import { callApi } from '#site/client/api.ts';
import { failureText } from '#site/client/failure-text.ts';
import { queryClient } from '#site/client/query-client.ts';
import { Notice } from '#site/ui/Notice.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { formatCount } from '#site/ui/format.ts';
import { archiveTexts } from '#texts/archive.ts';
import styles from './Archive.module.css';
import { ArchiveCard } from './ArchiveCard.tsx';
import { ArchiveFilters } from './ArchiveFilters.tsx';
import { Pagination } from './Pagination.tsx';
import { type ArchiveView, archiveAddress, archiveCallQuery, firstView, readArchiveQuery } from './archive-query.ts';
import { pageCount } from './page-window.ts';

interface ArchiveProps {
  /** The query that the HTML was made for, with its question mark, or nothing. */
  readonly search: string;
  /** What that query shows. */
  readonly known: HistoricalPage;
}

/** The archive: category, order, list and pages. What is shown follows the address. */
export function Archive({ search, known }: ArchiveProps) {
  const shownSearch = useSearch(search);
  const view = readArchiveQuery(shownSearch);
  const { data, error, isFetching, isPlaceholderData, refetch } = useHistoricalPolls(
    view,
    shownSearch === search ? known : null,
  );
  const heading = useRef<HTMLHeadingElement>(null);
  const lastSearch = useRef(shownSearch);

  useEffect(() => {
    if (lastSearch.current === shownSearch) return;
    lastSearch.current = shownSearch;
    // Whoever goes through a list of choices with the arrow keys stays there.
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
        <ArchiveFilters view={view} categories={data?.categories ?? known.categories} onView={show} />
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
          <Pagination view={view} pages={pages} onPage={showPage} />
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

/** Empty cards of about the final size, for a list that nothing is known of yet. */
function Placeholders() {
  return (
    <ul className={`columns ${styles.grid}`} aria-hidden="true">
      {[0, 1, 2].map((place) => (
        <li key={place} className="columns__cell">
          <div className={`skeleton ${styles.placeholder}`} />
        </li>
      ))}
    </ul>
  );
}

/** One page of the archive. `known` is what the HTML already shows of this view; the last list stays while another loads. */
function useHistoricalPolls(view: ArchiveView | null, known: HistoricalPage | null) {
  return useQuery(
    {
      queryKey: ['historicalPolls', view],
      queryFn: ({ signal }) => callApi('historicalPolls', { query: archiveCallQuery(view!), signal }),
      enabled: view !== null,
      placeholderData: keepPreviousData,
      ...(known !== null && { initialData: known, refetchOnMount: false }),
    },
    queryClient(),
  );
}
