import type { ReactNode } from 'react';
import { useId } from 'react';
import { categoryLabel } from '#domain/poll-results.ts';
import { votingTexts } from '#texts/polls.ts';
import { Ballot } from './Ballot.tsx';
import type { BallotParts } from './Ballot.tsx';
import { cardId } from './ballot.ts';
import type { AnyPoll } from './ballot.ts';
import styles from './VoteCard.module.css';

export interface PartProps {
  readonly poll: AnyPoll;
  /** Voting has started. */
  readonly started: boolean;
}

/** What the card of a community poll has in place of, or besides, that of a weekly poll. */
export interface CardParts extends BallotParts {
  /** Above the question. */
  readonly Labels: (props: PartProps) => ReactNode;
  /** Below it: description, and facts. */
  readonly About: (props: PartProps) => ReactNode;
  /** Below the ballot, because some of it begins with a vote: how the votes were cast. */
  readonly Circumstances: (props: { readonly poll: AnyPoll }) => ReactNode;
}

interface VoteCardProps {
  readonly poll: AnyPoll;
  /** `page`: the only poll on its page; `grid`: one of several, linked to its page. */
  readonly variant: 'grid' | 'page';
  readonly started?: boolean;
  /** Those of a community poll: the home page doesn’t load them. */
  readonly parts?: CardParts | undefined;
}

/** A poll to vote on: question, and ballot. */
export function VoteCard({ poll, variant, started = true, parts }: VoteCardProps) {
  const headingId = useId();
  const Heading = variant === 'page' ? 'h1' : 'h3';
  return (
    <article
      id={cardId(poll.id)}
      className={`card ${styles.card} ${variant === 'page' ? styles.page : ''}`}
      aria-labelledby={headingId}
    >
      <header className={styles.head}>
        {parts ? (
          <parts.Labels poll={poll} started={started} />
        ) : (
          poll.category !== null &&
          poll.category !== '' && (
            <p className="kicker" dir="auto">
              {categoryLabel(poll.category)}
            </p>
          )
        )}
        <Heading id={headingId} className={styles.question} dir="auto">
          {variant === 'grid' ? <a href={`/poll/${poll.id}`}>{poll.question}</a> : poll.question}
        </Heading>
        {parts ? (
          <parts.About poll={poll} started={started} />
        ) : (
          poll.description !== '' && (
            <p className={styles.description} dir="auto">
              {poll.description}
            </p>
          )
        )}
      </header>
      <Ballot
        poll={poll}
        started={started}
        parts={parts ?? { texts: votingTexts }}
        headingId={headingId}
        onPage={variant === 'grid'}
      />
      {parts && <parts.Circumstances poll={poll} />}
    </article>
  );
}
