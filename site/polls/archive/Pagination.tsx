import type { MouseEvent } from 'react';
import { isPlainPress } from '#site/client/plain-press.ts';
import { PageLink } from '#site/client/PageLink.tsx';
import { archiveTexts } from '#texts/archive.ts';
import * as limits from '#contract/limits.ts';
import styles from './Archive.module.css';

interface PaginationProps {
  readonly page: number;
  readonly pages: number;
  readonly hrefOf: (page: number) => string;
  /** Shows a page in place; without it, links load pages. */
  readonly onPage?: (page: number) => void;
}

/** Previous, Next, and up to five page numbers as links, so they work without scripts. */
export function Pagination({ page: current, pages, hrefOf, onPage }: PaginationProps) {
  if (pages <= 1) return null;

  const linkTo = (page: number) => ({
    href: hrefOf(page),
    onClick: (event: MouseEvent) => {
      if (!onPage || !isPlainPress(event)) return;
      event.preventDefault();
      onPage(page);
    },
  });
  const stepTo = (page: number) => ({
    href: page >= 1 && page <= pages ? hrefOf(page) : undefined,
    ...(onPage && { onPress: () => onPage(page) }),
  });

  return (
    <nav className={styles.pagination} aria-label={archiveTexts.pagination} data-touch>
      <PageLink text={archiveTexts.previous} rel="prev" {...stepTo(current - 1)} />
      <ol className={styles.numbers}>
        {pageWindow(current, pages).map((page) => (
          <li key={page}>
            <a
              className={styles.number}
              aria-label={archiveTexts.page(page)}
              aria-current={page === current ? 'page' : undefined}
              {...linkTo(page)}
            >
              {page}
            </a>
          </li>
        ))}
      </ol>
      <PageLink text={archiveTexts.next} rel="next" {...stepTo(current + 1)} />
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
