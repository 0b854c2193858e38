import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import type { OperatorPermission } from '#contract/vocabulary.ts';
import { adminTexts, pagesTexts } from '#texts/admin.ts';
import { ApiError } from '#site/client/api.ts';
import sectionStyles from '#site/ui/PageSection.module.css';
import { adminErrorMessage, useAllowed } from './admin-session.ts';
import styles from './Admin.module.css';

interface AdminSectionProps {
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** A section of the page: heading and explanation on the left, content on the right. */
export function AdminSection({ anchor, heading, text, children }: AdminSectionProps) {
  const id = useId();
  return (
    <section id={anchor} className={sectionStyles.section} aria-labelledby={id}>
      <div className={sectionStyles.about}>
        <h2 id={id} tabIndex={-1}>
          {heading}
        </h2>
        <p>{text}</p>
      </div>
      <div className={styles.controls}>{children}</div>
    </section>
  );
}

interface AllowedProps {
  readonly to: OperatorPermission;
  readonly children: ReactNode;
}

/** What only operators with this permission may do; others don’t see it. */
export const Allowed = ({ to, children }: AllowedProps) => useAllowed(to) && children;

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** The data of a query, or that it is loading, or why it failed. */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return <p className="muted">{adminTexts.loading}</p>;
  return (
    <div className="row" role="alert">
      <p>{adminErrorMessage(query.error)}</p>
      {!isMissing(query.error) && (
        <button type="button" className="button" onClick={() => void query.refetch()}>
          {adminTexts.retry}
        </button>
      )}
    </div>
  );
}

/** What doesn’t exist, or not anymore, can’t be loaded by trying again. */
const isMissing = (error: Error) => error instanceof ApiError && error.status === 404;

interface PaginationProps {
  readonly label: string;
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

/** Previous and Next buttons of a list with more than one page. */
export function Pagination({ label, page, pages, onPage }: PaginationProps) {
  const nav = useRef<HTMLElement>(null);
  // Another page of the list has another height.
  useEffect(() => {
    if (nav.current?.contains(document.activeElement)) nav.current.scrollIntoView({ block: 'nearest' });
  }, [page]);
  if (pages <= 1) return null;
  const button = (to: number, label: string) => {
    const isEnd = to < 1 || to > pages;
    return (
      <button
        type="button"
        className="button button--small"
        // Keeps the focus on the first and the last page.
        aria-disabled={isEnd}
        onClick={({ currentTarget }) => {
          if (isEnd) return;
          onPage(to);
          currentTarget.closest('nav')?.parentElement?.querySelector('ol, ul')?.scrollIntoView();
        }}
      >
        {label}
      </button>
    );
  };
  return (
    <nav ref={nav} className={styles.paging} aria-label={label}>
      {button(page - 1, pagesTexts.previous)}
      <span className="figure small" role="status">
        {pagesTexts.place(page, pages)}
      </span>
      {button(page + 1, pagesTexts.next)}
    </nav>
  );
}
