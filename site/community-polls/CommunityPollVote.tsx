import type { RefObject } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { CommunityPoll, VoteStatus } from '#contract/community-poll.ts';
import { percentWhole, leadOf } from '#domain/poll-results.ts';
import { useHydrated } from '#site/client/use-hydrated.ts';
import { formatMoment, formatPercent, formatCount } from '#site/ui/format.ts';
import { communityPollTexts } from '#texts/community-poll.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { deviceId } from '#site/client/device-id.ts';
import { failureNote, failureText } from '#site/client/failure-text.ts';
import { queryClient, queryKeys } from '#site/client/query-client.ts';
import { toast } from '#site/ui/toasts.ts';
import { dispatchVisitEvent } from '#site/ui/visit-event.ts';
import type { PollOption } from '#contract/poll.ts';
import { ResultBars } from '#site/ui/ResultBars.tsx';
import { Vane } from '#site/ui/Vane.tsx';
import styles from './CommunityPollVote.module.css';
import { isClosed, setPollInCache } from './community-poll.ts';

const { voting: texts, toasts } = communityPollTexts;

/** The choice is kept until the vote is recorded, so a failed vote can be retried. */
type VoteState =
  | { readonly kind: 'upcoming' }
  | { readonly kind: 'unvoted'; readonly choice: string | null; readonly problem: string | null }
  | { readonly kind: 'pending'; readonly choice: string }
  | { readonly kind: 'voted' }
  | { readonly kind: 'closed' };

interface VoteInput {
  readonly started: boolean;
  readonly choice: string | null;
  readonly status: VoteStatus | undefined;
  readonly vote: CommunityVote;
}

function voteStateOf(poll: CommunityPoll, { started, choice, status, vote }: VoteInput): VoteState {
  if (isClosed(poll)) return { kind: 'closed' };
  if (poll.hasVoted || status?.hasVoted) return { kind: 'voted' };
  if (!started) return { kind: 'upcoming' };
  if (vote.pending && choice !== null) return { kind: 'pending', choice };
  return { kind: 'unvoted', choice, problem: vote.problem };
}

/** The results in one sentence for screen readers. */
function announcementOf({ options, totalVotes }: CommunityPoll): string {
  return options
    .map(({ text, votes }) => texts.announcePart(text, formatPercent(percentWhole(votes ?? 0, totalVotes), 0)))
    .join(', ');
}

interface CommunityPollVoteProps {
  readonly poll: CommunityPoll;
  /** Voting has started. */
  readonly started: boolean;
}

/** The options to choose from, then the results. */
export function CommunityPollVote({ poll, started }: CommunityPollVoteProps) {
  const vote = useCommunityVote(poll);
  const status = useVoteStatus(poll.id);
  const hydrated = useHydrated();
  const [choice, setChoice] = useState<string | null>(null);
  const [openBefore] = useState(() => !isClosed(poll));
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  const state = voteStateOf(poll, { started, choice, status, vote });
  const { recorded } = vote;
  const fresh = recorded !== undefined;

  // A choice may have been made before hydration.
  useEffect(() => {
    const early = form.current?.querySelector<HTMLInputElement>('input:checked');
    if (early) setChoice(early.value);
  }, []);

  // The focused button is gone: keyboard users continue at the result.
  const resultsReplacedForm = fresh && (state.kind === 'voted' || state.kind === 'closed');
  useEffect(() => {
    if (resultsReplacedForm && (document.activeElement === null || document.activeElement === document.body))
      heading.current?.focus({ preventScroll: true });
  }, [resultsReplacedForm]);

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
        {state.kind === 'upcoming' ? texts.upcoming(formatMoment(poll.startsAt)) : texts.secret}
      </p>
    </div>
  );

  return (
    <section className={styles.vote} aria-labelledby={id}>
      {state.kind === 'voted' || state.kind === 'closed' ? (
        <CommunityPollResults
          poll={poll}
          chosenId={poll.userVote ?? status?.optionId ?? null}
          fresh={fresh}
          headingId={id}
          headingRef={heading}
        />
      ) : state.kind === 'upcoming' ? (
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
                  onChange={() => state.kind === 'unvoted' && setChoice(option.id)}
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
              disabled={!hydrated || state.choice === null}
              // A disabled button would lose the focus.
              aria-disabled={state.kind === 'pending'}
            >
              {state.kind === 'pending' ? texts.pending : texts.cast}
            </button>
            {state.kind === 'unvoted' && state.problem !== null && <p className={styles.problem}>{state.problem}</p>}
          </div>
        </form>
      )}
      {/* Announced once per event: the live figures would be read out every few seconds. */}
      <p className="visually-hidden" role="status">
        {state.kind === 'closed' && openBefore
          ? texts.announceClosed(announcementOf(poll))
          : recorded !== undefined && texts.announce(announcementOf(recorded))}
      </p>
    </section>
  );
}

interface CommunityPollResultsProps {
  readonly poll: CommunityPoll;
  /** The option this voter chose; null if none or unknown. */
  readonly chosenId: string | null;
  /** The vote was accepted while this page was open, so the bars animate. */
  readonly fresh: boolean;
  readonly headingId: string;
  readonly headingRef: RefObject<HTMLHeadingElement | null>;
}

