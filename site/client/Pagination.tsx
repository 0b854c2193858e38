import type { MouseEvent, ReactNode } from 'react';
import { pollListTexts as texts } from '#texts/poll-list.ts';
import * as limits from '#contract/limits.ts';
import { PageLink } from './PageLink.tsx';
import styles from './Pagination.module.css';
import { isPlainPress } from './plain-press.ts';

interface PaginationProps {
  readonly page: number;
  readonly pages: number;
  readonly hrefOf: (page: number) => string;
  /** Shows a page in place; without it, links load pages. */
  readonly onPage?: (page: number) => void;
  /** Shown below: where this page is. */
  readonly children?: ReactNode;
}

/** Previous, Next, and up to five page numbers as links, so they work without scripts. */
export function Pagination({ page: current, pages, hrefOf, onPage, children }: PaginationProps) {
  if (pages <= 1 && current === 1) return children;

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
    <>
      <nav className={styles.pagination} aria-label={texts.pagination} data-touch>
        <PageLink text={texts.previous} rel="prev" {...stepTo(Math.min(current - 1, pages))} />
        <ol className={styles.numbers}>
          {pageWindow(current, pages).map((page) => (
            <li key={page}>
              <a
                className={styles.number}
                aria-label={texts.page(page)}
                aria-current={page === current ? 'page' : undefined}
                {...linkTo(page)}
              >
                {page}
              </a>
            </li>
          ))}
        </ol>
        <PageLink text={texts.next} rel="next" {...stepTo(current + 1)} />
      </nav>
      {children}
    </>
  );
}

/** The number of pages; an empty list has one empty page. */
export function pageCount(total: number, pageSize: number = limits.historicalPageSize): number {
  return Math.max(1, Math.ceil(total / pageSize));
}

/** The page numbers to offer: at most `size` around the current page, within 1 and `pages`. */
export function pageWindow(current: number, pages: number, size: number = limits.pageWindow): readonly number[] {
  const length = Math.min(size, pages);
  const first = Math.min(Math.max(1, current - Math.floor(length / 2)), pages - length + 1);
  return Array.from({ length }, (_, index) => first + index);
}
