import type { MouseEvent } from 'react';
import { isPlainPress } from '#site/client/address.ts';
import { archiveTexts } from '#texts/archive.ts';
import * as limits from '#contract/limits.ts';
import type { ArchiveView } from './archive-query.ts';
import { archiveAddress } from './archive-query.ts';
import styles from './Archive.module.css';

interface PaginationProps {
  readonly view: ArchiveView;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

/** Previous, Next, and up to five page numbers as links, so they work without scripts. */
export function Pagination({ view, pages, onPage }: PaginationProps) {
  if (pages <= 1) return null;

  const linkTo = (page: number) => ({
    href: archiveAddress({ ...view, page }),
    onClick: (event: MouseEvent) => {
      if (!isPlainPress(event)) return;
      event.preventDefault();
      onPage(page);
    },
  });
  const step = (page: number, text: string, rel: 'prev' | 'next') =>
    page >= 1 && page <= pages ? (
      <a className="button" rel={rel} {...linkTo(page)}>
        {text}
      </a>
    ) : (
      <span className="button" role="link" aria-disabled="true">
        {text}
      </span>
    );

  return (
    <nav className={styles.pagination} aria-label={archiveTexts.pagination} data-touch>
      {step(view.page - 1, archiveTexts.previous, 'prev')}
      <ol className={styles.numbers}>
        {pageWindow(view.page, pages).map((page) => (
          <li key={page}>
            <a
              className={styles.number}
              aria-label={archiveTexts.page(page)}
              aria-current={page === view.page ? 'page' : undefined}
              {...linkTo(page)}
            >
              {page}
            </a>
          </li>
        ))}
      </ol>
      {step(view.page + 1, archiveTexts.next, 'next')}
    </nav>
  );
}

/** The number of pages; an empty archive has one empty page. */
export function pageCount(total: number, pageSize: number = limits.historicalPageSize): number {
  return Math.max(1, Math.ceil(total / pageSize));
}

/** The page numbers to offer: at most `size` around the current page, within 1 and `pages`. */
export function pageWindow(current: number, pages: number, size: number = limits.pageWindow): readonly number[] {
  const length = Math.min(size, pages);
  const first = Math.min(Math.max(1, current - Math.floor(length / 2)), pages - length + 1);
  return Array.from({ length }, (_, index) => first + index);
}
