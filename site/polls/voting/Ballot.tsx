import type { ReactNode, Ref, RefObject } from 'react';
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { PollOption } from '#api/polls/polls.contract.ts';
import * as limits from '#contract/limits.ts';
import type { ResultVisibility } from '#contract/vocabulary.ts';
import { percentWhole } from '#domain/poll-results.ts';
import { showsResults } from '#domain/poll-visibility.ts';
import { isFirstVote } from '#domain/standing.ts';
import { shortCode } from '#domain/verification/short-code.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { formatCount, formatPercent } from '#site/ui/format.ts';
import { OwnVote, ResultBars } from '#site/ui/ResultBars.tsx';
import { afterVoteTexts } from '#texts/after-vote.ts';
import { votingTexts } from '#texts/polls.ts';
import { receiptNoteTexts } from '#texts/receipt-note.ts';
import { ballotTexts } from '#texts/voting.ts';
import { AfterVote, NextPoll } from './AfterVote.tsx';
import styles from './Ballot.module.css';
import {
  choicesOf,
  countedOptions,
  isClosed,
  isCommunity,
  optionField,
  ownTexts,
  ownVotes,
  pollPath,
  standingOf,
} from './ballot.ts';
import type { AnyPoll, Standing } from './ballot.ts';
import { inBrowserOrder, orderedBy } from './option-order.ts';
import { PollNotes } from './PollNotes.tsx';
import { receiptAddress, receiptOf, watchReceipts } from './receipts.ts';
import { useLastVoted } from './shown-polls.ts';
import { useCastVote } from './use-cast-vote.ts';
import type { VoteToasts } from './use-cast-vote.ts';
import { GuessSwitch, useGuess } from './use-guess.tsx';

/** The texts that differ between the kinds of poll. */
interface BallotTexts {
  readonly cast: string;
  readonly pending: string;
  readonly total: (count: number, formatted: string) => string;
  /** Label of the option this visitor voted for. */
  readonly yourVote?: string;
  readonly announce: (results: string, question: string) => string;
  /** Announces that the poll closed while it was shown. */
  readonly announceClosed?: (results: string) => string;
  /** Who sees the results, and when. */
  readonly secret?: Readonly<Record<ResultVisibility, string>>;
  /** Heading of the results that somebody sees without having voted. */
  readonly soFar?: string;
  readonly toasts: VoteToasts & { readonly secret?: Partial<Record<ResultVisibility, string>> };
}

export interface BallotHeadProps {
  readonly poll: AnyPoll;
  readonly standing: Standing;
  /** It must not tell the results. */
  readonly isGuessing: boolean;
  readonly several: SeveralParts | undefined;
  readonly headingId: string;
  /** Takes the focus after a vote. */
  readonly headingRef: RefObject<HTMLHeadingElement | null>;
}

/** What a ballot has on which a vote may choose several options. */
export interface SeveralParts {
  readonly legend: string;
  readonly voters: BallotTexts['total'];
  readonly Choices: (props: ChoicesProps) => ReactNode;
  /** How many; `id` describes the options. */
  readonly Rule: (props: { readonly poll: AnyPoll; readonly chosen: number; readonly id: string }) => ReactNode;
  /** What the percentages are of. */
  readonly Shares: (props: { readonly poll: AnyPoll }) => ReactNode;
  /** The texts of the chosen options in a sentence. */
  readonly listed: (texts: readonly string[]) => string;
  /** The result in a sentence, and the votes of the leading option with those that they are a share of. */
  readonly result?: (poll: AnyPoll) => { readonly votes: number; readonly of: number; readonly finding: string } | null;
  /** Below the ballot: how the results came about, where the bars show only the first of the chosen options. */
  readonly Rounds?: (props: { readonly poll: AnyPoll }) => ReactNode;
}

export interface WriteInProps {
  readonly chosen: readonly string[];
  readonly choose: (optionIds: readonly string[]) => void;
  /** Of an option. */
  readonly className: string | undefined;
}

export interface ChoicesProps extends WriteInProps {
  readonly poll: AnyPoll;
  /** As this browser shows them. */
  readonly options: readonly { readonly id: string; readonly text: string }[];
}

/** What a ballot has whose voters may write another answer. */
export interface WrittenParts {
  /** Below the options. */
  readonly Field: (props: WriteInProps) => ReactNode;
  /** Above the results. */
  readonly Own: (props: { readonly poll: AnyPoll }) => ReactNode;
  /** Below them. */
  readonly Added: (props: { readonly poll: AnyPoll }) => ReactNode;
}

/** What differs between the kinds of poll. */
export interface BallotParts {
  readonly written?: WrittenParts | undefined;
  readonly several?: SeveralParts;
  readonly texts: BallotTexts;
  /** Says above the options what became of the vote. Without it, that is said in place of the button. */
  readonly Head?: (props: BallotHeadProps) => ReactNode;
}

