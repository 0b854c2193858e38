import type { MouseEvent } from 'react';
import { isPlainPress } from '#site/client/address.ts';
import { archiveTexts } from '#texts/archive.ts';
import { archiveAddress, type ArchiveView } from './archive-query.ts';
import styles from './Archive.module.css';
import { pageWindow } from './page-window.ts';

interface PaginationProps {
  readonly view: ArchiveView;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

/** Previous, Next and up to five page numbers; links, so that they lead somewhere without scripts too. */
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
