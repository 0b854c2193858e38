import { useId, useRef } from 'react';
import * as limits from '#contract/limits.ts';
import { categoryLabel, percentWhole } from '#domain/poll-results.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { votingTexts as texts } from '#texts/polls.ts';
import { useLastVoted } from '#site/polls/voting/shown-polls.ts';
import { cardId, nextCard, NextPoll } from './NextPoll.tsx';
import { Ballot } from '#site/polls/voting/Ballot.tsx';
import { isClosed } from '#site/polls/voting/ballot.ts';
import type { AnyPoll } from '#site/polls/voting/ballot.ts';
import { GuessSwitch } from '#site/polls/voting/use-guess.tsx';
import styles from './VotingCard.module.css';

interface VotingCardProps {
  readonly poll: AnyPoll;
  /** `page`: the only poll on its page; `grid`: one of several, linked to its page. */
  readonly variant: 'grid' | 'page';
}

/** The votes of options that aren’t offered, without which the results don’t add up. */
function NotOffered({ poll: { options, totalVotes } }: { readonly poll: AnyPoll }) {
  const others = options
    .slice(limits.offeredOptions)
    .map((option) => option.votes ?? 0)
    .filter((votes) => votes > 0);
  const votes = others.reduce((sum, one) => sum + one, 0);
  if (votes === 0) return null;
  const percent = formatPercent(percentWhole(votes, totalVotes), 0);
  return (
    <p className={`muted small ${styles.notOffered}`}>
      {texts.notOffered(others.length, texts.total(votes, formatCount(votes)), percent)}
    </p>
  );
}

/** A poll to vote on: question, and ballot. */
export function VotingCard({ poll, variant }: VotingCardProps) {
  // Several cards would repeat what leads on.
  const isLast = useLastVoted() === poll.id;
  const outcome = useRef<HTMLParagraphElement>(null);
  const headingId = useId();
  const Heading = variant === 'page' ? 'h1' : 'h3';
  return (
    <article
      id={cardId(poll.id)}
      className={`card ${styles.card} ${variant === 'page' ? styles.page : ''}`}
      aria-labelledby={headingId}
    >
      <header className={styles.head}>
        {poll.category !== null && poll.category !== '' && (
          <p className="kicker" dir="auto">
            {categoryLabel(poll.category)}
          </p>
        )}
        <Heading id={headingId} className={styles.question} dir="auto">
          {variant === 'grid' ? <a href={`/poll/${poll.id}`}>{poll.question}</a> : poll.question}
        </Heading>
        {poll.description !== '' && (
          <p className={styles.description} dir="auto">
            {poll.description}
          </p>
        )}
      </header>
      <Ballot
        poll={poll}
        texts={{ ...texts, announce: (results) => texts.announce(poll.question, results) }}
        labelledBy={headingId}
        buttonLabelledBy={headingId}
        max={limits.offeredOptions}
        note={<NotOffered poll={poll} />}
        outcome={
          <p ref={outcome} className={styles.outcome} tabIndex={-1}>
            {isClosed(poll) ? (
              <>
                <span className="tag tag--solid">{texts.closed}</span>
                {variant === 'grid' && <a href={`/poll/${poll.id}`}>{texts.report}</a>}
              </>
            ) : (
              <>
                <svg className={styles.check} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
                  <path d="M2.5 8.5 6.5 12.5 13.5 4" />
                </svg>
                {texts.recorded}
              </>
            )}
          </p>
        }
        after={
          isLast && (
            <>
              <NextPoll pollId={poll.id} onPage={variant === 'grid'} />
              <GuessSwitch />
            </>
          )
        }
        next={nextCard}
        focusAfterVote={outcome}
      />
    </article>
  );
}
