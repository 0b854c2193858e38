import { useEffect, useId, useRef } from 'react';
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
  const head = useRef<HTMLHeadingElement>(null);
  const held = useRef<Element>(null);

  // A button may be gone after what it did; whoever uses a keyboard goes on at the heading of its matter.
  useEffect(() => {
    if (document.activeElement !== document.body || held.current === null) return;
    if (held.current.isConnected && !held.current.matches(':disabled')) return;
    held.current = null;
    head.current?.focus();
  });

  return (
    <section
      id={anchor}
      className={styles.section}
      aria-labelledby={id}
      onFocus={({ target }) => {
        held.current = target;
      }}
    >
      <div className={styles.about}>
        <h2 id={id} ref={head} tabIndex={-1}>
          {heading}
        </h2>
        <p>{text}</p>
      </div>
      <div className={styles.matter}>{children}</div>
    </section>
  );
}
