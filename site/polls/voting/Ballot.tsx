import type { ReactNode, RefObject } from 'react';
import { useEffect, useId, useState } from 'react';
import type { PollOption } from '#api/polls/polls.contract.ts';
import { percentWhole } from '#domain/poll-results.ts';
import { isFirstVote } from '#domain/standing.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { OwnVote, ResultBars } from '#site/ui/ResultBars.tsx';
import { afterVoteTexts } from '#texts/after-vote.ts';
import { ballotTexts } from '#texts/voting.ts';
import { AfterVote } from './AfterVote.tsx';
import styles from './Ballot.module.css';
import { countedOptions, isClosed, optionField } from './ballot.ts';
import type { AnyPoll } from './ballot.ts';
import { PollNotes } from './PollNotes.tsx';
import { ReceiptNote } from './ReceiptNote.tsx';
import { useCastVote } from './use-cast-vote.ts';
import type { VoteToasts } from './use-cast-vote.ts';
import { useGuess } from './use-guess.tsx';

/** The texts that differ between the kinds of poll. */
interface BallotTexts {
  readonly cast: string;
  readonly pending: string;
  readonly total: (count: number, formatted: string) => string;
  /** Label of the option this visitor voted for. */
  readonly yourVote?: string;
  readonly announce: (results: string) => string;
  /** Announces that the poll closed while it was shown. */
  readonly announceClosed?: (results: string) => string;
  readonly toasts: VoteToasts;
}

interface BallotProps {
  readonly poll: AnyPoll;
  /** Voting has started. */
  readonly started?: boolean;
  readonly texts: BallotTexts;
  /** Id of the heading that names the options. */
  readonly labelledBy: string;
  /** Id of the heading that the button’s name includes, if the page may have several buttons. */
  readonly buttonLabelledBy?: string;
  /** How many options are offered and shown in the results; all by default. */
  readonly max?: number;
  /** Shown above the options; with `isGuessing`, it must not tell the results. */
  readonly head?: (isGuessing: boolean) => ReactNode;
  /** Shown below the results. */
  readonly note?: ReactNode;
  /** Shown in place of results that this visitor doesn’t see. */
  readonly hidden?: string | undefined;
  /** Shown in place of the button once nothing can be chosen anymore. */
  readonly outcome?: ReactNode;
  /** This visitor has seen the results before the vote, so there is nothing to guess. */
  readonly seen?: boolean;
  /** Shown last, once a vote was recorded while this page was open: what to do next. */
  readonly after?: ReactNode;
  /** The ballot on this page to answer next, which the notification must not cover. */
  readonly next?: (pollId: string) => Element | null;
  /** Takes the focus after a vote, because the focused button is gone. */
  readonly focusAfterVote: RefObject<HTMLElement | null>;
}