/** The options with counts; null while the server withholds any count. */
function countedOptions(poll: CommunityPoll): readonly PollOption[] | null {
  const options = poll.options.flatMap(({ id, text, votes }) => (votes === null ? [] : [{ id, text, votes }]));
  return options.length === poll.options.length ? options : null;
}

/** Live or final results, and what this voter chose. */
function CommunityPollResults({ poll, chosenId, fresh, headingId, headingRef }: CommunityPollResultsProps) {
  const closed = isClosed(poll);
  const options = countedOptions(poll);
  const chosen = poll.options.find(({ id }) => id === chosenId);
  const leading = options && leadOf(options, poll.totalVotes).leaders[0];
  return (
    <>
      <header className={styles.outcome}>
        <div className={styles.body}>
          <h2 id={headingId} ref={headingRef} className={styles.heading} tabIndex={-1}>
            {closed ? texts.results : texts.live}
          </h2>
          {chosen !== undefined && (
            <p>
              {texts.thanks.before}
              <strong dir="auto">{chosen.text}</strong>
              {texts.thanks.after}
            </p>
          )}
          {!closed && chosen === undefined && <p>{texts.thanksPlain}</p>}
          {closed && <p className={styles.note}>{texts.ended}</p>}
        </div>
        {leading && (
          <Vane
            className={styles.vane}
            share={Math.min(1, leading.votes / poll.totalVotes)}
            dial
            label={texts.vane(formatPercent(percentWhole(leading.votes, poll.totalVotes), 0))}
          />
        )}
      </header>
      {options === null ? (
        <p className={styles.note}>{texts.counting}</p>
      ) : (
        <>
          <ResultBars
            options={options}
            totalVotes={poll.totalVotes}
            userVote={chosenId}
            yourVote={texts.yourVote}
            grow={fresh}
          />
          <p className={styles.total}>{texts.total(poll.totalVotes, formatCount(poll.totalVotes))}</p>
        </>
      )}
    </>
  );
}

function isPoll(value: unknown, id: string): value is CommunityPoll {
  return typeof value === 'object' && value !== null && 'options' in value && 'id' in value && value.id === id;
}

/** The poll as reported in a refused vote; null if the refusal says nothing about it. */
function pollFromError(error: Error, poll: CommunityPoll): CommunityPoll | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'ALREADY_VOTED') {
    if (isPoll(error.body?.poll, poll.id)) return error.body.poll;
    return { ...poll, hasVoted: true, userVote: error.body?.userVote ?? null };
  }
  return error.code === 'POLL_CLOSED' ? { ...poll, isActive: false } : null;
}

/** One vote’s progress. */
interface CommunityVote {
  readonly cast: (optionId: string) => void;
  readonly pending: boolean;
  /** The poll in the response to a vote accepted while this page was open. */
  readonly recorded: CommunityPoll | undefined;
  /** What the form adds to the failure toast. */
  readonly problem: string | null;
}

/** Casts a vote; the response is the poll as this voter now sees it. */
function useCommunityVote(poll: CommunityPoll): CommunityVote {
  const refresh = () => void queryClient().invalidateQueries({ queryKey: queryKeys.communityPoll(poll.id) });
  const { mutate, isPending, data, error } = useMutation<CommunityPoll, Error, string>(
    {
      mutationFn: (optionId) =>
        callApi('communityVote', { params: { id: poll.id }, body: { optionId, voterFingerprint: deviceId() } }),
      onSuccess: async (voted) => {
        dispatchVisitEvent('vote');
        await setPollInCache(voted);
        toast({ title: toasts.submitted, text: toasts.submittedText });
      },
      onError: async (failure) => {
        const text = failureText(failure, toasts.failed);
        toast({ title: toasts.failedTitle, text, destructive: true });
        const updated = pollFromError(failure, poll);
        if (updated !== null) await setPollInCache(updated);
        // The refetch shows new counts, a closed poll, or that it is gone.
        if (failure instanceof ApiError && failure.status !== 0) refresh();
      },
    },
    queryClient(),
  );
  return {
    cast: (optionId) => {
      if (!isPending && !poll.hasVoted && poll.options.some(({ id }) => id === optionId)) mutate(optionId);
    },
    pending: isPending,
    recorded: data,
    problem: error && failureNote(error, texts.choiceKept),
  };
}

/** Whether this voter has voted, requested once on hydration; undefined until then and on failure. */
function useVoteStatus(pollId: string): VoteStatus | undefined {
  const [status, setStatus] = useState<VoteStatus>();

  useEffect(() => {
    const abort = new AbortController();
    callApi('communityVoteStatus', {
      params: { id: pollId },
      query: { fingerprint: deviceId() },
      signal: abort.signal,
    }).then(setStatus, (error: unknown) => {
      if (!abort.signal.aborted)
        console.warn(communityPollTexts.unlogged, error instanceof ApiError ? error.status : error);
    });
    return () => abort.abort();
  }, [pollId]);

  return status;
}
