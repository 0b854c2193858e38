import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Poll } from '#api/polls/polls.contract.ts';
import { inOrderOf } from '#domain/poll-order.ts';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { formatCount } from '#site/ui/format.ts';
import { activePollsTexts as texts } from '#texts/polls.ts';
import styles from './ActivePolls.module.css';
import { Answers } from '#site/polls/voting/AfterVote.tsx';
import { cardId } from '#site/polls/voting/ballot.ts';
import { useActivePolls } from '#site/polls/voting/shown-polls.ts';
import { VoteCard } from '#site/polls/voting/VoteCard.tsx';

const placeholders = ['first', 'second', 'third'];

interface ActivePollsProps {
  /** The open polls at the time the page was published. */
  readonly polls: readonly Poll[];
  readonly publishedAt: string;
  /** Shown after the first poll: the latest result. */
  readonly children?: ReactNode;
}

function Placeholders() {
  return (
    <ul className="card-grid js-only" aria-label={texts.loading} aria-busy="true">
      {placeholders.map((key) => (
        <li key={key} className={`card ${styles.placeholder}`}>
          <span className={`skeleton ${styles.line}`} />
          <span className={`skeleton ${styles.line}`} />
          <span className={`skeleton ${styles.box}`} />
          <span className={`skeleton ${styles.box}`} />
          <span className={`skeleton ${styles.box}`} />
          <span className={`skeleton ${styles.button}`} />
        </li>
      ))}
    </ul>
  );
}

/** Ids of the polls whose published cards are in these places, in the order that sort-cards.ts has given them. */
const publishedIn = (places: string): readonly string[] =>
  typeof document === 'undefined'
    ? []
    : Array.from(document.querySelectorAll(`${places} > article`), ({ id }) => id.slice(cardId('').length));

/** Today’s polls, first as published, then live with this voter’s choices. */
export default function ActivePolls({ polls: published, publishedAt, children }: ActivePollsProps) {
  const { data, isError, isFetching } = useActivePolls(published, publishedAt);
  // Polls that are answered in the meantime stay in place, and unfolded.
  const [sorted, setSorted] = useState(() => publishedIn('[data-slot]'));
  const [folded] = useState(() => publishedIn('[data-folded]'));
  const order = sorted.length > 0 ? sorted : published.map(({ id }) => id);
  if (order.length === 0 && data !== undefined && data.length > 0) setSorted(data.map(({ id }) => id));
  const polls = data && inOrderOf(order, data);
  const [first, ...others] = polls ?? [];
  const answered = polls?.filter(({ hasVoted }) => hasVoted).length ?? 0;
  const head = (
    <div className="section-head">
      <h2 id="todays-polls">{texts.heading}</h2>
      {polls && <p className="section-head__note">{texts.count(polls.length, formatCount(polls.length))}</p>}
    </div>
  );

  return (
    <>
      <section className={styles.edition} aria-labelledby={others.length > 0 ? 'todays-question' : 'todays-polls'}>
        {polls && first && (
          <div className={styles.today}>
            {others.length === 0 ? (
              head
            ) : (
              <div className={styles.label}>
                <h2 id="todays-question">{texts.question}</h2>
                <p data-progress={texts.answered('#', polls.length)} hidden={answered === 0}>
                  {texts.answered(answered, polls.length)}
                </p>
              </div>
            )}
            <div className={styles.first} data-slot>
              <VoteCard poll={first} variant="grid" />
            </div>
          </div>
        )}
        {children}
      </section>
      <section aria-labelledby="todays-polls">
        {(others.length > 0 || !first) && head}
        {isError && (
          <div className={`notice notice--error ${styles.failure}`} role="alert">
            <p className="notice__title">{texts.failed}</p>
            <p className="notice__text">{polls ? texts.failedText : texts.failedEmptyText}</p>
            <RetryButton pending={isFetching} />
          </div>
        )}
        {!polls && !isError && <Placeholders />}
        {polls?.length === 0 && (
          <div className="notice">
            <p className="notice__title">{texts.emptyTitle}</p>
            <p className="notice__text">{texts.emptyText}</p>
            <a className="button" href="/historical">
              {texts.emptyLink}
            </a>
          </div>
        )}
        {others.length > 0 && (
          <ul className={`card-grid ${styles.grid}`}>
            {others.map((poll) => (
              <li key={poll.id} data-slot data-folded={folded.includes(poll.id) && poll.hasVoted ? '' : undefined}>
                <VoteCard poll={poll} variant="grid" />
              </li>
            ))}
          </ul>
        )}
        {polls && <Answers polls={polls} className={`card ${styles.answers}`} />}
      </section>
    </>
  );
}
