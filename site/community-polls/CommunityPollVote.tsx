import { useEffect, useId, useRef, useState } from 'react';
import type { CommunityPoll, VoteStatus } from '#contract/community-poll.ts';
import { percentWhole } from '#domain/poll-results.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { formatMoment, formatPercent } from '#site/ui/format.ts';
import { communityPollTexts } from '#texts/community-poll.ts';
import styles from './CommunityPollVote.module.css';
import { CommunityPollResults } from './CommunityPollResults.tsx';
import { useCommunityVote, useVoteStatus } from './use-community-vote.ts';
import type { CommunityVote } from './use-community-vote.ts';
import { isClosed } from './use-community-poll.ts';

const texts = communityPollTexts.voting;

/** Where the visitor stands. A choice is kept while nothing is recorded, so that a failed vote can be tried again. */
type Stand =
  | { readonly kind: 'upcoming' }
  | { readonly kind: 'unvoted'; readonly choice: string | null; readonly problem: string | null }
  | { readonly kind: 'pending'; readonly choice: string }
  | { readonly kind: 'voted' }
  | { readonly kind: 'closed' };

interface Known {
  readonly begun: boolean;
  readonly choice: string | null;
  readonly status: VoteStatus | undefined;
  readonly vote: CommunityVote;
}

function standOf(poll: CommunityPoll, { begun, choice, status, vote }: Known): Stand {
  if (isClosed(poll)) return { kind: 'closed' };
  if (poll.hasVoted || status?.hasVoted) return { kind: 'voted' };
  if (!begun) return { kind: 'upcoming' };
  if (vote.pending && choice !== null) return { kind: 'pending', choice };
  return { kind: 'unvoted', choice, problem: vote.problem };
}

/** The results in one sentence, as they are read out. */
function spoken({ options, totalVotes }: CommunityPoll): string {
  return options
    .map(({ text, votes }) => texts.announcePart(text, formatPercent(percentWhole(votes ?? 0, totalVotes), 0)))
    .join(', ');
}

interface CommunityPollVoteProps {
  readonly poll: CommunityPoll;
  /** Voting has begun. */
  readonly begun: boolean;
}

/** The part of a community poll that is acted on: options to choose from, then the results. */
export function CommunityPollVote({ poll, begun }: CommunityPollVoteProps) {
  const vote = useCommunityVote(poll);
  const status = useVoteStatus(poll.id);
  const hydrated = useHydrated();
  const [choice, setChoice] = useState<string | null>(null);
  const [openBefore] = useState(() => !isClosed(poll));
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const stand = standOf(poll, { begun, choice, status, vote });
  const { recorded } = vote;
  const fresh = recorded !== undefined;

  // Somebody may have chosen before this island woke up.
  useEffect(() => {
    const early = form.current?.querySelector<HTMLInputElement>('input:checked');
    if (early) setChoice(early.value);
  }, []);

  // The button that had the focus is gone; whoever uses a keyboard goes on at what became of the vote.
  useEffect(() => {
    if (fresh && (document.activeElement === null || document.activeElement === document.body))
      heading.current?.focus({ preventScroll: true });
  }, [fresh]);

  const handleSubmit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (choice !== null) vote.cast(choice);
  };

  const head = (
    <div>
      <h2 id={id} className={styles.heading}>
        {texts.legend}
      </h2>
      <p className={styles.note}>
        {stand.kind === 'upcoming' ? texts.upcoming(formatMoment(poll.startsAt)) : texts.secret}
      </p>
    </div>
  );

  return (
    <section className={styles.vote} aria-labelledby={id}>
      {stand.kind === 'voted' || stand.kind === 'closed' ? (
        <CommunityPollResults
          poll={poll}
          chosenId={poll.userVote ?? status?.optionId ?? null}
          fresh={fresh}
          headingId={id}
          headingRef={heading}
        />
      ) : stand.kind === 'upcoming' ? (
        <div className={styles.form}>
          {head}
          <ul className={styles.choices}>
            {poll.options.map((option) => (
              <li key={option.id} className={`${styles.choice} ${styles.unavailable}`} dir="auto">
                {option.text}
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <form ref={form} className={styles.form} onSubmit={handleSubmit}>
          {head}
          <fieldset className={styles.choices} aria-labelledby={id}>
            {poll.options.map((option) => (
              <label key={option.id} className={styles.choice} dir="auto">
                <input
                  type="radio"
                  name="answer"
                  value={option.id}
                  checked={option.id === choice}
                  onChange={() => stand.kind === 'unvoted' && setChoice(option.id)}
                />
                <span>{option.text}</span>
              </label>
            ))}
          </fieldset>
          <p className="no-js-only">{texts.noScript}</p>
          <div className={`js-only ${styles.foot}`}>
            <button
              type="submit"
              className={`button button--primary ${styles.cast}`}
              disabled={!hydrated || stand.choice === null}
              // What is disabled loses the focus.
              aria-disabled={stand.kind === 'pending'}
            >
              {stand.kind === 'pending' ? texts.pending : texts.cast}
            </button>
            {stand.kind === 'unvoted' && stand.problem !== null && <p className={styles.problem}>{stand.problem}</p>}
          </div>
        </form>
      )}
      {/* The texts of these two moments: what changes every few seconds would be read out again and again. */}
      <p className="visually-hidden" role="status">
        {stand.kind === 'closed' && openBefore
          ? texts.announceClosed(spoken(poll))
          : recorded !== undefined && texts.announce(spoken(recorded))}
      </p>
    </section>
  );
}
