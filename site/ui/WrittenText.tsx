import type { ReactNode } from 'react';
import { foldedText } from '#domain/visible-text.ts';
import { writtenTextTexts as texts } from '#texts/written-text.ts';
import styles from './WrittenText.module.css';

interface WrittenTextProps {
  readonly text: string;
  readonly className?: string | undefined;
  /** Shows a part of the text, for example with links. */
  readonly show?: (part: string) => ReactNode;
}

/** A text that a member wrote, in its own lines. Where they would be very tall, the first ones are visible. */
export function WrittenText({ text, className = '', show = (part) => part }: WrittenTextProps) {
  const { shown, rest } = foldedText(text);
  const classes = `${styles.text} ${className}`.trim();
  return (
    <>
      <p className={classes} dir="auto">
        {show(shown)}
      </p>
      {rest.length > 0 && (
        <details className={styles.rest}>
          <summary>
            <span className={styles.more}>{texts.more(rest.length)}</span>
            <span className={styles.less}>{texts.less}</span>
          </summary>
          <p className={classes} dir="auto">
            {show(rest.join('\n'))}
          </p>
        </details>
      )}
    </>
  );
}