interface BallotProps {
  readonly poll: AnyPoll;
  /** Voting has started. */
  readonly started: boolean;
  readonly parts: BallotParts;
  /** Id of the poll’s heading. */
  readonly headingId: string;
  /** Whether the page has several polls. */
  readonly onPage: boolean;
}

/** The options to choose from, then the results in the same space. */
export function Ballot({ poll, started, parts: { texts, Head, ...parts }, headingId, onPage }: BallotProps) {
  const { resultVisibility: visibility = 'after-voting' } = poll;
  const counted = countedOptions(poll);
  // Everyone gets the counts of a weekly poll, and sees them after the vote.
  const seen = isCommunity(poll) && counted !== null;
  const hidden = seesResults(poll) ? undefined : texts.secret?.[visibility];
  const max = isCommunity(poll) ? poll.options.length : limits.offeredOptions;
  const recordedText = seesResults(poll, true) ? texts.toasts.recordedText : texts.toasts.secret?.[visibility];
  const cast = useCastVote(poll, { toasts: { ...texts.toasts, recordedText }, started });
  const { vote, guess, guessed } = useGuess(poll, cast, { max, seen });
  const { state, action, recorded } = vote;
  const hydrated = useHydrated();
  const buttonId = useId();
  const legendId = useId();
  const ruleId = useId();
  // It takes the focus after a vote, because the focused button is gone.
  const outcome = useRef<HTMLHeadingElement & HTMLParagraphElement>(null);
  // Several cards would repeat what leads on.
  const isLast = useLastVoted() === poll.id;
  const [openBefore] = useState(() => !isClosed(poll));
  const options = poll.options.slice(0, max);
  const decided = state.kind === 'voted' || state.kind === 'closed';
  const fresh = decided && state.fresh;
  const { min: least, max: most } = choicesOf(poll);
  const several = most > 1 ? parts.several : undefined;
  const { written } = parts;
  const own = ownVotes(poll);
  const chosen = decided ? own : state.kind === 'upcoming' ? [] : state.choice;

  // Once it is a form, it stays one: another element would lose the choice, the focus, and the growing bars.
  const votable = state.kind === 'unvoted' || state.kind === 'pending';
  const [isForm, setIsForm] = useState(votable);
  if (votable && !isForm) setIsForm(true);

  const revealed = fresh && !guess;
  useEffect(() => {
    if (!revealed || (document.activeElement !== null && document.activeElement !== document.body)) return;
    outcome.current?.focus({ preventScroll: true });
    // Results that were not known before the vote may have moved it below the window.
    outcome.current?.scrollIntoView({ block: 'nearest' });
  }, [revealed]);

  const choosing: WriteInProps = {
    ...{ className: styles.choice, chosen },
    choose: (optionIds) => state.kind === 'unvoted' && vote.choose(optionIds),
  };
  const offered = inBrowserOrder(poll, options);

  const handleSubmit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    vote.cast();
  };

  const bars = (shown: readonly PollOption[]) => (
    <ResultBars
      options={shown}
      totalVotes={poll.totalVotes}
      userVotes={several?.Rounds ? own.slice(0, 1) : own}
      yourVote={texts.yourVote}
      max={max}
      grow={fresh}
    />
  );
  const totalOf = several?.voters ?? texts.total;
  const total = (
    <p data-total data-one={totalOf(1, '#')} data-other={totalOf(2, '#')}>
      {totalOf(poll.totalVotes, formatCount(poll.totalVotes))}
    </p>
  );
  const shares = several && <several.Shares poll={poll} />;

  const content = (
    <>
      {Head && (
        <Head
          poll={poll}
          standing={standingOf(poll, started)}
          isGuessing={guess !== null}
          several={several}
          headingId={legendId}
          headingRef={outcome}
        />
      )}
      {written && decided && <written.Own poll={poll} />}
      {several && !decided && <several.Rule poll={poll} chosen={chosen.length} id={ruleId} />}
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
            aria-labelledby={Head ? legendId : headingId}
            aria-describedby={several && !decided ? ruleId : undefined}
            data-least={least}
            data-most={most}
            {...orderedBy(poll)}
          >
            {several ? (
              <several.Choices poll={poll} options={offered} {...choosing} />
            ) : (
              offered.map((option) => (
                <label key={option.id} className={styles.choice} dir="auto">
                  <input
                    type="radio"
                    name={optionField}
                    required
                    value={option.id}
                    checked={chosen.includes(option.id)}
                    onChange={() => choosing.choose([option.id])}
                  />
                  <span>{option.text}</span>
                </label>
              ))
            )}
            {written && (!decided || fresh) && <written.Field {...choosing} />}
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
                <p className="muted small">{hidden ?? ballotTexts.counting}</p>
              ) : state.kind !== 'closed' && isFirstVote({ ...poll, options: counted }, poll.userVote) ? (
                <div className={styles.first}>
                  <p>{afterVoteTexts.first}</p>
                  <ul>
                    <li>
                      <span dir="auto">{several ? several.listed(ownTexts(poll)) : ownTexts(poll)}</span>
                      <OwnVote label={texts.yourVote} />
                    </li>
                  </ul>
                  <p>{afterVoteTexts.firstNote}</p>
                </div>
              ) : (
                <>
                  {bars(counted)}
                  {shares}
                </>
              ))}
            {!guess && <NotOffered poll={poll} max={max} />}
          </div>
        )}
      </div>

      {state.kind !== 'upcoming' && (
        <footer className={styles.foot}>
          {decided ? (
            (guess?.buttons ?? (!Head && <Outcome poll={poll} linked={onPage} ref={outcome} />))
          ) : (
            <>
              <button
                type="submit"
                id={buttonId}
                className={`button button--primary ${styles.cast}`}
                aria-labelledby={Head ? undefined : `${buttonId} ${headingId}`}
                // Without JavaScript, the browser itself requires a choice.
                disabled={hydrated && chosen.length < least}
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
          {written && <written.Added poll={poll} />}
          {state.kind === 'voted' && fresh && !guess && (
            <AfterVote poll={poll}>
              {guessed}
              {isLast && <NextPoll pollId={poll.id} onPage={onPage} />}
              {/* Only where the vote shows the results is there something to guess. */}
              {isLast && visibility === 'after-voting' && !poll.isMine && <GuessSwitch />}
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

      {/* Others who may see them without having voted have a page for it, so that their vote counts apart. */}
      {!decided && seen && poll.isMine && poll.totalVotes > 0 && (
        <section className={styles.soFar} aria-label={texts.soFar}>
          <h3>{texts.soFar}</h3>
          <ResultBars options={counted} totalVotes={poll.totalVotes} />
          {shares}
        </section>
      )}
      {several?.Rounds && !guess && (decided || poll.isMine) && <several.Rounds poll={poll} />}

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
              poll.question,
            )}
      </p>
    </>
  );
}

/** Whether this visitor sees the results, even if they are still on their way; with `hasVoted`, once that is so. */
function seesResults(poll: AnyPoll, hasVoted = poll.hasVoted): boolean {
  const { resultVisibility = 'after-voting', isMine: isCreator = false } = poll;
  return showsResults(resultVisibility, { isCreator, hasVoted }, isClosed(poll));
}

/** The votes of options that aren’t offered, without which the results don’t add up. */
function NotOffered({ poll: { options, totalVotes }, max }: { readonly poll: AnyPoll; readonly max: number }) {
  const others = options
    .slice(max)
    .map((option) => option.votes ?? 0)
    .filter((votes) => votes > 0);
  const votes = others.reduce((sum, one) => sum + one, 0);
  if (votes === 0) return null;
  const percent = formatPercent(percentWhole(votes, totalVotes), 0);
  return (
    <p className={`muted small ${styles.notOffered}`}>
      {votingTexts.notOffered(others.length, votingTexts.total(votes, formatCount(votes)), percent)}
    </p>
  );
}

interface OutcomeProps {
  readonly poll: AnyPoll;
  /** Links the report. */
  readonly linked: boolean;
  readonly ref: Ref<HTMLParagraphElement>;
}

/** What takes the place of the button once nothing can be chosen anymore. */
function Outcome({ poll, linked, ref }: OutcomeProps) {
  return (
    <p ref={ref} className={styles.outcome} tabIndex={-1}>
      {isClosed(poll) ? (
        <>
          <span className="tag tag--solid">{votingTexts.closed}</span>
          {linked && <a href={pollPath(poll)}>{votingTexts.report}</a>}
        </>
      ) : (
        <>
          <svg className={styles.check} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d="M2.5 8.5 6.5 12.5 13.5 4" />
          </svg>
          {votingTexts.recorded}
        </>
      )}
    </p>
  );
}

/** The receipt of a vote cast in this browser, in its short form, with a link to it in the list of all. */
function ReceiptNote({ pollId }: { readonly pollId: string }) {
  const receipt = useSyncExternalStore(
    watchReceipts,
    () => receiptOf(pollId),
    () => null,
  );
  return (
    receipt && (
      <a className={styles.receipt} href={receiptAddress(pollId)}>
        {receiptNoteTexts.label} <span className={styles.code}>{shortCode(receipt)}</span>
      </a>
    )
  );
}

/** The results in one sentence for screen readers. */
function spokenResults(options: readonly PollOption[], totalVotes: number): string {
  return options
    .map(({ text, votes }) => ballotTexts.announcePart(text, formatPercent(percentWhole(votes, totalVotes), 0)))
    .join(', ');
}
