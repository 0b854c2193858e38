import { pagesTexts as texts } from '#texts/admin-polls.ts';
import styles from './Managing.module.css';

interface PageStepsProps {
  readonly label: string;
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

/** Previous and Next of a list; nothing where one page has it all. */
export function PageSteps({ label, page, pages, onPage }: PageStepsProps) {
  if (pages <= 1) return null;
  return (
    <nav className={styles.pages} aria-label={label}>
      <button type="button" className="button button--small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {texts.previous}
      </button>
      <span className="figure small" aria-current="page">
        {texts.place(page, pages)}
      </span>
      <button type="button" className="button button--small" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {texts.next}
      </button>
    </nav>
  );
}
