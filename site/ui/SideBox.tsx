import { useId } from 'react';
import type { ReactNode } from 'react';
import styles from './SideBox.module.css';

interface SideBoxProps {
  readonly heading: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

/** A section beside the content of a page. */
export function SideBox({ heading, note, children }: SideBoxProps) {
  const id = useId();
  return (
    <section className={styles.box} aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {note !== undefined && <p className="muted small">{note}</p>}
      {children}
    </section>
  );
}
