import { useState } from 'react';
import type { Poll } from '#api/polls/polls.contract.ts';
import { inOrderOf } from '#domain/poll-order.ts';
import { RetryButton } from '#site/client/RetryButton.tsx';
import { formatCount } from '#site/ui/format.ts';
import { activePollsTexts as texts } from '#texts/polls.ts';
import { Answers } from './Answers.tsx';
import { useActivePolls } from '#site/polls/voting/shown-polls.ts';
import styles from './VotingCard.module.css';
import { VotingCard } from './VotingCard.tsx';

const placeholders = ['first', 'second', 'third'];

interface ActivePollsProps {
  /** The open polls at the time the page was published. */
  readonly polls: readonly Poll[];
  readonly publishedAt: string;
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

/** Today’s polls, first as published, then live with this voter’s choices. */
export default function ActivePolls({ polls: published, publishedAt }: ActivePollsProps) {
  const { data, isError, isFetching } = useActivePolls(published, publishedAt);
  // Polls that are answered in the meantime stay in place.
  const [order, setOrder] = useState(published);
  if (order.length === 0 && data !== undefined && data.length > 0) setOrder(data);
  const polls =
    data &&
    inOrderOf(
      order.map(({ id }) => id),
      data,
    );

  return (
    <>
      <div className="section-head">
        <h2 id="todays-polls">{texts.heading}</h2>
        {polls && <p className="section-head__note">{texts.count(polls.length, formatCount(polls.length))}</p>}
      </div>
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
      {polls && polls.length > 0 && (
        <ul className={`card-grid ${styles.grid}`}>
          {polls.map((poll) => (
            <li key={poll.id}>
              <VotingCard poll={poll} variant="grid" />
            </li>
          ))}
        </ul>
      )}
      {polls && <Answers polls={polls} className={`card ${styles.answers}`} />}
    </>
  );
}