/** The options to choose from, then the results in the same space. */
export function Ballot({ poll, started = true, texts, labelledBy, buttonLabelledBy, max, ...parts }: BallotProps) {
  const cast = useCastVote(poll, { toasts: texts.toasts, started, next: parts.next });
  const { vote, guess, guessed } = useGuess(poll, cast, { max, seen: parts.seen });
  const { state, action, recorded } = vote;
  const hydrated = useHydrated();
  const buttonId = useId();
  const [openBefore] = useState(() => !isClosed(poll));
  const options = poll.options.slice(0, max);
  const counted = countedOptions(poll);
  const decided = state.kind === 'voted' || state.kind === 'closed';
  const fresh = decided && state.fresh;

  // Once it is a form, it stays one: another element would lose the choice, the focus, and the growing bars.
  const votable = state.kind === 'unvoted' || state.kind === 'pending';
  const [isForm, setIsForm] = useState(votable);
  if (votable && !isForm) setIsForm(true);

  const { focusAfterVote } = parts;
  const revealed = fresh && !guess;
  useEffect(() => {
    if (!revealed || (document.activeElement !== null && document.activeElement !== document.body)) return;
    focusAfterVote.current?.focus({ preventScroll: true });
    // Results that were not known before the vote may have moved it below the window.
    focusAfterVote.current?.scrollIntoView({ block: 'nearest' });
  }, [revealed, focusAfterVote]);

  const handleSubmit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    vote.cast();
  };

  const bars = (shown: readonly PollOption[]) => (
    <ResultBars
      options={shown}
      totalVotes={poll.totalVotes}
      userVote={poll.userVote}
      yourVote={texts.yourVote}
      max={max}
      grow={fresh}
    />
  );
  const total = (
    <p data-total data-one={texts.total(1, '#')} data-other={texts.total(2, '#')}>
      {texts.total(poll.totalVotes, formatCount(poll.totalVotes))}
    </p>
  );

  const content = (
    <>
      {parts.head?.(guess !== null)}
      {/* Both layers take up space, so nothing moves when one replaces the other. */}
      <div className={styles.layers}>
        {state.kind === 'upcoming' ? (
          <ul className={styles.choices}>
            {options.map((option) => (
              <li key={option.id} className={`${styles.choice} ${styles.unavailable}`} dir="auto">
                {option.text}
              </li>
            ))}
          </ul>
        ) : (
          <fieldset
            className={styles.choices}
            data-part="choices"
            data-hidden={decided ? '' : undefined}
            disabled={decided}
            aria-hidden={decided}
            aria-labelledby={labelledBy}
          >
            {options.map((option) => (
              <label key={option.id} className={styles.choice} dir="auto">
                <input
                  type="radio"
                  name={optionField}
                  required
                  value={option.id}
                  checked={option.id === (decided ? poll.userVote : state.choice)}
                  onChange={() => state.kind === 'unvoted' && vote.choose(option.id)}
                />
                <span>{option.text}</span>
              </label>
            ))}
          </fieldset>
        )}
        {(decided || counted !== null) && (
          <div
            className={styles.results}
            data-part="results"
            data-hidden={decided ? undefined : ''}
            aria-hidden={!decided}
          >
            {guess?.sliders ??
              (counted === null ? (
                <p className="muted small">{parts.hidden ?? ballotTexts.counting}</p>
              ) : state.kind !== 'closed' && isFirstVote({ ...poll, options: counted }, poll.userVote) ? (
                <div className={styles.first}>
                  <p>{afterVoteTexts.first}</p>
                  <ul>
                    <li>
                      <span dir="auto">{counted.find(({ id }) => id === poll.userVote)?.text}</span>
                      <OwnVote label={texts.yourVote} />
                    </li>
                  </ul>
                  <p>{afterVoteTexts.firstNote}</p>
                </div>
              ) : (
                bars(counted)
              ))}
            {!guess && parts.note}
          </div>
        )}
      </div>

      {state.kind !== 'upcoming' && (
        <footer className={styles.foot}>
          {decided ? (
            (guess?.buttons ?? parts.outcome)
          ) : (
            <>
              <button
                type="submit"
                id={buttonId}
                className={`button button--primary ${styles.cast}`}
                aria-labelledby={buttonLabelledBy && `${buttonId} ${buttonLabelledBy}`}
                // Without JavaScript, the browser itself requires a choice.
                disabled={hydrated && state.choice === null}
                // A disabled button would lose the focus.
                aria-disabled={state.kind === 'pending'}
              >
                {state.kind !== 'pending' ? texts.cast : state.checking ? ballotTexts.checking : texts.pending}
              </button>
              {state.kind === 'unvoted' && state.problem !== null && <p className={styles.problem}>{state.problem}</p>}
            </>
          )}
          <div className={styles.total}>
            {counted !== null && total}
            {decided && <ReceiptNote pollId={poll.id} />}
          </div>
          <PollNotes poll={poll} />
          {state.kind === 'voted' && fresh && !guess && (
            <AfterVote poll={poll}>
              {guessed}
              {parts.after}
            </AfterVote>
          )}
        </footer>
      )}
    </>
  );

  return (
    <>
      {isForm ? (
        <form
          className={styles.ballot}
          data-ballot={poll.id}
          data-state={state.kind}
          method="post"
          action={action}
          onSubmit={handleSubmit}
        >
          {content}
        </form>
      ) : (
        <div className={styles.ballot} data-ballot={poll.id} data-state={state.kind}>
          {content}
        </div>
      )}

      {/* Announced once per event: the live figures would be read out at every update. */}
      <p className="visually-hidden" role="status">
        {state.kind === 'pending' && state.checking && ballotTexts.checking}
        {texts.announceClosed && state.kind === 'closed' && openBefore
          ? counted && texts.announceClosed(spokenResults(counted.slice(0, max), poll.totalVotes))
          : recorded &&
            !guess &&
            texts.announce(
              isFirstVote({ ...recorded, options: countedOptions(recorded) ?? [] }, recorded.userVote)
                ? afterVoteTexts.first
                : spokenResults(countedOptions(recorded)?.slice(0, max) ?? [], recorded.totalVotes),
            )}
      </p>
    </>
  );
}

/** The results in one sentence for screen readers. */
function spokenResults(options: readonly PollOption[], totalVotes: number): string {
  return options
    .map(({ text, votes }) => ballotTexts.announcePart(text, formatPercent(percentWhole(votes, totalVotes), 0)))
    .join(', ');
}
