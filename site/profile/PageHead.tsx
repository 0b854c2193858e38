import type { ReactNode } from 'react';
import { memberPageTexts } from '#texts/profile.ts';
import styles from './PageHead.module.css';

interface PageHeadProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** The head of a page below the profile. */
export function PageHead({ title, children }: PageHeadProps) {
  return (
    <header className={styles.head}>
      <p className="kicker no-print">
        <a className={styles.back} href="/profile">
          <span aria-hidden="true">←</span> {memberPageTexts.profile}
        </a>
      </p>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </header>
  );
}
