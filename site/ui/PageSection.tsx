import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './PageSection.module.css';

interface PageSectionProps {
  readonly heading: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** A section of a page of settings: heading and explanation on the left, content on the right. */
export function PageSection({ heading, text, children }: PageSectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.about}>
        <h2 id={id}>{heading}</h2>
        <p>{text}</p>
      </div>
      <div className={styles.content}>{children}</div>
    </section>
  );
}
