import { useId } from 'react';
import type { ReactNode } from 'react';
import type { AdminAnchor } from './AdminContents.tsx';
import styles from './Admin.module.css';

interface AdminSectionProps {
  /** Where the list of contents leads to. */
  readonly anchor: AdminAnchor;
  readonly heading: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** One matter of the operator: what it is about on the left, what can be done on the right. */
export function AdminSection({ anchor, heading, text, children }: AdminSectionProps) {
  const id = useId();
  return (
    <section id={anchor} className={styles.section} aria-labelledby={id}>
      <div className={styles.about}>
        <h2 id={id}>{heading}</h2>
        <p>{text}</p>
      </div>
      <div className={styles.matter}>{children}</div>
    </section>
  );
}
