import { useId, useRef } from 'react';
import * as limits from '#contract/limits.ts';
import type { Poll } from '#contract/poll.ts';
import { categoryLabel, percentWhole } from '#domain/poll-results.ts';
import { callApi } from '#site/client/api.ts';
import { queryKeys, updateCached } from '#site/client/query-client.ts';
import { showStatistics } from '#site/client/live-statistics.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { AfterVote } from '#site/polls/voting/AfterVote.tsx';
import { Ballot } from '#site/polls/voting/Ballot.tsx';
import { GuessSwitch, useGuess } from '#site/polls/voting/use-guess.tsx';
import { useCastVote } from '#site/polls/voting/use-cast-vote.ts';
import type { VoteCall } from '#site/polls/voting/use-cast-vote.ts';
import { votingTexts as texts } from '#texts/polls.ts';
import { lastVoted, useLastVoted } from './Answers.tsx';
import { cardId, nextCard, NextPoll } from './NextPoll.tsx';
import styles from './VotingCard.module.css';

const pollVote: VoteCall<Poll> = {
  async send(id, optionId, proof) {
    const referringHost = document.referrer.split('/')[2] ?? '';
    const answer = await callApi('vote', { params: { id }, body: { optionId }, ...proof, referringHost });
    const { statistics, receipt, promise, ...poll } = answer;
    showStatistics(statistics);
    return { poll, given: { receipt, promise } };
  },
  pagePath: (id) => `/poll/${id}`,
  async show(poll) {
    lastVoted.set(poll.id);
    await updateCached<Poll>(queryKeys.poll(poll.id), () => poll);
    const inList = (polls: readonly Poll[]) => polls.map((other) => (other.id === poll.id ? poll : other));
    // A list that was still loading tells which of the other polls this visitor has voted on.
    await updateCached(queryKeys.activePolls, inList, true);
  },
  next: nextCard,
  recordedText: () => texts.toasts.recordedText,
  toasts: texts.toasts,
};

interface VotingCardProps {
  readonly poll: Poll;
  /** `page`: the only poll on its page; `grid`: one of several, linked to its page. */
  readonly variant: 'grid' | 'page';
}

/** The votes of options that aren’t offered, without which the results don’t add up. */
function NotOffered({ poll: { options, totalVotes } }: { readonly poll: Poll }) {
  const others = options.slice(limits.offeredOptions).filter(({ votes }) => votes > 0);
  const votes = others.reduce((sum, option) => sum + option.votes, 0);
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
  const { vote, guess, guessed } = useGuess(poll, useCastVote(poll, pollVote), { max: limits.offeredOptions });
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
        vote={vote}
        texts={{ ...texts, announce: (results) => texts.announce(poll.question, results) }}
        labelledBy={headingId}
        buttonLabelledBy={headingId}
        max={limits.offeredOptions}
        note={<NotOffered poll={poll} />}
        outcome={
          <p ref={outcome} className={styles.outcome} tabIndex={-1}>
            {vote.state.kind === 'closed' ? (
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
        guess={guess}
        after={
          <AfterVote poll={poll} path={pollVote.pagePath(poll.id)}>
            {guessed}
            {isLast && (
              <>
                <NextPoll pollId={poll.id} onPage={variant === 'grid'} />
                <GuessSwitch />
              </>
            )}
          </AfterVote>
        }
        focusAfterVote={outcome}
      />
    </article>
  );
}
