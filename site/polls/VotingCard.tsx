import { useEffect, useId, useRef, useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { Poll } from '#contract/poll.ts';
import { categoryLabel, offeredOptions, percentWhole } from '#domain/poll-results.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { ResultBars } from '#site/ui/ResultBars.tsx';
import { pollTexts } from '#texts/polls.ts';
import { useCastVote } from './use-cast-vote.ts';
import type { CastVote } from './use-cast-vote.ts';
import { isClosed } from './use-open-poll.ts';
import styles from './VotingCard.module.css';

const texts = pollTexts.card;

/** Where a card stands. A choice is kept while nothing is recorded, so that a failed vote can be tried again. */
type CardState =
  | { readonly kind: 'unvoted'; readonly choice: string | null; readonly problem: string | null }
  | { readonly kind: 'pending'; readonly choice: string }
  /** `fresh`: recorded while this page was open, so the bars may grow. */
  | { readonly kind: 'voted'; readonly fresh: boolean }
  | { readonly kind: 'closed' };

function stateOf(poll: Poll, choice: string | null, vote: CastVote): CardState {
  if (isClosed(poll)) return { kind: 'closed' };
  if (poll.hasVoted) return { kind: 'voted', fresh: vote.fresh };
  if (vote.pending && choice !== null) return { kind: 'pending', choice };
  return { kind: 'unvoted', choice, problem: vote.problem };
}

interface VotingCardProps {
  readonly poll: Poll;
  /** `page`: the poll is the page's one subject; `grid`: one of several, linked to its page. */
  readonly place: 'grid' | 'page';
}

/** The votes of options that are not offered: without them the results do not add up. */
function NotOffered({ poll: { options, totalVotes } }: { readonly poll: Poll }) {
  const others = options.slice(limits.offeredOptions).filter(({ votes }) => votes > 0);
  const votes = others.reduce((sum, option) => sum + option.votes, 0);
  if (votes === 0) return null;
  const percent = formatPercent(percentWhole(votes, totalVotes), 0);
  return (
    <p className={`muted small ${styles.notOffered}`}>
      {texts.notOffered(others.length, texts.votes(votes, formatCount(votes)), percent)}
    </p>
  );
}

/** One poll to vote on: options, then the results in the same space. */
export function VotingCard({ poll, place }: VotingCardProps) {
  const vote = useCastVote(poll);
  const [choice, setChoice] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const outcome = useRef<HTMLParagraphElement>(null);
  const headingId = useId();
  const voteId = `${headingId}-vote`;
  const state = stateOf(poll, choice, vote);
  const options = offeredOptions(poll.options);
  const choosing = state.kind === 'unvoted' || state.kind === 'pending';
  const Heading = place === 'page' ? 'h1' : 'h3';

  // Somebody may have chosen before this island woke up.
  useEffect(() => {
    const early = form.current?.querySelector<HTMLInputElement>('input:checked');
    if (early) setChoice(early.value);
  }, []);

  // The button that had the focus is gone; whoever uses a keyboard goes on at what became of the vote.
  const justVoted = state.kind === 'voted' && state.fresh;
  useEffect(() => {
    if (justVoted && (document.activeElement === null || document.activeElement === document.body))
      outcome.current?.focus({ preventScroll: true });
  }, [justVoted]);

  const handleSubmit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (choice !== null) vote.cast(choice);
  };

  return (
    <article className={`card ${styles.card} ${place === 'page' ? styles.page : ''}`} aria-labelledby={headingId}>
      <header className={styles.head}>
        {poll.category !== null && poll.category !== '' && (
          <p className="kicker" dir="auto">
            {categoryLabel(poll.category)}
          </p>
        )}
        <Heading id={headingId} className={styles.question} dir="auto">
          {place === 'grid' ? <a href={`/poll/${poll.id}`}>{poll.question}</a> : poll.question}
        </Heading>
        {poll.description !== '' && (
          <p className={styles.description} dir="auto">
            {poll.description}
          </p>
        )}
      </header>

      <form ref={form} className={styles.form} onSubmit={handleSubmit}>
        {/* Both layers keep their place, so that nothing moves when one gives way to the other. */}
        <div className={styles.layers}>
          <fieldset
            className={`${styles.choices} ${choosing ? '' : styles.away}`}
            disabled={!choosing}
            aria-hidden={!choosing}
            aria-labelledby={headingId}
          >
            {options.map((option) => (
              <label key={option.id} className={styles.choice} dir="auto">
                <input
                  type="radio"
                  name={`answer-${poll.id}`}
                  value={option.id}
                  checked={choosing ? option.id === choice : option.id === poll.userVote}
                  onChange={() => state.kind === 'unvoted' && setChoice(option.id)}
                />
                <span>{option.text}</span>
              </label>
            ))}
          </fieldset>
          <div className={`${styles.results} ${choosing ? styles.away : ''}`} aria-hidden={choosing}>
            <ResultBars
              options={poll.options}
              totalVotes={poll.totalVotes}
              userVote={poll.userVote}
              max={limits.offeredOptions}
              grow={justVoted}
            />
            <NotOffered poll={poll} />
          </div>
        </div>

        <footer className={styles.foot}>
          {choosing ? (
            <>
              <button
                type="submit"
                id={voteId}
                className={`button button--primary ${styles.vote}`}
                aria-labelledby={`${voteId} ${headingId}`}
                disabled={state.choice === null}
                // What is disabled loses the focus.
                aria-disabled={state.kind === 'pending'}
              >
                {state.kind === 'pending' ? texts.pending : texts.vote}
              </button>
              {state.kind === 'unvoted' && state.problem !== null && <p className={styles.problem}>{state.problem}</p>}
            </>
          ) : (
            <p ref={outcome} className={styles.outcome} tabIndex={-1}>
              {state.kind === 'closed' ? (
                <>
                  <span className="tag tag--solid">{texts.closed}</span>
                  {place === 'grid' && <a href={`/poll/${poll.id}`}>{texts.report}</a>}
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
          )}
          <p className={styles.total}>{texts.votes(poll.totalVotes, formatCount(poll.totalVotes))}</p>
        </footer>
      </form>

      <p className="visually-hidden" role="status">
        {justVoted &&
          texts.announce(
            poll.question,
            options
              .map(({ text, votes }) =>
                texts.announcePart(text, formatPercent(percentWhole(votes, poll.totalVotes), 0)),
              )
              .join(', '),
          )}
      </p>
    </article>
  );
}
