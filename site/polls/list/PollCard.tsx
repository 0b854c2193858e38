import type { ReactNode } from 'react';
import styles from './PollList.module.css';

interface PollCardProps {
  readonly poll: { readonly id: string; readonly question: string; readonly description: string };
  /** Path of its page or report. */
  readonly href: string;
  readonly phase?: string;
  /** Labels above the question. */
  readonly kicker: ReactNode;
  /** Results and facts below it. */
  readonly children: ReactNode;
}

/** A poll in a list, with a link to its page or report. */
export function PollCard({ poll: { id, question, description }, href, phase, kicker, children }: PollCardProps) {
  return (
    <article className={styles.card} data-poll={id} data-phase={phase}>
      <p className={styles.kicker}>{kicker}</p>
      <div className={styles.body}>
        <h3 className={styles.question} dir="auto">
          <a href={href}>{question}</a>
        </h3>
        {description !== '' && (
          <p className={styles.description} dir="auto">
            {description}
          </p>
        )}
      </div>
      {children}
    </article>
  );
}
