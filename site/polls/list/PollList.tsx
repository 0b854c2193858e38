import { useEffect, useId, useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { failureText } from '#site/client/failure-text.ts';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { Notice } from '#site/ui/Notice.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import { pollListTexts as texts } from '#texts/poll-list.ts';
import styles from './PollList.module.css';

/** A card with the id of its poll as key. */
type CardElement = ReactElement;

interface PollListProps {
  readonly title: string;
  /** The query string whose list is shown: the heading takes the focus when it changes. */
  readonly search: string;
  /** Filters, next to the heading. */
  readonly controls: ReactNode;
  /** Their cards; undefined while they load for the first time, or can’t be listed. */
  readonly cards: readonly CardElement[] | undefined;
  /** This list is loading; the previous one may still be shown. */
  readonly waiting: boolean;
  /** Why the list can’t be read. */
  readonly failure: ReactNode;
  /** In place of a list that is empty. */
  readonly empty: ReactNode;
  readonly pages: ReactNode;
}

/** Polls with their filters and pages. */
export function PollList(props: PollListProps) {
  const { title, search, controls, cards, waiting, failure, empty, pages } = props;
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const lastSearch = useRef(search);
  useEffect(() => {
    if (lastSearch.current === search) return;
    lastSearch.current = search;
    // A select operated with the arrow keys keeps the focus.
    if (!(document.activeElement instanceof HTMLSelectElement)) heading.current?.focus({ preventScroll: true });
  }, [search]);
  return (
    <section className={styles.list} aria-busy={waiting} aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id} className="section-head__title" ref={heading} tabIndex={-1}>
          {title}
          {waiting && <Vane busy label={texts.loading} />}
        </h2>
        <div className={styles.controls}>{controls}</div>
      </div>
      {failure}
      {cards === undefined ? (
        !failure && <PollPlaceholders count={6} />
      ) : cards.length > 0 ? (
        <PollGrid cards={cards} waiting={waiting} />
      ) : (
        empty
      )}
      {(cards !== undefined || failure) && <footer className={styles.foot}>{pages}</footer>}
      <p className="visually-hidden" role="status">
        {!waiting && cards !== undefined && texts.listed(cards.length)}
      </p>
    </section>
  );
}

interface ReadState {
  readonly error: Error | null;
  readonly isFetching: boolean;
}

interface FailureTexts {
  readonly title: string;
  readonly text: string;
  /** Added where an earlier list is still shown. */
  readonly stale?: string;
}

/** Why a list can’t be read, or can’t be read again; null unless that has failed. */
export function failureNotice({ error, isFetching }: ReadState, failed: FailureTexts, isListed: boolean): ReactNode {
  if (error === null || isFetching) return null;
  const reason = failureText(error, failed.text);
  const text = isListed && failed.stale !== undefined ? `${reason} ${failed.stale}` : reason;
  return (
    <Notice failed title={failed.title} text={text}>
      <RetryButton pending={isFetching} />
    </Notice>
  );
}

interface PollGridProps {
  readonly cards: readonly CardElement[];
  /** The next list is loading. */
  readonly waiting?: boolean;
  /** Larger cards, fewer per row. */
  readonly lead?: boolean;
}

/** Cards in newspaper columns. */
export function PollGrid({ cards, waiting = false, lead = false }: PollGridProps) {
  return (
    <ul
      className={`columns ${styles.grid}${lead ? ` ${styles.lead}` : ''}${waiting ? ` ${styles.waiting}` : ''}`}
      data-list={lead ? 'featured' : 'page'}
    >
      {cards.map((card) => (
        <li key={card.key} className="columns__cell">
          {card}
        </li>
      ))}
    </ul>
  );
}

/** Empty cards of about the final size, shown while the first list loads. */
export function PollPlaceholders({ count }: { readonly count: number }) {
  return (
    <ul className={`columns js-only ${styles.grid}`} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <li key={index} className="columns__cell">
          <div className={`skeleton ${styles.placeholder}`} />
        </li>
      ))}
    </ul>
  );
}
